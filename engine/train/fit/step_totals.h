// What the headers of steps add up to, over an epoch or an evaluation: the sums behind the loss and the metrics.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/plan/plan.h"
#include "engine/train/callbacks/python_text.h"

namespace engine::train {

// A value. Sums are doubles, so that a long epoch loses nothing.
class StepTotals {
public:
    // The totals of no step yet. `plan` is the one that the steps run, and may go afterwards.
    explicit StepTotals(const plan::Plan& plan);

    void clear();
    void add(const backend::StepResult& step);
    // Sets the totals to those of this step alone.
    void set(const backend::StepResult& step);

    double samples() const;
    // The mean over the samples; 0 without any.
    double loss() const;
    std::size_t metrics() const { return metrics_.size(); }
    double metric(std::size_t index) const;  // in the plan's order
    // The value of the first metric that is an accuracy; NaN without.
    double accuracy() const;
    // "loss" and every metric, sorted by name, as Keras does.
    Logs logs() const;

    // The sums, for code that adds those of all replicas or keeps them for another start. There are as many as the plan's header has
    // elements.
    std::span<double> sums() { return sums_; }
    std::span<const double> sums() const { return sums_; }

private:
    std::vector<double> sums_;
    std::vector<plan::NamedMetric> metrics_;
};

}  // namespace engine::train
