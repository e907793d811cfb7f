#pragma once

#include <cstdint>
#include <optional>

#include "engine/spec/fields.h"

namespace engine::train {

// The rate of each step: the optimizer's number or schedule, times the scale of a run that goes on with another global batch, until
// somebody sets it (a callback, the user), which holds from then on.
class LearningRate {
public:
    // Throws Error(kInvalidArgument) for a schedule with settings that cannot be, kUnimplemented for an unknown one.
    explicit LearningRate(const spec::ObjectSpec& optimizer);

    // `iteration`: updates done before this step, from 0.
    float at(std::int64_t iteration) const;
    void set(float rate) { set_ = rate; }
    std::optional<float> setByHand() const { return set_; }
    // 1 unless the run goes on with another global batch and its project wants the rates to follow (cluster.scale_learning_rate).
    double scale() const { return scale_; }
    void setScale(double scale) { scale_ = scale; }
    bool hasSchedule() const { return has_schedule_; }

private:
    const spec::ObjectSpec optimizer_;
    const bool has_schedule_;
    const float initial_;
    std::optional<float> set_;
    double scale_ = 1;
};

}  // namespace engine::train
