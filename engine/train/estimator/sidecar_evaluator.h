// The evaluator of a cluster: evaluates the checkpoints that the chief writes, one after another, while others train. For an estimator it
// goes by eval_spec, for fit() it does what Keras' SidecarEvaluator does: it evaluates each new checkpoint, over what validates.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "engine/spec/events/checkpoint_list.h"
#include "engine/spec/events/task_event.h"
#include "engine/train/callbacks/callback.h"

namespace engine::train::estimator {

// Tells where the checkpoints are; it is asked again and again.
struct CheckpointSource {
    std::function<std::optional<spec::ListedCheckpoint>()> latest;  // nothing before the first
    std::function<bool()> is_over;                                  // no other one follows
    std::function<bool()> is_cancelled;
    std::function<void(std::chrono::milliseconds)> wait;
    // Returns why no other one is to be expected although the run is not over: who writes them is gone. Empty where somebody else sees to
    // that.
    std::function<std::optional<std::string>()> lost{};
};

// What it does with one.
class CheckpointEvaluator {
public:
    virtual ~CheckpointEvaluator() = default;
    // Reads the weights; throws Error(kNotFound) for a file that is gone.
    virtual void restore(const spec::ListedCheckpoint& checkpoint) = 0;
    virtual TrainingContext& context() = 0;
};

struct SidecarOutcome {
    spec::TaskState state = spec::TaskState::kDone;  // kDone, kStopped
    Logs last;                                       // of the last checkpoint; empty without any
    std::string checkpoint;
};

// Ends when the run is over and its last checkpoint is evaluated, or when it is cancelled. The start delay and the throttle of an estimator
// count only while others train. A checkpoint that goes while it is read is passed over. `report` hears for what it waits. When `lost` says
// why, the last checkpoint is evaluated at once, and then it throws distribute::PeerLost with that.
SidecarOutcome followCheckpoints(const spec::RunSpec& run, const CheckpointSource& source, CheckpointEvaluator& evaluator,
                                 const std::function<void(spec::EventBody)>& report);

}  // namespace engine::train::estimator
