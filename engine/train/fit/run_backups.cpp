#include "engine/train/fit/run_backups.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "engine/spec/error.h"
#include "engine/train/callbacks/python_text.h"
#include "engine/train/fingerprint.h"
#include "engine/train/fit/initial_state.h"
#include "engine/train/weights_digest.h"

namespace engine::train {
namespace {

// What replicas compare before they go on, as it travels.
struct Compared {
    std::int64_t steps = 0;
    std::int64_t epoch = 0;
    std::int64_t step = 0;
    std::array<char, 16> digest{};  // the beginning of the hexadecimal text
    friend bool operator==(const Compared&, const Compared&) = default;
};

Compared compared(const ResumePoint& point, const std::string& digest) {
    Compared values{point.steps, point.epoch, point.step, {}};
    std::copy_n(digest.begin(), std::min(digest.size(), values.digest.size()), values.digest.begin());
    return values;
}

std::string describe(const Compared& point) {
    return "epoch " + std::to_string(point.epoch + 1) + ", step " + std::to_string(point.step) + " with weights " +
           std::string(point.digest.data(), point.digest.size());
}

}  // namespace

RunBackups::RunBackups(const spec::RunSpec& run, const spec::TaskPlan& task, distribute::Collective* collective, const RunFolder& folder,
                       TrainingObserver& observer)
    : run_(run), task_(task), collective_(collective), folder_(folder), observer_(observer), backup_(BackupAndRestore::ofRun(run_)) {}

exporter::SavedObject RunBackups::newState() const {
    exporter::SavedObject state{kTrainerState, {}};
    state.set("fingerprint", static_cast<std::int64_t>(resumeFingerprint(run_, task_.replicas, task_.global_batch_size)));
    state.set("replicas", std::int64_t{task_.replicas});
    state.set("global_batch_size", task_.global_batch_size);
    state.set("steps_per_epoch", run_.fit.steps_per_epoch);
    return state;
}

void RunBackups::write(exporter::SavedObject state, std::vector<exporter::SavedObject> callbacks, const backend::Variables& variables) {
    ENGINE_CHECK(writes());
    state.set("weights_sha256", weightsSha256(variables));
    callbacks.insert(callbacks.begin(), std::move(state));
    try {
        backup_->write(folder_.opened(), callbacks, variables);
    } catch (const Error& error) {
        log(spec::LogLevel::kError, std::string("the backup could not be written: ") + error.what() + "; the one before is unchanged");
    }
}

std::vector<exporter::SavedObject> RunBackups::read(backend::Variables& variables) {
    if (backup_ == nullptr) {
        return {};
    }
    std::vector<exporter::SavedObject> objects;
    if (task_.is_chief) {
        if (auto found = backup_->read(folder_.opened(), variables)) {
            requireSameRun(*found, run_, task_);
            if (!found->damage.empty()) {
                log(spec::LogLevel::kWarning, found->damage + "; the backup before it is taken");
            }
            objects = std::move(found->objects);
        }
    }
    objects = objectsOfChief(std::move(objects), collective_);
    if (objects.empty()) {
        return {};
    }
    const exporter::SavedObject* trainer = findObject(objects, kTrainerState);
    if (trainer == nullptr) {
        throw Error(ErrorCode::kDataLoss, "backup: expected the trainer's state, got none");
    }
    resumed_sha256_ = trainer->get<std::string>("weights_sha256", "");
    resumed_ = true;
    return objects;
}

void RunBackups::agree(const ResumePoint& point, const backend::Variables& variables) {
    if (!resumed_) {
        return;
    }
    const std::string digest = weightsSha256(variables);
    const Compared mine = compared(point, digest), expected = compared(point, resumed_sha256_.empty() ? digest : resumed_sha256_);
    std::vector<Compared> all{mine};
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
        log(spec::LogLevel::kInfo, "Resumed at epoch " + std::to_string(point.epoch + 1) + ", step " + std::to_string(point.step) + " (" +
                                       std::to_string(point.steps) + " steps done in all, learning rate " +
                                       pythonRepr(static_cast<double>(point.learning_rate)) + ")");
        log(spec::LogLevel::kInfo, "weights sha256 where it resumed: " + digest + ", the same as saved" +
                                       (all.size() > 1 ? ", on all " + std::to_string(all.size()) + " replicas" : ""));
    }
}

void RunBackups::finish() const {
    if (writes()) {
        backup_->remove(folder_.opened());
    }
}

void RunBackups::log(spec::LogLevel level, std::string text) {
    observer_.report(spec::LogLine{level, std::move(text)});
}

}  // namespace engine::train
