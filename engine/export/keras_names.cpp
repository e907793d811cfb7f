#include "engine/export/keras_names.h"

#include <algorithm>
#include <array>

namespace engine::exporter {
namespace {

struct Row {
    std::string_view layer_class, variable, path, keras3_name;
};

// Only where path or Keras 3's name differs from the variable's own.
constexpr std::array kRows{
    Row{"Conv1D", "kernel", "kernel", "_kernel"},
    Row{"Conv2D", "kernel", "kernel", "_kernel"},
    Row{"Conv3D", "kernel", "kernel", "_kernel"},
    Row{"Dense", "kernel", "kernel", "_kernel"},
    Row{"DepthwiseConv1D", "depthwise_kernel", "depthwise_kernel", "kernel"},
    Row{"DepthwiseConv2D", "depthwise_kernel", "depthwise_kernel", "kernel"},
    Row{"Embedding", "embeddings", "embeddings", "_embeddings"},
};
constexpr std::array<std::string_view, 3> kRecurrent{"SimpleRNN", "LSTM", "GRU"};
constexpr std::array<std::string_view, 2> kNotTrainable{"moving_mean", "moving_variance"};

}  // namespace

VariableEdges variableEdges(std::string_view layer_class, std::string_view variable) {
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
    if (optimizer.class_name == "SGD") {
        if (optimizer.config.getDouble("momentum", 0) == 0) {
            return {};
        }
        return {{"momentum", {"momentums"}}};
    }
    if (optimizer.class_name == "Adam" || optimizer.class_name == "AdamW") {
        std::vector<SlotList> lists{{"m", {"_momentums"}}, {"v", {"_velocities"}}};
        if (optimizer.config.getBool("amsgrad", false)) {
            lists.push_back({"vhat", {"_velocity_hats"}});
        }
        return lists;
    }
    return {};
}

}  // namespace engine::exporter
