#include "engine/spec/keras/known_sizes.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/spec/catalog/einsum_product.h"
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/shape_inference.h"

namespace engine::spec {
namespace {

void setSizes(LayerSpec& layer, const Shape& input, const std::optional<Shape>& mask);

void setOutputShape(LayerSpec& einsum, const Shape& input) {
    const auto read = readEinsum(einsum, input);
    const auto* product = std::get_if<EinsumProduct>(&read);
    if (product == nullptr) return;
    const Settings settings = settingsOf(einsum);
    std::vector<std::int64_t> sizes = settings.getInts("output_shape");
    // Axes without a letter come in front of the others, or behind them.
    const std::size_t first = settings.getString("equation").starts_with("...") ? product->output.size() - sizes.size() : 0;
    bool is_open = false;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] != layers::kInputsSize) continue;
        sizes[i] = product->output[first + i];
        is_open = true;
    }
    if (is_open) einsum.config.set("output_shape", std::move(sizes));
}

// The members of a field that lists layers, which begin with the shape that comes in.
void setChain(LayerSpec& layer, const std::string& field, const Shape& input, const std::optional<Shape>& mask) {
    std::vector<ObjectBox> members = membersOf(layer.config, field);
    const std::vector<LayerInfo> infos = inferChain(chainOf(layer, field), input, mask);
    bool changed = false;
    for (std::size_t i = 0; i < members.size() && infos[i].known; ++i) {
        LayerSpec member{members[i].get().class_name, "", members[i].get().config};
        setSizes(member, infos[i].input_shape, infos[i].input_mask);
        if (member.config == members[i].get().config) continue;
        members[i] = ObjectSpec{member.class_name, member.config};
        changed = true;
    }
    if (changed) layer.config.set(field, withMembers(field, std::move(members)));
}

void setSizes(LayerSpec& layer, const Shape& input, const std::optional<Shape>& mask) {
    if (layer.class_name == "EinsumDense") return setOutputShape(layer, input);
    for (const std::string& field : chainFields(layer.class_name)) setChain(layer, field, input, mask);
    const ObjectSpec* held = layer.config.getObject("layer");
    if (held == nullptr || (layer.class_name == "TimeDistributed" && input.empty())) return;
    LayerSpec inner{held->class_name, "", held->config};
    setSizes(inner, layer.class_name == "TimeDistributed" ? Shape(input.begin() + 1, input.end()) : input, std::nullopt);
    if (inner.config != held->config) layer.config.set("layer", ObjectBox(ObjectSpec{inner.class_name, inner.config}));
}

}  // namespace

ModelSpec withKnownSizes(ModelSpec model) {
    const std::vector<LayerInfo> infos = inferShapes(model);
    for (std::size_t i = 0; i < model.layers.size() && infos[i].known; ++i) {
        setSizes(model.layers[i], infos[i].input_shape, infos[i].input_mask);
    }
    return model;
}

}  // namespace engine::spec
