// Counts the units of ReLU-like layers that give nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/plan/plan.h"
#include "engine/spec/project/run_spec.h"
#include "engine/tensor/batch_view.h"
#include "engine/train/executor_factory.h"

namespace engine::train {

// The model as it predicts, up to its last ReLU-like activation, in a plan and an executor of its own: the weights that are trained are
// read, nothing is changed. ReLU-like are activations that are exactly 0 below a threshold: relu, relu6, and the layer ReLU with a negative
// slope of 0. A unit is an entry of the last axis: a neuron of a dense layer, a filter of a convolution at all its places. Activations
// inside of recurrent layers and of TimeDistributed are left out. Owned by the trainer; one thread.
class DeadUnits {
public:
    // `samples`: of the largest batch. Fewer are looked at where the activations of all ReLU-like layers would take more than
    // kMostValues numbers. Throws Error as plan::lower and the factory.
    DeadUnits(const spec::RunSpec& run, std::int64_t samples, ExecutorFactory make_executor, int threads);
    ~DeadUnits();

    static constexpr std::int64_t kMostValues = std::int64_t{4} << 20;  // 16 MiB of float32

    struct Count {
        std::string layer;
        std::int64_t units = 0, dead = 0;  // dead: 0 for every sample that was looked at, at every place. NaN is not 0
        friend bool operator==(const Count&, const Count&) = default;
    };
    struct Counts {
        std::int64_t samples = 0;   // that were looked at; 0: none, and no layer is counted
        std::vector<Count> layers;  // in the model's order
    };
    // Counts at the weights of `variables`, over the first samples of `batch`.
    Counts at(const backend::Variables& variables, const tensor::BatchView& batch);

private:
    struct Layer {
        std::string name;
        std::int64_t values = 0, units = 0;  // of one sample
    };

    std::vector<Layer> layers_;
    plan::Plan plan_;
    std::int64_t samples_ = 0, values_ = 0;  // that are looked at; of one of them over all layers
    std::unique_ptr<backend::Variables> variables_;
    std::unique_ptr<backend::Executor> executor_;  // null: the model has no such layer, or its activations are too many
    std::vector<float> output_;
};

}  // namespace engine::train
