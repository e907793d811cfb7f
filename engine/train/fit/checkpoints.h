// The checkpoints of a run: writes them, knows which ones there are, and what could not be written.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/export/saved_object.h"
#include "engine/export/tf_checkpoint.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/fit/run_folder.h"
#include "engine/train/observer.h"

namespace engine::train {

// Owned by the trainer of the chief, from its thread. A checkpoint that cannot be written (disk full) ends nothing: it is reported as an
// error, earlier ones stay whole, and it is the failure() until another is written.
class Checkpoints {
public:
    // The time of day: what is kept by its age is so over restarts, too.
    using WallClock = std::function<std::chrono::system_clock::time_point()>;

    // All three references outlive it.
    Checkpoints(const spec::RunSpec& run, const RunFolder& folder, TrainingObserver& observer,
                WallClock now = &std::chrono::system_clock::now)
        : run_(run), folder_(folder), observer_(observer), now_(std::move(now)) {}

    // The moment at which a checkpoint is written.
    struct Moment {
        std::int32_t epoch = 0;          // from 0
        std::int64_t step = 0;           // steps done
        std::int64_t applied_steps = 0;  // those that changed weights: the optimizer's count
        float learning_rate = 0;
        bool best = false;
    };
    // `prefix` is absolute, below the run's folder: a Keras file by its ending, else the beginning of TensorFlow's file names.
    void write(const std::filesystem::path& prefix, const backend::Variables& variables, const Moment& moment);

    // From the next checkpoint on, the oldest of TensorFlow's go when there are more than `most`; one in so many hours stays. 0 = none
    // goes. When each was written, and the last one that stays, is in the folder's file `checkpoint`, as TensorFlow's CheckpointManager has
    // it there.
    void keep(std::int64_t most, double one_in_hours);

    // Relative to the run's folder; empty before the first.
    const std::string& last() const { return last_; }
    bool isSavedAt(std::int64_t step) const { return last_step_ == step; }

    struct Failure {
        std::filesystem::path prefix;  // absolute
        std::string reason;
    };
    // The failure of the last attempt; nullopt when that went well.
    const std::optional<Failure>& failure() const { return failure_; }

    // What a run that goes on has to know of them. restore() takes the times from the folder's file `checkpoint`.
    void save(exporter::SavedObject& state) const;
    void restore(const exporter::SavedObject& state);

private:
    const spec::RunSpec& run_;
    const RunFolder& folder_;
    TrainingObserver& observer_;

    double nowSeconds() const;
    std::vector<std::string> removeOldest(std::vector<std::string>& prefixes);
    double writtenAt(const std::string& prefix) const;  // seconds since 1970
    exporter::CheckpointState stateOf(const std::vector<std::string>& prefixes) const;
    void restoreTimes();

    const WallClock now_;

    std::vector<std::string> prefixes_;  // absolute, in the order of their writing; TensorFlow's alone
    std::int64_t most_ = 0;              // of prefixes_; 0 = all
    std::chrono::duration<double> one_in_{};
    std::map<std::string, double> written_;  // by prefix: seconds since 1970
    std::optional<double> last_preserved_;   // the same, of the last one that stays; before the first, when counting began
    std::optional<Failure> failure_;
    std::string last_;
    std::int64_t last_step_ = -1;
    std::int64_t count_ = 0;  // Keras' save_counter
};

}  // namespace engine::train
