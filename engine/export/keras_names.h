// What Keras 2 and Keras 3 call a layer's variables and an optimizer's state inside a checkpoint's object graph.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/fields.h"
#include "engine/spec/model_spec.h"

namespace engine::exporter {

struct VariableEdges {
    std::string path;         // Keras 2's edges from the layer, joined by "/": "kernel", "cell/recurrent_kernel"
    std::string keras3_name;  // Keras 3's name of the last edge where it differs, else empty
    bool trainable = true;
};

// A variable's edges by its layer and its name within it ("kernel", "forward_layer/kernel" of a layer inside). A class without a row of its
// own uses the name itself.
VariableEdges variableEdges(const spec::LayerSpec& layer, std::string_view variable);

// What Keras calls the product of that role in a MultiHeadAttention: "query_dense"; "output_dense" of "attention_output".
std::string productName(std::string_view role);
// True for a variable, by its whole name ("normalization/count"), that Keras' files keep as one whole number of 64 bits.
bool isWholeNumber(std::string_view variable);

struct SlotList {
    std::string slot;                // ours: "m"
    std::vector<std::string> edges;  // from the optimizer to the list; the first one names the keys
    bool of_any_optimizer = false;   // moving averages, accumulated gradients: before the optimizer's own
    friend bool operator==(const SlotList&, const SlotList&) = default;
};

// Lists that an optimizer keeps one entry per trainable variable in, in Keras' order. Empty for SGD without momentum.
std::vector<SlotList> slotLists(const spec::ObjectSpec& optimizer);
// Every list of every optimizer, once each.
std::vector<SlotList> allSlotLists();

}  // namespace engine::exporter
