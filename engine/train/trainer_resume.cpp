// Backups of a run as it stands between two steps, and going on from one.
#include <algorithm>
#include <array>
#include <cstring>

#include "engine/export/backup_file.h"
#include "engine/spec/error.h"
#include "engine/train/fingerprint.h"
#include "engine/train/trainer.h"
#include "engine/train/weights_digest.h"

namespace engine::train {
namespace {

using exporter::SavedObject;

constexpr const char* kTrainer = "trainer";

const SavedObject* findObject(const std::vector<SavedObject>& objects, const std::string& name) {
    const auto found = std::find_if(objects.begin(), objects.end(), [&](const SavedObject& object) { return object.name == name; });
    return found == objects.end() ? nullptr : &*found;
}

std::string joinLines(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
        text += line + "\n";
    }
    return text;
}

std::vector<std::string> splitLines(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        lines.push_back(text.substr(begin, end - begin));
        begin = end == std::string::npos ? text.size() : end + 1;
    }
    return lines;
}

// What replicas compare before they go on.
struct ResumePoint {
    std::int64_t iterations = 0;
    std::int64_t epoch = 0;
    std::int64_t step = 0;
    std::array<char, 16> digest{};  // the beginning of the hexadecimal text
    friend bool operator==(const ResumePoint&, const ResumePoint&) = default;
};

std::string describe(const ResumePoint& point) {
    return "epoch " + std::to_string(point.epoch + 1) + ", step " + std::to_string(point.step) + " with weights " +
           std::string(point.digest.data(), point.digest.size());
}

}  // namespace

std::vector<SavedObject> Trainer::savedState(std::int32_t epoch, std::int64_t step) const {
    SavedObject trainer{kTrainer, {}};
    trainer.set("fingerprint", static_cast<std::int64_t>(resumeFingerprint(run_, task_.replicas, task_.global_batch_size)));
    trainer.set("epoch", std::int64_t{epoch});
    trainer.set("step", step);
    trainer.set("iterations", iterations_);
    trainer.set("epoch_totals", std::string(reinterpret_cast<const char*>(epoch_totals_.data()), epoch_totals_.size() * sizeof(double)));
    if (const auto rate = rate_.setByHand()) {
        trainer.set("learning_rate", static_cast<double>(*rate));
    }
    trainer.set("ended_by_callback", std::int64_t{ended_by_callback_ ? 1 : 0});
    trainer.set("save_counter", save_counter_);
    trainer.set("last_saved", last_saved_);
    trainer.set("last_saved_step", last_saved_step_);
    std::vector<std::string> prefixes;
    for (const std::string& prefix : saved_prefixes_) {
        prefixes.push_back(relativeToRun(prefix));
    }
    trainer.set("saved_prefixes", joinLines(prefixes));
    trainer.set("weights_sha256", weightsSha256(*variables_));
    std::vector<SavedObject> objects{std::move(trainer)};
    for (std::size_t i = 0; i < callbacks_.size(); ++i) {
        objects.push_back({callback_names_[i], {}});
        callbacks_[i]->save(objects.back());
    }
    return objects;
}

void Trainer::restoreState(const std::vector<SavedObject>& objects) {
    const SavedObject* trainer = findObject(objects, kTrainer);
    if (trainer == nullptr) {
        throw Error(ErrorCode::kDataLoss, "backup: expected the trainer's state, got none");
    }
    epoch_ = static_cast<std::int32_t>(trainer->get<std::int64_t>("epoch", 0));
    epoch_steps_ = trainer->get<std::int64_t>("step", 0);
    iterations_ = trainer->get<std::int64_t>("iterations", 0);
    const std::string totals = trainer->get<std::string>("epoch_totals", "");
    if (totals.size() != epoch_totals_.size() * sizeof(double)) {
        throw Error(ErrorCode::kDataLoss, "backup: expected " + std::to_string(epoch_totals_.size()) + " running totals, got " +
                                              std::to_string(totals.size()) + " bytes");
    }
    std::memcpy(epoch_totals_.data(), totals.data(), totals.size());
    if (const double* rate = trainer->find<double>("learning_rate")) {
        rate_.set(static_cast<float>(*rate));
    }
    ended_by_callback_ = trainer->get<std::int64_t>("ended_by_callback", 0) != 0;
    save_counter_ = trainer->get<std::int64_t>("save_counter", 0);
    last_saved_ = trainer->get<std::string>("last_saved", "");
    last_saved_step_ = trainer->get<std::int64_t>("last_saved_step", -1);
    saved_prefixes_.clear();
    for (const std::string& prefix : splitLines(trainer->get<std::string>("saved_prefixes", ""))) {
        saved_prefixes_.push_back((options_.run_dir / prefix).string());
    }
    resumed_sha256_ = trainer->get<std::string>("weights_sha256", "");
    for (std::size_t i = 0; i < callbacks_.size(); ++i) {
        if (const SavedObject* state = findObject(objects, callback_names_[i])) {
            callbacks_[i]->restore(*state);
        }
    }
}

// A backup that cannot be written is reported; training goes on and the one before stays.
void Trainer::writeBackup(std::int32_t epoch, std::int64_t step) {
    if (backup_ == nullptr || !task_.is_chief) {
        return;
    }
    // A run that goes on from the backup reports no point again that was reported before it: those have to be kept first.
    reporter_->flush();
    if (!observer_.confirmKept()) {
        log(spec::LogLevel::kWarning,
            "the backup after step " + std::to_string(iterations_) + " is left out: what was reported up to it is not on disk yet");
        return;
    }
    executor_->syncVariables();
    try {
        backup_->write(runFolder(), savedState(epoch, step), *variables_);
    } catch (const Error& error) {
        log(spec::LogLevel::kError, std::string("the backup could not be written: ") + error.what() + "; the one before is unchanged");
    }
}

// The chief reads its backup; all replicas get its state. Weights follow with broadcastWeights().
void Trainer::readBackup() {
    if (backup_ == nullptr) {
        return;
    }
    std::string state;
    if (task_.is_chief) {
        if (const auto found = backup_->read(runFolder(), *variables_)) {
            requireSameRun(*found, run_, task_);
            tellDamage(*found);
            state = exporter::encodeObjects(found->objects);
        }
    }
    if (collective_ != nullptr) {
        auto size = static_cast<std::uint64_t>(state.size());
        collective_->broadcast(std::as_writable_bytes(std::span(&size, 1)), 0);
        state.resize(static_cast<std::size_t>(size));
        collective_->broadcast(std::as_writable_bytes(std::span(state)), 0);
    }
    if (!state.empty()) {
        restoreState(exporter::decodeObjects(state));
        restored_ = resumed_ = true;
    }
}

void requireSameRun(const BackupAndRestore::Found& found, const spec::RunSpec& run, const spec::TaskPlan& task) {
    const SavedObject* trainer = findObject(found.objects, kTrainer);
    const auto expected = static_cast<std::int64_t>(resumeFingerprint(run, task.replicas, task.global_batch_size));
    if (trainer == nullptr || trainer->get<std::int64_t>("fingerprint", 0) != expected) {
        throw Error(
            ErrorCode::kFailedPrecondition,
            found.file.string() +
                ": expected a backup of this project (model, data, compile, fit.seed, fit.steps_per_epoch, number of replicas), got "
                "one of another; give another folder for the run, or remove the file to begin anew");
    }
}

void Trainer::tellDamage(const BackupAndRestore::Found& found) {
    if (!found.damage.empty()) {
        log(spec::LogLevel::kWarning, found.damage + "; the backup before it is taken");
    }
}

// Every replica holds what the backup held, to the byte, or nobody goes on.
void Trainer::agreeOnResume() {
    if (!resumed_) {
        return;
    }
    const std::string digest = weightsSha256(*variables_);
    ResumePoint mine{iterations_, epoch_, epoch_steps_, {}};
    std::copy_n(digest.begin(), mine.digest.size(), mine.digest.begin());
    ResumePoint expected = mine;
    std::copy_n(resumed_sha256_.begin(), std::min(resumed_sha256_.size(), expected.digest.size()), expected.digest.begin());
    std::vector<ResumePoint> all{mine};
    if (collective_ != nullptr) {
        all.resize(static_cast<std::size_t>(collective_->size()));
        collective_->allGather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    }
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        if (all[rank] != expected) {
            throw Error(ErrorCode::kDataLoss, "replica " + std::to_string(rank) + ": expected to resume at " + describe(expected) +
                                                  ", got " + describe(all[rank]));
        }
    }
    if (task_.is_chief) {
        log(spec::LogLevel::kInfo, "Resumed at epoch " + std::to_string(epoch_ + 1) + ", step " + std::to_string(epoch_steps_) + " (" +
                                       std::to_string(iterations_) + " steps done in all, learning rate " +
                                       pythonRepr(static_cast<double>(learningRate())) + ")");
        log(spec::LogLevel::kInfo, "weights sha256 where it resumed: " + digest + ", the same as saved" +
                                       (all.size() > 1 ? ", on all " + std::to_string(all.size()) + " replicas" : ""));
    }
}

}  // namespace engine::train
