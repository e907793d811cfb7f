#include "engine/train/fit/last_gradients.h"

#include "engine/spec/error.h"

namespace engine::train {

void LastGradients::remember(const tensor::BatchView& batch, const backend::StepControl& control) {
    batch_ = batch;
    control_ = control;
}

std::vector<GradientProbe::Gradient> LastGradients::at(const backend::Variables& variables) {
    ENGINE_CHECK(hasBatch());
    if (probe_ == nullptr) {
        probe_ = std::make_unique<GradientProbe>(run_, largest_batch_, make_executor_, threads_);
    }
    return probe_->at(variables, batch_, control_);
}

}  // namespace engine::train
