// Tells where a run stands between two steps: in which epoch, after how many of its steps, with which sums.
#pragma once

#include <cstdint>
#include <string>

#include "engine/plan/plan.h"
#include "engine/train/fit/step_totals.h"

namespace engine::train {

// Owned by the trainer; one thread.
class EpochProgress {
public:
    // `plan` is that of the steps.
    explicit EpochProgress(const plan::Plan& plan) : totals_(plan), step_(plan) {}

    // The run begins with epoch `first`, from 0.
    void begin(std::int32_t first) { epoch_ = first; }
    // The run goes on in `epoch`, after `steps` of its steps, with sumsAsBytes() as they were then. Throws Error(kDataLoss) for sums of
    // another plan.
    void goOn(std::int32_t epoch, std::int64_t steps, const std::string& sums);
    // The same where the sums are not known: those of `epoch` begin with the steps to come.
    void goOn(std::int32_t epoch, std::int64_t steps);
    // How many steps an epoch has.
    void setLength(std::int64_t steps) { length_ = steps; }

    std::int32_t epoch() const { return epoch_; }
    std::int64_t stepsDone() const { return steps_done_; }
    std::int64_t stepsLeft() const { return length_ - steps_done_; }
    std::int64_t length() const { return length_; }

    // The sums of an epoch that has no step yet begin anew.
    void startSums();
    void add(const backend::StepResult& step);
    void nextEpoch();
    // So many steps of the epoch are done, by whomever: of a worker whose steps are counted together with those of others.
    void countSteps(std::int64_t steps) { steps_done_ = steps; }
    // Epochs were passed that others took the steps of: those of `epoch` are done, and the sums stay.
    void goToEpoch(std::int32_t epoch, std::int64_t steps) {
        epoch_ = epoch;
        steps_done_ = steps;
    }

    const StepTotals& totals() const { return totals_; }  // of the epoch
    std::span<double> sums() { return totals_.sums(); }   // for a coordinator, to which workers tell them
    const StepTotals& lastStep() const { return step_; }
    // Doubles as they lie in memory, for a backup.
    std::string sumsAsBytes() const;

private:
    std::int32_t epoch_ = 0;
    std::int64_t steps_done_ = 0;
    std::int64_t length_ = 0;
    StepTotals totals_, step_;
};

}  // namespace engine::train
