// Training with parameter servers: the steps of all workers count, and a coordinator looks at those of its own.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>

#include "engine/train/trainer.h"

namespace engine::train {
namespace {

using Clock = std::chrono::steady_clock;

// How often a coordinated worker tells what its epoch adds up to, and its coordinator asks for it.
constexpr std::chrono::milliseconds kSumsEvery{200};

}  // namespace

// A coordinator trains nothing: it looks where the workers are, and does what is due between steps.
void Trainer::watchEpoch(std::int32_t epoch) {
    constexpr std::chrono::milliseconds kLook{10};
    ServedExecutor& served = *executors_.served();
    served.openEpoch(epoch);
    followOthers(epoch);
    while (progress_.stepsLeft() > 0 && controls_.goesOn()) {
        const std::int64_t before = steps_.done();
        const ControlWord word = controls_.ask(std::chrono::milliseconds(0));
        if (const auto asked = decodeControl({word.verb, word.value})) {
            apply(*asked);
        }
        served.watch(kLook);
        followOthers(epoch);
        if (steps_.done() != before) {
            clock_.stepDone(nowUnixNs());
            warmUp(epoch);
            if (Clock::now() >= tells_epoch_at_) {
                tells_epoch_at_ = Clock::now() + kSumsEvery;
                served.collectEpoch(epoch, progress_.sums());
                tellCollected(epoch);
            }
            // Callbacks that count steps count those of all workers.
            for (std::int64_t step = before + 1; step <= steps_.done(); ++step) {
                callbacks_.stepEnd(*this, epoch, std::max<std::int64_t>(0, progress_.stepsDone() - 1 - (steps_.done() - step)));
            }
            backUpIfDue(epoch, before);
            controls_.stepsDone();
        }
        if (controls_.isPaused()) {
            pauseUntilTold();
        }
    }
}

// The epoch's loss and metrics, from all workers that have told them. One that is lost is not waited for long, and none where the
// coordinator itself ends training in the middle of an epoch.
void Trainer::collectEpoch(std::int32_t epoch) {
    constexpr std::chrono::seconds kLongest{10};
    constexpr std::chrono::milliseconds kLook{10};
    ServedExecutor& served = *executors_.served();
    const auto deadline = Clock::now() + kLongest;
    while (served.collectEpoch(epoch, progress_.sums()) < task_.coordinated_workers && progress_.stepsLeft() <= 0 &&
           Clock::now() < deadline) {
        std::this_thread::sleep_for(kLook);
    }
    tellCollected(epoch);
}

// The curve of a coordinator: the means of the epoch so far, over the steps of all workers, as Keras' progress bar has them.
void Trainer::tellCollected(std::int32_t epoch) {
    const StepTotals& totals = progress_.totals();
    if (totals.samples() == 0) {
        return;
    }
    StepPoint point;
    point.step = steps_.done();
    point.epoch = epoch;
    point.time_unix_ns = nowUnixNs();
    point.loss = static_cast<float>(totals.loss());
    for (std::size_t i = 0; i < totals.metrics(); ++i) {
        point.metrics[i] = static_cast<float>(totals.metric(i));
    }
    point.learning_rate = learningRate();
    reporter_->push(point);
}

// A coordinator to which no worker has told anything yet has nothing to say, nor has a worker of an epoch whose steps were all others'.
Logs Trainer::runningLogs() const {
    const bool knows_none = task_.servers > 0 && progress_.totals().samples() == 0;
    return knows_none ? Logs() : progress_.totals().logs();
}

void Trainer::tellEpoch(std::int32_t epoch, bool is_whole) {
    if (task_.coordinated_workers == 0 || (!is_whole && Clock::now() < tells_epoch_at_)) {
        return;
    }
    tells_epoch_at_ = Clock::now() + kSumsEvery;
    executors_.served()->tellEpoch(epoch, progress_.totals().sums(), is_whole);
}

// A coordinated worker begins no epoch before its coordinator does.
void Trainer::awaitEpoch(std::int32_t epoch) {
    if (task_.coordinated_workers == 0) {
        return;
    }
    executors_.served()->waitForEpoch(epoch);
    takeToldRate();
}

// Called after a step. Where servers were restored while it waited, a coordinated worker has taken the lost steps of the epoch before
// again: then it waits once more.
void Trainer::awaitEpochAfter(std::int32_t epoch, std::int64_t steps_before) {
    if (task_.coordinated_workers == 0 || !controls_.goesOn()) {
        return;
    }
    const std::int64_t first = firstStepOf(epoch);
    if (steps_before >= first || steps_.done() < first) {
        return;
    }
    awaitEpoch(epoch);
    followOthers(epoch);
}

// A worker follows the callbacks of its coordinator.
void Trainer::takeToldRate() {
    if (const auto rate = executors_.served()->takeToldRate()) {
        rate_.set(*rate);
    }
}

void Trainer::setLearningRate(float rate) {
    rate_.set(rate);
    if (coordinates(task_) && executors_.served() != nullptr) {
        executors_.served()->tellLearningRate(rate);
    }
}

// A worker with parameter servers takes up where the others are.
void Trainer::beginServed() {
    ServedExecutor* served = executors_.served();
    if (served == nullptr) {
        return;
    }
    served->begin(steps_.done(), ownOrigin());
    if (served->globalStep() != steps_.done()) {
        executors_.sync();
    }
    steps_.goOnAfter(served->globalStep());
    const parameter_server::EpochOrigin& origin = served->origin();
    const std::int64_t behind = std::max<std::int64_t>(0, steps_.done() - origin.step);
    const std::int64_t epoch = std::min(origin.epoch + behind / progress_.length(), std::max(origin.epoch, run_.fit.epochs));
    progress_.begin(static_cast<std::int32_t>(epoch));
    progress_.countSteps(std::max<std::int64_t>(0, steps_.done() - firstStepOf(epoch)));
    if (run_.fit.initial_weights.empty() && !backups_.hasResumed()) {
        batches_.goOnAfter(steps_.done() - origin.step);  // as without servers: initial_epoch passes over epochs, not over samples
    }
}

// Where the epochs of this run begin, in the eyes of a chief whose servers have no values yet. A backup of a run with servers says it:
// behind an epoch's end its place alone does not tell how many steps of the next one others have taken.
parameter_server::EpochOrigin Trainer::ownOrigin() const {
    if (run_.estimator || run_.fit.steps > 0) {
        return {};  // one epoch of all steps
    }
    return saved_origin_.value_or(parameter_server::EpochOrigin{.epoch = progress_.epoch(), .step = steps_.done() - progress_.stepsDone()});
}

std::int64_t Trainer::firstStepOf(std::int64_t epoch) const {
    const parameter_server::EpochOrigin& origin = executors_.served()->origin();
    return origin.step + (epoch - origin.epoch) * progress_.length();
}

// A worker has what the servers hold before it counts an epoch as done: where one of them was lost just then and restored, there are steps
// to take again.
bool Trainer::lostSteps(std::int32_t epoch) {
    ServedExecutor* served = executors_.served();
    if (served == nullptr || !controls_.goesOn()) {
        return false;
    }
    if (task_.coordinated_workers > 0 && !task_.is_chief && epoch + 1 >= run_.fit.epochs) {
        // Its coordinator trains nothing itself: were the last steps lost before that holds them, there would be nobody to take them again.
        served->waitForEnd(run_.fit.epochs);
    }
    executors_.sync();
    if (served->globalStep() >= steps_.done()) {
        return false;
    }
    steps_.goOnAfter(served->globalStep());
    progress_.countSteps(std::max<std::int64_t>(0, steps_.done() - firstStepOf(epoch)));
    return progress_.stepsLeft() > 0;
}

// Called when no step is left to take: what the servers hold now is what the run comes to, whatever becomes of them. lostSteps(), or
// beginServed() where there was none to take, has just asked for it, but not where the run ends early.
void Trainer::holdLast() {
    ServedExecutor* served = executors_.served();
    if (served == nullptr || served->holds()) {
        return;
    }
    if (!controls_.goesOn()) {
        executors_.sync();
    }
    served->hold(std::min(steps_.done(), served->globalStep()));
    if (coordinates(task_) && controls_.goesOn()) {
        served->openEpoch(run_.fit.epochs);  // its workers may end
    }
}

// Called after a step, and at the beginning of an epoch: the steps of the others count, too.
void Trainer::followOthers(std::int32_t epoch) {
    const ServedExecutor* served = executors_.served();
    if (served == nullptr) {
        return;
    }
    steps_.goOnAfter(served->globalStep());
    progress_.countSteps(std::max<std::int64_t>(0, steps_.done() - firstStepOf(epoch)));
    if (served->isOver() && !task_.is_chief) {  // to the chief it says no more than its own count of steps does
        controls_.endByCallback();
    }
}

// Others may have taken all steps of the run while this worker validated. The epochs that are left have ended by then, at the same weights,
// which callbacks must not take for training that leads nowhere: the last one stands for all of them.
void Trainer::passEpochsOfOthers() {
    const std::int64_t last = run_.fit.epochs - 1;
    if (executors_.served() == nullptr || task_.coordinated_workers > 0 || !controls_.goesOn() ||
        steps_.done() < firstStepOf(run_.fit.epochs)) {
        return;
    }
    progress_.goToEpoch(static_cast<std::int32_t>(last), steps_.done() - firstStepOf(last));
}

}  // namespace engine::train
