#include "engine/export/keras_names.h"

#include <algorithm>
#include <array>

#include "engine/spec/nested_layers.h"

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

// An optimizer's slots without settings that any may have.
struct OptimizerRow {
    std::string_view class_name, slot, edge;
};
constexpr std::array kOptimizerRows{
    OptimizerRow{"Adam", "m", "_momentums"},
    OptimizerRow{"Adam", "v", "_velocities"},
    OptimizerRow{"AdamW", "m", "_momentums"},
    OptimizerRow{"AdamW", "v", "_velocities"},
    OptimizerRow{"Nadam", "m", "_momentums"},
    OptimizerRow{"Nadam", "v", "_velocities"},
    OptimizerRow{"RMSprop", "v", "_velocities"},
    OptimizerRow{"Adagrad", "accumulator", "_accumulators"},
    OptimizerRow{"Adadelta", "accumulator", "_accumulated_grads"},
    OptimizerRow{"Adadelta", "delta", "_accumulated_delta_vars"},
    OptimizerRow{"Adamax", "m", "_m"},
    OptimizerRow{"Adamax", "u", "_u"},
    OptimizerRow{"Ftrl", "accumulator", "_accumulators"},
    OptimizerRow{"Ftrl", "linear", "_linears"},
};

std::vector<SlotList> ownLists(const spec::ObjectSpec& optimizer) {
    std::vector<SlotList> lists;
    for (const OptimizerRow& row : kOptimizerRows) {
        if (row.class_name == optimizer.class_name) lists.push_back({std::string(row.slot), {std::string(row.edge)}});
    }
    const bool has_momentum = optimizer.config.getDouble("momentum", 0) > 0;
    if (optimizer.class_name == "SGD" && has_momentum) lists.push_back({"momentum", {"momentums"}});
    if (optimizer.class_name == "RMSprop" && has_momentum) lists.push_back({"momentum", {"_momentums"}});
    if (optimizer.class_name == "RMSprop" && optimizer.config.getBool("centered", false)) lists.push_back({"mean", {"_average_gradients"}});
    if (optimizer.class_name.starts_with("Adam") && optimizer.config.getBool("amsgrad", false))
        lists.push_back({"vhat", {"_velocity_hats"}});
    if (optimizer.class_name == "Lion") lists.push_back({"m", {"_momentums", "momentums"}});
    return lists;
}

}  // namespace

VariableEdges variableEdges(const spec::LayerSpec& layer, std::string_view variable) {
    const std::size_t slash = variable.find('/');
    for (const spec::LayerSpec& inner : spec::nestedLayers(layer)) {
        const std::string_view role = std::string_view(inner.name).substr(layer.name.size() + 1);
        if (slash != std::string_view::npos && role == variable.substr(0, slash)) {
            VariableEdges edges = variableEdges(inner, variable.substr(slash + 1));
            edges.path = std::string(role) + "/" + edges.path;
            edges.trainable = edges.trainable && inner.config.getBool("trainable", true);
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
    if (optimizer.config.getBool("use_ema", false)) {
        lists.push_back({"average", {"_model_variables_moving_average"}, true});
    }
    if (optimizer.config.getInt("gradient_accumulation_steps", 1) > 1) {
        lists.push_back({"accumulated_gradient", {"_accumulated_gradients"}, true});
    }
    for (SlotList& list : ownLists(optimizer)) {
        lists.push_back(std::move(list));
    }
    return lists;
}

}  // namespace engine::exporter
