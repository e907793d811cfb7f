#include "engine/export/keras_names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/optimizer_table.h"

namespace engine::exporter {
namespace {

struct Row {
    std::string_view layer_class, variable, path, keras3_name;
};

// The variables whose path or name in Keras 3 differs from the variable's own.
constexpr std::array kRows{
    Row{"Conv1D", "kernel", "kernel", "_kernel"},
    Row{"Conv2D", "kernel", "kernel", "_kernel"},
    Row{"Conv3D", "kernel", "kernel", "_kernel"},
    Row{"Dense", "kernel", "kernel", "_kernel"},
    Row{"DepthwiseConv1D", "depthwise_kernel", "depthwise_kernel", "kernel"},
    Row{"DepthwiseConv2D", "depthwise_kernel", "depthwise_kernel", "kernel"},
    Row{"EinsumDense", "kernel", "kernel", "_kernel"},
    Row{"Embedding", "embeddings", "embeddings", "_embeddings"},
    Row{"ReversibleEmbedding", "embeddings", "embeddings", "_embeddings"},
    Row{"Normalization", "mean", "adapt_mean", ""},
    Row{"Normalization", "variance", "adapt_variance", ""},
};
constexpr std::array<std::string_view, 6> kRecurrent{"SimpleRNN", "LSTM", "GRU", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D"};
constexpr std::string_view kCount = "count";  // of samples, a whole number in Keras' files
constexpr std::array<std::string_view, 10> kNotTrainable{"moving_mean", "moving_variance", "mean",   "variance", "vector_u",
                                                         kCount,        "boundaries",      "values", "places",   "idf_weights"};

// From a layer to the number-th within it: its role, but for layers in lists the attribute that exported code gives each, for cells their
// place in Keras' stack, and for those that the class has of itself Keras' attribute.
std::string edgeTo(const spec::LayerSpec& layer, std::size_t number, std::string_view role) {
    if (layer.class_name == "RNN") return spec::isStack(layer) ? "cell/cells/" + std::to_string(number) : "cell";
    if (!spec::chainFields(layer.class_name).empty()) return "stage_" + std::to_string(number);
    return spec::isWrapper(layer) ? std::string(role) : "_" + productName(role);
}

// `slot` as the object graph has it.
SlotList listOf(const spec::OptimizerSlot& slot, bool of_any_optimizer) {
    SlotList list{.slot = std::string(slot.name), .edges = {std::string(slot.list)}, .of_any_optimizer = of_any_optimizer};
    if (!slot.older_list.empty()) list.edges.emplace_back(slot.older_list);
    return list;
}

}  // namespace

std::string productName(std::string_view role) {
    return (role == "attention_output" ? "output" : std::string(role)) + "_dense";
}

bool isWholeNumber(std::string_view variable) {
    return variable.ends_with(kCount) && variable.size() > kCount.size() && variable[variable.size() - kCount.size() - 1] == '/';
}

VariableEdges variableEdges(const spec::LayerSpec& layer, std::string_view variable) {
    const std::vector<spec::LayerSpec> nested = spec::nestedLayers(layer);
    for (std::size_t i = 0; i < nested.size(); ++i) {
        const spec::LayerSpec& inner = nested[i];
        const std::string_view role = std::string_view(inner.name).substr(layer.name.size() + 1);
        if (variable.size() > role.size() && variable.starts_with(role) && variable[role.size()] == '/') {
            VariableEdges edges = variableEdges(inner, variable.substr(role.size() + 1));
            edges.path = edgeTo(layer, i, role) + "/" + edges.path;
            edges.trainable = edges.trainable && spec::isTrainable(inner);
            return edges;
        }
    }
    const std::string_view layer_class = layer.class_name;
    VariableEdges edges{.path = std::string(variable), .keras3_name = {}};
    edges.trainable = std::find(kNotTrainable.begin(), kNotTrainable.end(), variable) == kNotTrainable.end();
    if (std::find(kRecurrent.begin(), kRecurrent.end(), layer_class) != kRecurrent.end()) {
        edges.path = "cell/" + edges.path;
    }
    for (const Row& row : kRows) {
        if (row.layer_class == layer_class && row.variable == variable) {
            edges.path = row.path;
            edges.keras3_name = row.keras3_name;
        }
    }
    return edges;
}

std::vector<SlotList> slotLists(const spec::ObjectSpec& optimizer) {
    std::vector<SlotList> lists;
    for (const spec::OptimizerSlot& slot : spec::commonSlots(optimizer)) lists.push_back(listOf(slot, true));
    for (const spec::OptimizerSlot& slot : spec::ownSlots(optimizer)) lists.push_back(listOf(slot, false));
    return lists;
}

std::vector<SlotList> allSlotLists() {
    std::vector<SlotList> lists;
    const auto add = [&lists](SlotList list) {
        if (std::find(lists.begin(), lists.end(), list) == lists.end()) lists.push_back(std::move(list));
    };
    for (const spec::OptimizerSlot& slot : spec::commonSlots()) add(listOf(slot, true));
    for (const spec::OptimizerRow& row : spec::optimizerTable()) {
        for (const spec::OptimizerSlot& slot : row.slots) add(listOf(slot, false));
    }
    return lists;
}

}  // namespace engine::exporter
