// The gradients of one batch, for those who want to look at them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/executor_factory.h"

namespace engine::train {

// Executors keep no gradients: the update is often part of the op that makes them. So a plan of its own does one step of momentum, which
// begins with empty slots and leaves -1 * gradient in them, on a copy of the weights: the run itself is not touched. Gradients are of this
// replica's batch alone, as they are before clipping. Owned by the trainer, made when first asked for.
class GradientProbe {
public:
    // `batch`: samples of the largest batch.
    GradientProbe(const spec::RunSpec& run, std::int64_t batch, ExecutorFactory make_executor, int threads);
    ~GradientProbe();

    struct Gradient {
        std::string name;  // of the weight
        std::span<const float> values;
    };
    // The gradients at the weights of `variables`, in their order; valid until the next call. `control` is the step's: dropout then drops
    // the same.
    std::vector<Gradient> at(const backend::Variables& variables, const tensor::BatchView& batch, const backend::StepControl& control);

private:
    std::unique_ptr<plan::Plan> plan_;
    std::unique_ptr<backend::Variables> variables_;
    std::unique_ptr<backend::Executor> executor_;
};

}  // namespace engine::train
