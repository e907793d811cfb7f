#include "engine/export/keras/weights_writer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "engine/export/keras/opened_file.h"
#include "engine/export/keras_names.h"
#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"
#include "engine/spec/keras/keras_config.h"

namespace engine::exporter {
namespace {

constexpr const char* kLossScale = "loss_scale_optimizer";

}  // namespace

bool scalesLoss(const CheckpointContents& contents) {
    return std::any_of(contents.variables.begin(), contents.variables.end(),
                       [](const VariableView& variable) { return variable.name == spec::kDynamicScale; });
}

KerasTrees::KerasTrees(const std::string& file, const CheckpointContents& contents)
    : file_(file), contents_(contents), layers_(kerasLayers(*contents.model)) {
    for (const VariableView& variable : contents.variables) {
        by_name_[variable.name] = &variable;
    }
    slots_ = kerasSlots(*contents.model, contents.optimizer);
    has_optimizer_ = std::all_of(slots_.begin(), slots_.end(), [&](const KerasSlot& slot) { return by_name_.contains(slot.name); });
}

Hdf5Node KerasTrees::keras3() const {
    Hdf5Node root;
    root.group("vars").attributes["name"] = {contents_.model->name};
    root.group("layers");
    for (const KerasLayer& layer : layers_) {
        for (const std::string& group : layer.groups) {
            root.group(group);
        }
        root.group(layer.groups.front()).attributes["name"] = {layer.name};
        for (const std::vector<KerasVariable>* variables : {&layer.copies, &layer.variables}) {
            for (const KerasVariable& variable : *variables) root.group(variable.path) = values(variable.name);
        }
    }
    if (const spec::LayerSpec* texts = spec::textLayer(*contents_.model)) addTextWeights(*texts, root);
    if (has_optimizer_) {
        const auto fill = [&root](const std::string& path, const std::string& name, const auto& state) {
            Hdf5Node& group = root.group(path);
            group.attributes["name"] = {name};
            for (const auto& [unused, node] : state) {
                const std::string index = std::to_string(group.children.size());
                group.children[index] = node;
            }
        };
        if (scalesLoss(contents_)) {
            fill("optimizer/inner_optimizer/vars", optimizerName(), optimizerState());
        }
        fill("optimizer/vars", scalesLoss(contents_) ? kLossScale : optimizerName(), wholeState());
    }
    return root;
}

Hdf5Node KerasTrees::keras2(const spec::CompileSpec& compile) const {
    Hdf5Node root;
    root.attributes["keras_version"] = {kKerasVersion};
    root.attributes["backend"] = {"tensorflow"};
    root.attributes["model_config"] = {spec::toKerasModelConfig(*contents_.model)};
    root.attributes["training_config"] = {spec::toKerasTrainingConfig(compile)};
    Hdf5Node& weights = root.group("model_weights");
    weights.attributes["keras_version"] = {kKerasVersion};
    weights.attributes["backend"] = {"tensorflow"};
    weights.attributes["layer_names"] = {};
    weights.group("top_level_model_weights").attributes["weight_names"] = {};
    for (const KerasLayer& layer : layers_) {
        weights.attributes["layer_names"].push_back(layer.name);
        std::vector<std::string> names;
        for (const KerasVariable& variable : layer.variables) {
            if (variable.is_named) continue;
            names.push_back(contents_.model->name + "/" + variable.name);
            weights.group(layer.name + "/" + names.back()) = values(variable.name);
        }
        weights.group(layer.name).attributes["weight_names"] = names;
    }
    if (has_optimizer_) {
        Hdf5Node& group = root.group("optimizer_weights");
        std::vector<std::string> names;
        for (const auto& [name, node] : wholeState()) {
            names.push_back(name);
            group.group(name) = node;
        }
        group.attributes["weight_names"] = names;
    }
    return root;
}

Hdf5Node KerasTrees::values(const std::string& name) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) {
        throw Error(ErrorCode::kInvalidArgument, file_ + ": expected values of " + name + ", got none");
    }
    if (isWholeNumber(name)) {
        return {.kind = Hdf5Node::Kind::kIntegers, .integers = {static_cast<std::int64_t>(found->second->values[0])}};
    }
    return {.kind = Hdf5Node::Kind::kFloats,
            .shape = found->second->shape,
            .floats = {found->second->values.begin(), found->second->values.end()}};
}

std::string KerasTrees::optimizerName() const {
    return spec::automaticLayerName(contents_.optimizer.class_name, {});  // snake case
}

std::vector<std::pair<std::string, Hdf5Node>> KerasTrees::wholeState() const {
    std::vector<std::pair<std::string, Hdf5Node>> whole;
    const bool scales = scalesLoss(contents_);
    if (scales) {
        const auto number = [this](std::string_view name) { return by_name_.at(std::string(name))->values[0]; };
        const auto counter = static_cast<std::int64_t>(number(spec::kStepCounter));
        const std::pair<const char*, Hdf5Node> own[] = {
            {"iteration", {.kind = Hdf5Node::Kind::kIntegers, .integers = {0}}},
            {"learning_rate", {.kind = Hdf5Node::Kind::kFloats, .floats = {0.0F}}},
            {"step_counter", {.kind = Hdf5Node::Kind::kIntegers, .integers = {counter}}},
            {"dynamic_scale", {.kind = Hdf5Node::Kind::kFloats, .floats = {number(spec::kDynamicScale)}}}};
        for (const auto& [name, node] : own) {
            whole.emplace_back(std::string(kLossScale) + "/" + name, node);
        }
    }
    for (auto& [name, node] : optimizerState()) {
        const bool is_slot = scales && !node.shape.empty();  // Keras names them by the way through both
        whole.emplace_back((is_slot ? std::string(kLossScale) + "/" : "") + optimizerName() + "/" + name, std::move(node));
    }
    return whole;
}

std::vector<std::pair<std::string, Hdf5Node>> KerasTrees::optimizerState() const {
    std::vector<std::pair<std::string, Hdf5Node>> state;
    state.push_back({"iteration", {.kind = Hdf5Node::Kind::kIntegers, .integers = {contents_.iterations}}});
    if (contents_.optimizer.config.getObject("learning_rate") == nullptr) {
        state.push_back({"learning_rate", {.kind = Hdf5Node::Kind::kFloats, .floats = {contents_.learning_rate}}});
    }
    for (const KerasSlot& slot : slots_) {
        std::string name = contents_.model->name + "/" + slot.name;
        std::replace_if(
            name.begin(), name.end(), [](char c) { return c == '/' || c == ':'; }, '_');
        const Hdf5Node number{.kind = Hdf5Node::Kind::kIntegers, .integers = {0}};
        state.emplace_back(std::move(name), slot.is_placeholder ? number : values(slot.name));
    }
    if (keepsMomentumProduct(contents_.optimizer)) {
        state.push_back({"u_product", {.kind = Hdf5Node::Kind::kFloats, .floats = {momentumProduct()}}});
    }
    return state;
}

void KerasTrees::addTextWeights(const spec::LayerSpec& layer, Hdf5Node& root) const {
    const std::vector<float> weights = spec::textWeights(layer);
    if (weights.empty()) return;
    for (const std::string& group : layers_.front().groups) {
        Hdf5Node& node = root.group(group + "/" + kKerasTextWeights);
        node = {.kind = Hdf5Node::Kind::kFloats, .shape = {static_cast<std::int64_t>(weights.size())}, .floats = weights};
    }
}

float KerasTrees::momentumProduct() const {
    const double b1 = spec::settingsOf(spec::optimizerSchemas(), contents_.optimizer).getDouble("beta_1");
    std::int64_t every = 0;  // only every so manyth step changes weights
    spec::settingsOf(spec::optimizerSchemas(), contents_.optimizer).read("gradient_accumulation_steps", every);
    double product = 1;
    for (std::int64_t t = 1; t <= contents_.iterations / std::max<std::int64_t>(every, 1) && product > 0; ++t) {
        product *= b1 * (1 - std::pow(0.96, static_cast<double>(t)) / 2);
    }
    return static_cast<float>(product);
}

}  // namespace engine::exporter
