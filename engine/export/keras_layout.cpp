#include "engine/export/keras_layout.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "engine/export/keras_names.h"
#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/optimizer_table.h"
#include "engine/spec/error.h"

namespace engine::exporter {
namespace {

// The object that holds a layer's variables, by its path from the model's layer: "", "cell", "forward_layer/cell".
std::string holderOf(const spec::LayerSpec& owner, const spec::LayerSpec& layer) {
    constexpr std::array<std::string_view, 3> kRecurrent{"SimpleRNN", "LSTM", "GRU"};
    std::string path = owner.name == layer.name ? "" : owner.name.substr(layer.name.size() + 1);
    if (std::find(kRecurrent.begin(), kRecurrent.end(), owner.class_name) != kRecurrent.end()) {
        path += path.empty() ? "cell" : "/cell";
    }
    return path;
}

// "a", "a/b", "a/b/c" of "a/b/c".
std::vector<std::string> withParents(const std::string& path) {
    std::vector<std::string> all;
    for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
        all.push_back(path.substr(0, at));
    }
    all.push_back(path);
    return all;
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
        KerasLayer layer{.name = spec.name, .groups = {top + "/vars"}, .variables = {}};
        for (const spec::LayerSpec& owner : spec::owningLayers(spec)) {
            const std::string holder = holderOf(owner, spec);
            for (const std::string& object : holder.empty() ? std::vector<std::string>{} : withParents(holder)) {
                const std::string group = top + "/" + object + "/vars";
                if (std::find(layer.groups.begin(), layer.groups.end(), group) == layer.groups.end()) {
                    layer.groups.push_back(group);
                }
            }
            const std::string group = top + (holder.empty() ? "" : "/" + holder) + "/vars/";
            std::vector<spec::VariableInfo> own;
            std::copy_if(infos[i].variables.begin(), infos[i].variables.end(), std::back_inserter(own),
                         [&](const spec::VariableInfo& variable) { return variable.name.starts_with(owner.name + "/"); });
            std::stable_partition(own.begin(), own.end(), [](const spec::VariableInfo& variable) { return variable.trainable; });
            for (std::size_t k = 0; k < own.size(); ++k) {
                layer.variables.push_back({own[k].name, own[k].shape, own[k].trainable, group + std::to_string(k)});
            }
        }
        layers.push_back(std::move(layer));
    }
    return layers;
}

std::vector<std::string> kerasSlots(const spec::ObjectSpec& optimizer, const std::vector<std::string>& trainable) {
    const std::vector<SlotList> lists = slotLists(optimizer);
    const spec::OptimizerRow* row = spec::findOptimizer(optimizer.class_name);
    std::vector<std::string> slots;
    const auto add = [&](std::size_t list) {
        for (const std::string& variable : trainable) {
            slots.push_back(variable + ":" + lists[list].slot);
        }
    };
    std::size_t list = 0;
    for (; list < lists.size() && lists[list].of_any_optimizer; ++list) {
        add(list);
    }
    if (row != nullptr && row->pairs_slots && lists.size() >= list + 2) {
        for (const std::string& variable : trainable) {
            slots.push_back(variable + ":" + lists[list].slot);
            slots.push_back(variable + ":" + lists[list + 1].slot);
        }
        list += 2;
    }
    for (; list < lists.size(); ++list) {
        add(list);
    }
    return slots;
}

}  // namespace engine::exporter
