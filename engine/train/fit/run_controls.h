// Decides if a run goes on, pauses or ends: what the user, the other replicas and the callbacks want of it.
//
//             kPause, or the step of kStep is done              kStop, a replica that leaves
//   trains ───────────────────────────────────────▶ paused    ──────────────────────────────▶ Flow::kStop
//      ▲                                               │       kStopNow
//      └───────────────────────────────────────────────┘      ──────────────────────────────▶ Flow::kStopNow
//             kResume, kStep (until its step is done)          from both; nothing leads back
#pragma once

#include <chrono>
#include <functional>

#include "engine/distribute/collective.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/events/task_event.h"
#include "engine/train/control_word.h"
#include "engine/train/observer.h"

namespace engine::train {

enum class Flow { kContinue, kStop, kStopNow };

// Owned by the trainer; one thread. The replicas hear the same controls after the same steps, so all of them stand alike.
class RunControls {
public:
    // `task` and `observer` outlive it.
    RunControls(const spec::TaskPlan& task, TrainingObserver& observer) : task_(task), observer_(observer) {}

    // What this task adds to the next step's header: the chief's word, or a replica's wish to leave. A worker with parameter servers sums
    // with nobody and hears its own word. `wait` as of takeControl().
    ControlWord ask(std::chrono::milliseconds wait);
    // What all of them heard. A checkpoint or a learning rate changes nothing here.
    void hear(const spec::Control& control);
    // While it is paused, nobody computes. The replicas meet in a sum of two floats at least every `poll`: whoever is lost is noticed, and
    // what the chief is told reaches all of them at once. Each control goes to `apply`, which lets it be heard. `collective` is null for a
    // task alone. Throws Error as Collective::allReduceSum().
    void waitWhilePaused(distribute::Collective* collective, std::chrono::milliseconds poll,
                         const std::function<void(const spec::Control&)>& apply);

    // Steps were done: the one that was asked for by kStep is over.
    void stepsDone();
    // A callback ends training: its epoch is closed as always, then no other begins.
    void endByCallback() { ended_by_callback_ = true; }
    bool isEndedByCallback() const { return ended_by_callback_; }

    Flow flow() const { return flow_; }
    bool goesOn() const { return flow_ == Flow::kContinue && !ended_by_callback_; }
    bool isPaused() const { return paused_; }
    // Somebody waits for the very next step.
    bool wantsOneStep() const { return single_step_ || paused_; }

private:
    const spec::TaskPlan& task_;
    TrainingObserver& observer_;
    Flow flow_ = Flow::kContinue;
    bool paused_ = false;
    bool single_step_ = false;
    bool ended_by_callback_ = false;
};

}  // namespace engine::train
