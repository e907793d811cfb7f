// The gradients of the batch that was trained on last.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/executor_factory.h"
#include "engine/train/gradient_probe.h"

namespace engine::train {

// Owned by the trainer; one thread. A run that nobody looks at pays for remembering the batch alone.
class LastGradients {
public:
    // `batch`: samples of the largest batch. `run` outlives it.
    LastGradients(const spec::RunSpec& run, std::int64_t batch, ExecutorFactory make_executor, int threads)
        : run_(run), largest_batch_(batch), make_executor_(make_executor), threads_(threads) {}

    // A step was done with them. What `batch` points at lives until the next call.
    void remember(const tensor::BatchView& batch, const backend::StepControl& control);
    // False before the first step with samples.
    bool hasBatch() const { return !batch_.indices.empty(); }
    // The gradients at the weights of `variables`, as GradientProbe::at() gives them. Requires hasBatch(). Throws Error as plan::lower and
    // the factory.
    std::vector<GradientProbe::Gradient> at(const backend::Variables& variables);

private:
    const spec::RunSpec& run_;
    const std::int64_t largest_batch_;
    const ExecutorFactory make_executor_;
    const int threads_;
    tensor::BatchView batch_;
    backend::StepControl control_;
    std::unique_ptr<GradientProbe> probe_;  // made when it is first needed
};

}  // namespace engine::train
