// A model with given weights, for its outputs alone: no labels, no optimizer, no run.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/data/dataset.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/executor_factory.h"

namespace engine::train {

// One thread.
class Predictor {
public:
    // Throws Error as plan::lower.
    Predictor(const spec::RunSpec& run, ExecutorFactory make_executor, int threads);

    // Reads as exporter::readWeights.
    void loadWeights(const std::filesystem::path& file);

    // The output's shape for one sample.
    const spec::Shape& outputShape() const { return output_shape_; }
    // (samples, outputs), in the samples' order; the project's map of the input is applied. Throws Error(kInvalidArgument) for samples of
    // another size than the model's input.
    std::vector<float> predict(const std::shared_ptr<const data::Samples>& samples);

private:
    const spec::RunSpec run_;
    plan::Plan plan_;
    spec::Shape output_shape_;
    backend::Variables variables_;
    std::unique_ptr<backend::Executor> executor_;
};

}  // namespace engine::train
