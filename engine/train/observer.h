// What a trainer tells and asks while it runs: the task runner stands behind it, a fake in tests.
#pragma once

#include <chrono>
#include <optional>

#include "engine/spec/events/task_event.h"

namespace engine::train {

class TrainingObserver {
public:
    virtual ~TrainingObserver() = default;

    // Called from the training thread and from the trainer's reporter thread: must be safe from both. RunStarted, EpochEnd and
    // ControlApplied come from every replica and say the same; WeightReport from the chief alone, LayerReport from one task; the rest is of
    // this one (points of steps hold values of all).
    virtual void report(spec::EventBody body) = 0;

    // The user's next wish; called from the training thread. With wait = 0 it is called in every step and must cost nothing when there is
    // none; otherwise it may wait that long. The chief takes any verb; the other replicas look at kStop and kStopNow only.
    virtual std::optional<spec::Control> takeControl(std::chrono::milliseconds wait) = 0;

    // Called from the training thread: waits, for some seconds at most, until what was reported so far is kept for good. False when it is
    // not: a state that counts on it must not be written.
    virtual bool confirmKept() { return true; }
};

}  // namespace engine::train
