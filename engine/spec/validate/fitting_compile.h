// Compile settings for a model that comes without any: a loss and metrics that go with what its last layer puts out. Pure functions.
#pragma once

#include <string>

#include "engine/spec/project/run_spec.h"

namespace engine::spec {

// The function that the model's output comes from: "sigmoid", "softmax", "linear" for none.
std::string lastActivation(const ModelSpec& model);

// A sigmoid is taken for BinaryCrossentropy; softmax, and several outputs without a function, for SparseCategoricalCrossentropy; all others
// for MeanSquaredError. The usual settings where the model's shapes are not known, or no loss goes with them.
CompileSpec fittingCompile(const ModelSpec& model);

// "Adam, BinaryCrossentropy and the metric accuracy"
std::string compileText(const CompileSpec& compile);

}  // namespace engine::spec
