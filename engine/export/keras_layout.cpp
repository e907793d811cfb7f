#include "engine/export/keras_layout.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "engine/spec/catalog/keras_path.h"
#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/optimizer_table.h"
#include "engine/spec/error.h"

namespace engine::exporter {
namespace {

constexpr std::array<std::string_view, 3> kRecurrent{"SimpleRNN", "LSTM", "GRU"};

bool isRecurrent(const spec::LayerSpec& layer) {
    return std::find(kRecurrent.begin(), kRecurrent.end(), layer.class_name) != kRecurrent.end();
}

// The objects that a layer consists of, by their paths from the model's layer `top`, each before what it holds: "" (the layer itself),
// "cell", "forward_layer", "forward_layer/cell", "layers/conv2d".
void addObjects(const spec::LayerSpec& layer, const spec::LayerSpec& top, std::vector<std::string>& paths) {
    const std::string path = layer.name == top.name ? "" : layer.name.substr(top.name.size() + 1);
    paths.push_back(path);
    if (isRecurrent(layer)) paths.push_back(path.empty() ? "cell" : path + "/cell");
    for (const spec::LayerSpec& nested : spec::nestedLayers(layer)) addObjects(nested, top, paths);
}

// The one that holds a layer's variables.
std::string holderOf(const spec::LayerSpec& owner, const spec::LayerSpec& top) {
    const std::string path = owner.name == top.name ? "" : owner.name.substr(top.name.size() + 1);
    return !isRecurrent(owner) ? path : path.empty() ? "cell" : path + "/cell";
}

}  // namespace

std::vector<KerasLayer> kerasLayers(const spec::ModelSpec& model) {
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(model);
    std::vector<KerasLayer> layers;
    spec::LayerNames names;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const spec::LayerSpec& spec = model.layers[i];
        if (!infos[i].known) {
            throw Error(ErrorCode::kInvalidArgument,
                        spec.name + ": " + (infos[i].error.empty() ? "its shape is not known" : infos[i].error));
        }
        const std::string top = "layers/" + names.next(spec.class_name);
        KerasLayer layer{.name = spec.name, .groups = {}, .variables = {}};
        std::vector<std::string> objects;
        addObjects(spec, spec, objects);
        for (const std::string& object : objects) layer.groups.push_back(top + (object.empty() ? "" : "/" + object) + "/vars");
        for (const spec::LayerSpec& owner : spec::owningLayers(spec)) {
            const std::string holder = holderOf(owner, spec);
            const std::string group = top + (holder.empty() ? "" : "/" + holder) + "/vars/";
            std::vector<spec::VariableInfo> own;
            std::copy_if(infos[i].variables.begin(), infos[i].variables.end(), std::back_inserter(own),
                         [&](const spec::VariableInfo& variable) { return variable.name.starts_with(owner.name + "/"); });
            std::stable_partition(own.begin(), own.end(), [](const spec::VariableInfo& variable) { return variable.trainable; });
            for (std::size_t k = 0; k < own.size(); ++k) {
                layer.variables.push_back({own[k].name, own[k].shape, own[k].trainable, group + std::to_string(k)});
            }
        }
        // As the whole layer has them: those that an optimizer changes first.
        std::stable_partition(layer.variables.begin(), layer.variables.end(),
                              [](const KerasVariable& variable) { return variable.trainable; });
        layers.push_back(std::move(layer));
    }
    return layers;
}

std::vector<KerasSlot> kerasSlots(const spec::ModelSpec& model, const spec::ObjectSpec& optimizer) {
    std::vector<KerasVariable> trainable;
    for (const KerasLayer& layer : kerasLayers(model)) {
        std::copy_if(layer.variables.begin(), layer.variables.end(), std::back_inserter(trainable),
                     [](const KerasVariable& variable) { return variable.trainable; });
    }
    const std::vector<spec::OptimizerSlot> common = spec::commonSlots(optimizer), own = spec::ownSlots(optimizer);
    const spec::OptimizerRow* row = spec::findOptimizer(optimizer.class_name);
    std::vector<KerasSlot> slots;
    const auto add = [&](const KerasVariable& variable, const spec::OptimizerSlot& slot, bool of_any_optimizer) {
        const auto shape = spec::slotShape(optimizer, slot.form, {spec::kerasPath(model, variable.name), variable.shape});
        const bool has_other_shape = slot.form == spec::SlotForm::kWithoutLastAxis || slot.form == spec::SlotForm::kWithoutSecondLast;
        if (!shape) return;
        slots.push_back({.name = variable.name + ":" + std::string(slot.name),
                         .shape = *shape,
                         .is_placeholder = has_other_shape && variable.shape.size() < 2,
                         .of_any_optimizer = of_any_optimizer});
    };
    for (const spec::OptimizerSlot& slot : common) {
        for (const KerasVariable& variable : trainable) add(variable, slot, true);
    }
    const std::size_t in_turn = row == nullptr ? 0 : std::min(row->in_turn, own.size());
    for (const KerasVariable& variable : trainable) {
        for (std::size_t i = 0; i < in_turn; ++i) add(variable, own[i], false);
    }
    for (std::size_t i = in_turn; i < own.size(); ++i) {
        for (const KerasVariable& variable : trainable) add(variable, own[i], false);
    }
    return slots;
}

}  // namespace engine::exporter
