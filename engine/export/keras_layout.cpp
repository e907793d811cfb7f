#include "engine/export/keras_layout.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "engine/export/index/compared.h"
#include "engine/export/keras_names.h"
#include "engine/spec/catalog/adapted_layer.h"
#include "engine/spec/catalog/keras_path.h"
#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/optimizer_table.h"
#include "engine/spec/error.h"

namespace engine::exporter {
namespace {

constexpr std::string_view kIdfWeights = "/idf_weights";  // of an IntegerLookup, which Keras keeps by this name
constexpr std::array<std::string_view, 6> kRecurrent{"SimpleRNN", "LSTM", "GRU", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D"};

bool isRecurrent(const spec::LayerSpec& layer) {
    return std::find(kRecurrent.begin(), kRecurrent.end(), layer.class_name) != kRecurrent.end();
}

// An object that a layer of the model consists of.
struct Part {
    std::string path;   // from the model's layer, empty of itself: "cell", "forward_layer/cell", "layers/conv2d", "query_dense"
    std::string owner;  // the layer whose variables it holds; empty: none
};

std::string joinedPath(const std::string& path, const std::string& next) {
    return path.empty() ? next : path + "/" + next;
}

// Where a layer has the one within it. An RNN's cells are the cell itself, or members of one that is a stack.
std::string pathTo(const spec::LayerSpec& outer, const spec::LayerSpec& inner) {
    const std::string role = inner.name.substr(outer.name.size() + 1);
    if (outer.class_name == "RNN") return spec::isStack(outer) ? "cell/cells" + role.substr(role.rfind('/')) : "cell";
    return spec::isWrapper(outer) ? role : productName(role);
}

// Adds the layer's objects, each before what it holds.
void addParts(const spec::LayerSpec& layer, const std::string& path, std::vector<Part>& parts) {
    parts.push_back({path, isRecurrent(layer) ? "" : layer.name});
    if (isRecurrent(layer)) parts.push_back({joinedPath(path, "cell"), layer.name});
    if (layer.class_name == "TextVectorization") parts.push_back({joinedPath(path, "_lookup_layer"), ""});
    const std::vector<spec::LayerSpec> nested = spec::nestedLayers(layer);
    if (spec::isStack(layer)) parts.push_back({joinedPath(path, "cell"), ""});
    for (const spec::LayerSpec& one : nested) addParts(one, joinedPath(path, pathTo(layer, one)), parts);
    if (nested.empty() || spec::isWrapper(layer)) return;
    for (const char* own : {"_softmax", "_dropout_layer"}) parts.push_back({joinedPath(path, own), ""});  // of MultiHeadAttention
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
        KerasLayer layer{.name = spec.name, .groups = {}, .variables = {}, .copies = {}};
        std::vector<Part> parts;
        addParts(spec, "", parts);
        std::map<std::string_view, const Part*, CountedLess> holders;  // by the owner
        for (const Part& part : parts) holders.emplace(part.owner, &part);
        std::map<std::string_view, std::size_t, CountedLess> places;  // of the layer's variables
        std::map<std::string_view, std::vector<spec::VariableInfo>, CountedLess> owned;
        for (std::size_t k = 0; k < infos[i].variables.size(); ++k) {
            const std::string_view name = infos[i].variables[k].name;
            places.emplace(name, k);
            owned[name.substr(0, name.rfind('/'))].push_back(infos[i].variables[k]);
        }
        for (const Part& part : parts) layer.groups.push_back(joinedPath(top, part.path) + (part.path.empty() ? "vars" : "/vars"));
        for (const spec::LayerSpec& owner : spec::owningLayers(spec)) {
            const auto holder = holders.find(owner.name);
            ENGINE_CHECK(holder != holders.end());
            const std::string& path = holder->second->path;
            const std::string group = joinedPath(top, path) + (path.empty() ? "vars/" : "/vars/");
            const auto found = owned.find(owner.name);
            std::vector<spec::VariableInfo> own = found == owned.end() ? std::vector<spec::VariableInfo>() : found->second;
            std::stable_partition(own.begin(), own.end(), [](const spec::VariableInfo& variable) { return variable.trainable; });
            std::size_t number = 0;
            if (owner.class_name == "SpectralNormalization") {
                const auto kernel = std::ranges::find_if(infos[i].variables, [&](const spec::VariableInfo& variable) {
                    return variable.name.starts_with(owner.name + "/layer/") && variable.name.ends_with("kernel");
                });
                ENGINE_CHECK(kernel != infos[i].variables.end());
                layer.copies.push_back({.name = kernel->name,
                                        .shape = kernel->shape,
                                        .trainable = kernel->trainable,
                                        .path = group + std::to_string(number++)});
            }
            for (const spec::VariableInfo& variable : own) {
                const bool is_named = variable.name.ends_with(kIdfWeights);
                layer.variables.push_back({.name = variable.name,
                                           .shape = variable.shape,
                                           .trainable = variable.trainable,
                                           .path = group + (is_named ? std::string(kIdfWeights.substr(1)) : std::to_string(number++)),
                                           .is_named = is_named});
            }
            layer.takes_fields = layer.takes_fields || (spec::keepsTakenInFields(owner) && spec::isAdapted(owner));
        }
        // As the whole layer has them: those that an optimizer changes first.
        std::ranges::stable_sort(layer.variables, {}, [&](const KerasVariable& variable) { return places.at(variable.name); });
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
    const spec::KerasPaths paths(model);
    std::vector<KerasSlot> slots;
    const auto add = [&](const KerasVariable& variable, const spec::OptimizerSlot& slot, bool of_any_optimizer) {
        const auto shape = spec::slotShape(optimizer, slot.form, {paths.of(variable.name), variable.shape});
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

bool keepsMomentumProduct(const spec::ObjectSpec& optimizer) {
    const spec::OptimizerRow* row = spec::findOptimizer(optimizer.class_name);
    return row != nullptr && row->keeps_momentum_product;
}

}  // namespace engine::exporter
