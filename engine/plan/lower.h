// Lowers a model to a plan: each layer contributes its forward and backward ops (engine/plan/layers), then loss and optimizer theirs.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/plan/plan.h"
#include "engine/spec/project/run_spec.h"

namespace engine::plan {

struct LowerOptions {
    std::int64_t batch = 64;  // samples of this replica
    int replicas = 1;
    bool training = true;                // false: forward only, dropout is the identity
    std::vector<float> class_weights{};  // training: by class, see GatherAttributes; empty: samples count alike
    bool input_gradient = false;         // also the gradient of the input, as the activation "input:grad": for gradient checks
};

// The whole step, unfused, without collectives, devices or memory. Throws Error: kInvalidArgument for a wrong model (the first mistake, as
// validate() words it), kUnimplemented for a loss, optimizer or setting that no executor has.
Plan lower(const spec::ModelSpec& model, const spec::CompileSpec& compile, const LowerOptions& options);

// The layers alone: no gather, loss or optimizer. The input tensor is filled by the caller; when training, so is the gradient of the
// output, "output:grad".
Plan lowerLayers(const spec::ModelSpec& model, const LowerOptions& options);

}  // namespace engine::plan
