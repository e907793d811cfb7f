#include "engine/train/learning_rate.h"

#include "engine/spec/project/schedule.h"

namespace engine::train {

LearningRate::LearningRate(const spec::ObjectSpec& optimizer)
    : optimizer_(optimizer),
      has_schedule_(optimizer.config.getObject("learning_rate") != nullptr),
      initial_(static_cast<float>(spec::optimizerRate(optimizer, 0))) {}

float LearningRate::at(std::int64_t iteration) const {
    if (set_) {
        return *set_;
    }
    if (scale_ != 1) {
        return static_cast<float>(spec::optimizerRate(optimizer_, has_schedule_ ? iteration : 0) * scale_);
    }
    return has_schedule_ ? static_cast<float>(spec::optimizerRate(optimizer_, iteration)) : initial_;
}

}  // namespace engine::train
