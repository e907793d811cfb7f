#include "engine/export/keras_layout.h"

#include <algorithm>
#include <array>

#include "engine/export/keras_names.h"
#include "engine/spec/error.h"

namespace engine::exporter {
namespace {

// The objects inside a layer that hold its variables, in the variables' order and with as many each; {""} for the layer itself.
std::vector<std::string> holders(std::string_view class_name, const spec::Fields& config) {
    constexpr std::array<std::string_view, 3> kRecurrent{"SimpleRNN", "LSTM", "GRU"};
    if (std::find(kRecurrent.begin(), kRecurrent.end(), class_name) != kRecurrent.end()) {
        return {"cell"};
    }
    const spec::ObjectSpec* inner = config.getObject("layer");
    std::vector<std::string> outer;
    if (class_name == "Bidirectional") {
        outer = {"forward_layer", "backward_layer"};
    } else if (class_name == "TimeDistributed") {
        outer = {"layer"};
    }
    if (outer.empty() || inner == nullptr) {
        return {""};
    }
    std::vector<std::string> all;
    for (const std::string& one : outer) {
        for (const std::string& below : holders(inner->class_name, inner->config)) {
            all.push_back(below.empty() ? one : one + "/" + below);
        }
    }
    return all;
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

// Optimizers whose first two slots alternate, variable by variable; all others keep one list after the other.
bool alternates(std::string_view optimizer) {
    constexpr std::array<std::string_view, 6> kAlternating{"Adam", "AdamW", "Nadam", "Adadelta", "Adamax", "Ftrl"};
    return std::find(kAlternating.begin(), kAlternating.end(), optimizer) != kAlternating.end();
}

}  // namespace

std::vector<KerasLayer> kerasLayers(const spec::ModelSpec& model) {
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(model);
    std::vector<KerasLayer> layers;
    std::vector<std::string> taken;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const spec::LayerSpec& spec = model.layers[i];
        if (!infos[i].known) {
            throw Error(ErrorCode::kInvalidArgument,
                        spec.name + ": " + (infos[i].error.empty() ? "its shape is not known" : infos[i].error));
        }
        taken.push_back(spec::automaticLayerName(spec.class_name, taken));
        const std::string top = "layers/" + taken.back();
        KerasLayer layer{.name = spec.name, .groups = {top + "/vars"}, .variables = {}};
        const std::vector<std::string> holding = holders(spec.class_name, spec.config);
        const std::vector<spec::VariableInfo>& variables = infos[i].variables;
        ENGINE_CHECK(variables.size() % holding.size() == 0);
        const std::size_t each = variables.size() / holding.size();
        for (std::size_t h = 0; h < holding.size(); ++h) {
            for (const std::string& object : holding[h].empty() ? std::vector<std::string>{} : withParents(holding[h])) {
                const std::string group = top + "/" + object + "/vars";
                if (std::find(layer.groups.begin(), layer.groups.end(), group) == layer.groups.end()) {
                    layer.groups.push_back(group);
                }
            }
            const std::string group = top + (holding[h].empty() ? "" : "/" + holding[h]) + "/vars/";
            std::vector<spec::VariableInfo> own(variables.begin() + static_cast<std::ptrdiff_t>(h * each),
                                                variables.begin() + static_cast<std::ptrdiff_t>((h + 1) * each));
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
    if (alternates(optimizer.class_name) && lists.size() >= list + 2) {
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
