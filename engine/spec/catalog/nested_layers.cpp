#include "engine/spec/catalog/nested_layers.h"

#include <iterator>
#include <utility>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/field_schema.h"

namespace engine::spec {
namespace {

// False also where the field holds something else: what is wrong with it is said by others.
bool holds(const Fields& config, const char* field, bool value) {
    const FieldValue* held = config.find(field);
    return held != nullptr && *held == FieldValue(value);
}

LayerSpec inside(const LayerSpec& outer, const std::string& role, const ObjectSpec& object) {
    LayerSpec layer{object.class_name, outer.name + "/" + role, object.config};
    layer.config.erase("name");
    if (holds(outer.config, "trainable", false)) {
        layer.config.set("trainable", false);
    }
    return layer;
}

// The products of a SelfAttention, each with the settings of its weights.
std::vector<LayerSpec> attentionProducts(const LayerSpec& layer) {
    std::vector<LayerSpec> products;
    for (const char* role : {"query", "key", "value", "attention_output"}) {
        ObjectSpec dense{"Dense", {}};
        for (const auto& [field, value] : layer.config.entries()) {
            if (field.starts_with("kernel_") || field.starts_with("bias_") || field == "use_bias") dense.config.set(field, value);
        }
        products.push_back(inside(layer, role, dense));
    }
    return products;
}

}  // namespace

std::vector<LayerSpec> nestedLayers(const LayerSpec& layer) {
    if (const std::vector<std::string> fields = chainFields(layer.class_name); !fields.empty()) {
        std::vector<LayerSpec> all;
        for (const std::string& field : fields) {
            std::vector<LayerSpec> chain = chainOf(layer, field);
            std::move(chain.begin(), chain.end(), std::back_inserter(all));
        }
        return all;
    }
    if (layer.class_name == "SelfAttention") {
        return attentionProducts(layer);
    }
    const ObjectSpec* inner = layer.config.getObject("layer");
    if (inner == nullptr) {
        return {};
    }
    if (layer.class_name == "TimeDistributed" || layer.class_name == "SpectralNormalization") {
        return {inside(layer, "layer", *inner)};
    }
    if (layer.class_name != "Bidirectional") {
        return {};
    }
    const ObjectSpec* backward = layer.config.getObject("backward_layer");
    std::vector<LayerSpec> both{inside(layer, "forward_layer", *inner),
                                inside(layer, "backward_layer", backward == nullptr ? *inner : *backward)};
    for (LayerSpec& one : both) {
        one.config.set("zero_output_for_mask", holds(one.config, "return_sequences", true));  // as Keras does, whatever they say
    }
    if (backward == nullptr) {
        both.back().config.set("go_backwards", true);  // as Keras does, whatever the forward layer says
    }
    return both;
}

std::vector<LayerSpec> chainOf(const LayerSpec& layer, const std::string& field) {
    std::vector<LayerSpec> chain;
    LayerNames names;
    for (const ObjectBox& member : membersOf(layer.config, field)) {
        chain.push_back(inside(layer, field + "/" + names.next(member.get().class_name), member.get()));
    }
    return chain;
}

std::vector<ObjectBox> membersOf(const Fields& config, std::string_view field) {
    const FieldValue* value = config.find(field);
    const ObjectBox* alone = value == nullptr || !mayStandAlone(field) ? nullptr : std::get_if<ObjectBox>(value);
    return alone == nullptr ? config.getObjects(field) : std::vector<ObjectBox>{*alone};
}

FieldValue withMembers(std::string_view field, std::vector<ObjectBox> members) {
    if (mayStandAlone(field) && members.size() == 1) return std::move(members.front());
    return members;
}

bool mayStandAlone(std::string_view field) {
    return field == "cell";
}

bool isStack(const LayerSpec& layer) {
    return layer.class_name == "RNN" && layer.config.getObject("cell") == nullptr;
}

std::vector<LayerSpec> layersOfCells(const LayerSpec& rnn) {
    constexpr std::string_view kCell = "Cell";
    std::vector<LayerSpec> layers = chainOf(rnn, "cell");
    for (std::size_t i = 0; i < layers.size(); ++i) {
        LayerSpec& layer = layers[i];
        const bool is_last = i + 1 == layers.size();
        if (layer.class_name.ends_with(kCell)) layer.class_name.erase(layer.class_name.size() - kCell.size());
        layer.config.set("return_sequences", !is_last || holds(rnn.config, "return_sequences", true));
        layer.config.set("go_backwards", i == 0 && holds(rnn.config, "go_backwards", true));
        layer.config.set("zero_output_for_mask", is_last && holds(rnn.config, "zero_output_for_mask", true));
    }
    return layers;
}

bool isWrapper(const LayerSpec& layer) {
    return layer.config.getObject("layer") != nullptr || !chainFields(layer.class_name).empty();
}

std::vector<std::string> chainFields(std::string_view class_name) {
    std::vector<std::string> names;
    if (const LayerSchema* schema = findLayerSchema(class_name)) {
        for (const FieldSchema& field : schema->fields) {
            if (field.kind == FieldKind::kLayerList) names.push_back(field.name);
        }
    }
    return names;
}

Fields startingFields(std::string_view class_name) {
    Fields config;
    const LayerSchema* schema = findLayerSchema(class_name);
    for (const FieldSchema& field : schema == nullptr ? std::vector<FieldSchema>{} : schema->fields) {
        if (!field.required) {
            continue;
        }
        if (field.kind == FieldKind::kInt) config.set(field.name, std::int64_t{32});
        if (numbersIn(field.kind) > 1) config.set(field.name, std::vector<std::int64_t>(numbersIn(field.kind), 3));
        if (field.kind == FieldKind::kDoubleList) config.set(field.name, std::vector<double>{0, 1});
        if (field.kind == FieldKind::kDouble) config.set(field.name, 0.5);
        if (field.kind == FieldKind::kChoice && !field.choices.empty()) config.set(field.name, field.choices.back());
        if (field.kind == FieldKind::kObject && !field.choices.empty()) {
            config.set(field.name, ObjectBox({field.choices.front(), startingFields(field.choices.front())}));
        }
        if (field.kind == FieldKind::kLayerList && !field.choices.empty()) {
            config.set(field.name, withMembers(field.name, {ObjectSpec{field.choices.front(), startingFields(field.choices.front())}}));
        }
    }
    // Keras requires neither of these by itself.
    if (class_name == "Discretization") config.set("bin_boundaries", std::vector<double>{0, 1});
    if (class_name == "IntegerLookup") config.set("max_tokens", std::int64_t{32});
    return config;
}

std::vector<LayerSpec> owningLayers(const LayerSpec& layer) {
    std::vector<LayerSpec> owners;
    for (const LayerSpec& nested : nestedLayers(layer)) {
        std::vector<LayerSpec> own = owningLayers(nested);
        std::move(own.begin(), own.end(), std::back_inserter(owners));
    }
    if (owners.empty() || layer.class_name == "SpectralNormalization") {
        owners.push_back(layer);
    }
    return owners;
}

}  // namespace engine::spec
