// How many steps a run has done, and how many of them changed the weights: with a loss scale, a step whose gradients are not finite is left
// out, and Keras' schedules do not count it.
#pragma once

#include <cstdint>

#include "engine/backend/executor.h"
#include "engine/train/learning_rate.h"

namespace engine::train {

// Owned by the trainer; one thread. How many steps were left out is known as of the last look at the variables.
class StepCount {
public:
    // `rate` outlives it.
    explicit StepCount(const LearningRate& rate) : rate_(rate) {}

    std::int64_t done() const { return done_; }
    // Keras' count of a LossScaleOptimizer.
    std::int64_t applied() const { return done_ - left_out_; }
    // The rate of the step that comes after `done` others.
    float rateAfter(std::int64_t done) const { return rate_.at(done - left_out_); }

    void addOne() { ++done_; }
    // A run goes on after so many steps; none of them counts as left out until lookAt().
    void goOnAfter(std::int64_t done);
    // `variables` are as the last step left them.
    void lookAt(const backend::Variables& variables);

    // A schedule goes by the steps that were applied, so lookAt() has to come before each step, or before several where no step was left
    // out lately.
    bool hasToBeFollowed() const { return followed_; }
    bool hasToBeFollowedClosely() const;

private:
    const LearningRate& rate_;
    std::int64_t done_ = 0;
    std::int64_t left_out_ = 0;       // of done_
    std::int64_t last_left_out_ = 0;  // done_ when one was seen
    bool followed_ = false;           // there is a schedule and a loss scale
};

}  // namespace engine::train
