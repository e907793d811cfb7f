// A model as a table of text: Keras 3's model.summary(), and what a step costs.
#pragma once

#include <cstdint>
#include <string>

#include "engine/spec/project/run_spec.h"

namespace engine::spec {

// The lines that Keras 3 prints, each ending in a newline. `optimizer` is null before the first step: Keras then has not made its
// variables. A layer that does not fit has the shape "?".
std::string modelSummary(const ModelSpec& model, const ObjectSpec* optimizer = nullptr);

// A line for each layer and the totals: multiply-adds of a sample, bytes of weights, bytes of the outputs of a batch; at the end the
// optimizer's variables.
std::string workSummary(const RunSpec& run);

// Numbers that an optimizer keeps beside the trainable parameters, as Keras makes them: two for each for Adam, none for plain SGD.
std::int64_t slotNumbers(const ModelSpec& model, const ObjectSpec& optimizer);

// Bytes of the optimizer's slots for the project's model; 0 where it does not fit.
std::int64_t slotBytes(const RunSpec& run);

// "1.32 MB": by 1024, two decimals, as Keras prints it.
std::string memoryText(std::int64_t bytes);
// "346,176".
std::string countText(std::int64_t count);

}  // namespace engine::spec
