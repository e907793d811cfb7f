#include "engine/train/fit/checkpoints.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/export/keras_file.h"
#include "engine/export/tf_checkpoint.h"
#include "engine/spec/error.h"

namespace engine::train {
namespace {

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

}  // namespace

void Checkpoints::write(const std::filesystem::path& prefix, const backend::Variables& variables, const Moment& moment) {
    const auto begin = std::chrono::steady_clock::now();
    exporter::CheckpointContents contents;
    contents.model = &run_.model;
    contents.optimizer = run_.compile.optimizer;
    for (const backend::Variables::Entry& entry : variables.entries()) {
        contents.variables.push_back({entry.name, entry.shape, entry.values});
    }
    contents.iterations = moment.applied_steps;
    contents.learning_rate = moment.learning_rate;
    contents.save_counter = count_ + 1;
    std::int64_t bytes = 0;
    std::vector<std::string> prefixes = prefixes_, removed;
    std::erase(prefixes, prefix.string());
    prefixes.push_back(prefix.string());
    try {
        const files::Place place = folder_.placeOf(prefix);
        place.parent().makeFolder();
        if (exporter::isKerasFileName(prefix)) {
            bytes = exporter::writeKerasFile(place, contents, run_.compile);
            prefixes = prefixes_;  // the folder's file `checkpoint` names TensorFlow's alone
        } else {
            bytes = exporter::writeTfCheckpoint(place, contents);
            written_[prefix.string()] = nowSeconds();
            removed = removeOldest(prefixes);
            exporter::writeCheckpointState(place.parent(), stateOf(prefixes));
        }
    } catch (const Error& error) {
        failure_ = {prefix, error.what()};
        observer_.report(spec::LogLine{spec::LogLevel::kError, "the checkpoint " + folder_.relative(prefix) + " could not be written: " +
                                                                   error.what() + "; earlier checkpoints are unchanged"});
        return;
    }
    ++count_;
    failure_.reset();
    prefixes_ = std::move(prefixes);
    last_ = folder_.relative(prefix);
    last_step_ = moment.step;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    observer_.report(spec::CheckpointSaved{last_, moment.epoch, moment.step, bytes, seconds.count(), moment.best, std::move(removed)});
}

double Checkpoints::nowSeconds() const {
    return std::chrono::duration<double>(now_().time_since_epoch()).count();
}

// The state of these prefixes; it has times where somebody counts by them.
exporter::CheckpointState Checkpoints::stateOf(const std::vector<std::string>& prefixes) const {
    exporter::CheckpointState state{.prefixes = prefixes};
    if (most_ == 0) return state;
    for (const std::string& prefix : prefixes) state.timestamps.push_back(writtenAt(prefix));
    state.last_preserved = last_preserved_;
    return state;
}

// One whose time nobody knows counts as no younger than the last that stays.
double Checkpoints::writtenAt(const std::string& prefix) const {
    const auto written = written_.find(prefix);
    return written == written_.end() ? last_preserved_.value_or(0) : written->second;
}

void Checkpoints::keep(std::int64_t most, double one_in_hours) {
    if (!last_preserved_) last_preserved_ = nowSeconds();
    most_ = most;
    one_in_ = std::chrono::hours(1) * one_in_hours;
}

// Takes those that go out of `prefixes`, oldest first, and answers them relative to the run's folder. What stays by its age is out of
// the list, too: nobody counts it any more.
std::vector<std::string> Checkpoints::removeOldest(std::vector<std::string>& prefixes) {
    std::vector<std::string> removed;
    while (most_ > 0 && prefixes.size() > static_cast<std::size_t>(most_)) {
        const std::string oldest = prefixes.front();
        prefixes.erase(prefixes.begin());
        const double at = writtenAt(oldest);
        if (at - last_preserved_.value_or(0) >= one_in_.count()) {
            last_preserved_ = at;
            continue;
        }
        const std::string name = folder_.relative(oldest);
        for (const char* ending : {".index", ".data-00000-of-00001"}) {
            folder_.opened().remove(name + ending);
        }
        written_.erase(oldest);
        removed.push_back(name);
    }
    return removed;
}

void Checkpoints::save(exporter::SavedObject& state) const {
    state.set("save_counter", count_);
    state.set("last_saved", last_);
    state.set("last_saved_step", last_step_);
    std::vector<std::string> prefixes;
    for (const std::string& prefix : prefixes_) {
        prefixes.push_back(folder_.relative(prefix));
    }
    state.set("saved_prefixes", joinLines(prefixes));
}

void Checkpoints::restore(const exporter::SavedObject& state) {
    count_ = state.get<std::int64_t>("save_counter", 0);
    last_ = state.get<std::string>("last_saved", "");
    last_step_ = state.get<std::int64_t>("last_saved_step", -1);
    prefixes_.clear();
    for (const std::string& prefix : splitLines(state.get<std::string>("saved_prefixes", ""))) {
        prefixes_.push_back((folder_.path() / prefix).string());
    }
    restoreTimes();
}

// A clock that was set back meanwhile makes nothing younger than now: what should stay would go.
void Checkpoints::restoreTimes() {
    written_.clear();
    last_preserved_.reset();
    if (prefixes_.empty()) return;
    try {
        const auto state = exporter::readCheckpointState(folder_.placeOf(prefixes_.back()).parent());
        if (!state) return;
        const double now = nowSeconds();
        for (std::size_t i = 0; i < state->timestamps.size(); ++i) written_[state->prefixes[i]] = std::min(state->timestamps[i], now);
        if (state->last_preserved) last_preserved_ = std::min(*state->last_preserved, now);
    } catch (const Error& error) {
        observer_.report(
            spec::LogLine{spec::LogLevel::kWarning, std::string("when checkpoints were written is not known: ") + error.what()});
    }
}

}  // namespace engine::train
