// What each layer of a trained model makes of one sample.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/data/dataset.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/executor_factory.h"

namespace engine::train {

struct LayerActivation {
    std::string layer, class_name;
    spec::Shape shape;          // without the batch
    std::vector<float> values;  // C order
};

// Layers that compute nothing when a model predicts (dropout, flatten) are left out. One thread.
class ActivationProbe {
public:
    // Throws Error as plan::lower.
    ActivationProbe(const spec::RunSpec& run, ExecutorFactory make_executor, int threads);

    // Reads as exporter::readWeights.
    void loadWeights(const std::filesystem::path& file);

    // The activations of the sample in the order of the model's layers; the last one is what the model predicts. Throws Error as
    // Predictor::predict, and kOutOfRange for a sample that the set does not have.
    std::vector<LayerActivation> look(const std::shared_ptr<const data::Samples>& samples, std::int64_t sample);

private:
    struct Stage {
        LayerActivation activation;
        std::unique_ptr<backend::Executor> executor;  // of the plan up to this layer
    };

    const spec::RunSpec run_;
    plan::Plan plan_;
    backend::Variables variables_;
    std::vector<Stage> stages_;
};

}  // namespace engine::train
