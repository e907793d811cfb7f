// A model as a table of text: Keras 3's model.summary(), and what a step costs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/spec/project/run_spec.h"

namespace engine::spec {

// The lines that Keras 3 prints, each ending in a newline. `optimizer` is null before the first step: Keras then has not made its
// variables. A layer that does not fit has the shape "?".
std::string modelSummary(const ModelSpec& model, const ObjectSpec* optimizer = nullptr);

// What a layer costs, or all of them. Nothing is known of a layer that does not fit.
struct WorkRow {
    std::string layer;  // its name; empty: all layers
    bool known = false;
    std::int64_t multiply_adds = 0;  // of a sample
    std::int64_t weight_bytes = 0;
    std::int64_t output_bytes = 0;  // of a batch
};

// What a step of the project costs.
struct WorkTable {
    std::vector<WorkRow> layers;
    WorkRow total;           // of the layers that fit
    std::int64_t batch = 0;  // samples of a replica
    std::string optimizer;   // its class
    std::int64_t slot_bytes = 0;
};
WorkTable workOf(const RunSpec& run);

// workOf() as lines of English: one for each layer and the totals, at the end the optimizer's variables.
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
