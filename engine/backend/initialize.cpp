#include "engine/backend/initialize.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "engine/backend/signal/fourier_kernel.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/layer_info.h"
#include "engine/spec/catalog/lookup_table.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/error.h"
#include "engine/spec/field_schema.h"
#include "engine/tensor/initializer.h"

namespace engine::backend {
namespace {

// The user's choice for "kernel" is the field "kernel_initializer", for "depthwise_kernel" it is "depthwise_initializer", and what goes
// back has that of what goes there; Keras' default is the schema's, or by the kind of the variable.
spec::ObjectSpec initializerOf(const spec::LayerSpec& layer, std::string_view variable) {
    constexpr std::string_view kKernel = "_kernel", kReverse = "reverse_";
    if (variable.starts_with(kReverse)) variable.remove_prefix(kReverse.size());
    const std::string_view prefix = variable.ends_with(kKernel) ? variable.substr(0, variable.size() - kKernel.size()) : variable;
    const std::string field = std::string(prefix) + "_initializer";
    auto read = [](const spec::FieldValue* value) -> spec::ObjectSpec {
        if (value == nullptr) return {};
        if (const auto* box = std::get_if<spec::ObjectBox>(value)) return box->get();
        if (const auto* name = std::get_if<std::string>(value)) return {*name, {}};
        return {};
    };
    if (spec::ObjectSpec chosen = read(layer.config.find(field)); !chosen.class_name.empty()) return chosen;
    if (const spec::LayerSchema* schema = spec::findLayerSchema(layer.class_name)) {
        for (const spec::FieldSchema& row : schema->fields) {
            if (row.name != field) continue;
            if (spec::ObjectSpec fallback = read(&row.fallback); !fallback.class_name.empty()) return fallback;
        }
    }
    if (variable == "vector_u") return {"TruncatedNormal", {{"stddev", 0.02}}};
    if (variable == "scale" || variable == "variance") return {"Ones", {}};
    return {variable == "kernel" ? "GlorotUniform" : "Zeros", {}};
}

// unit_forget_bias: the second of four gates of an LSTM or a ConvLSTM begins with 1.
void openForgetGate(const spec::LayerSpec& layer, std::string_view variable, std::span<float> values) {
    if (layer.class_name.find("LSTM") == std::string::npos || variable != "bias") return;
    if (!spec::settingsOf(layer).getBool("unit_forget_bias")) return;
    const std::size_t units = values.size() / 4;
    std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(units), units, 1.0F);
}

// What a layer takes from samples begins with nothing taken; the weights of tf_idf with those that are given.
void fillTaken(const spec::LayerSpec& layer, std::string_view variable, std::span<float> values) {
    if (layer.class_name != "Discretization" && layer.class_name != "IntegerLookup") return;
    if (variable == "boundaries") std::fill(values.begin(), values.end(), spec::kNoBoundary);
    if (variable == "values") std::fill(values.begin(), values.end(), spec::kNoValue);
    if (variable != "idf_weights") return;
    const std::vector<float> given = spec::idfWeights(spec::settingsOf(layer));
    std::copy_n(given.begin(), std::min(given.size(), values.size()), values.begin());
}

// The layer of the model, or the one within it, that has the variable.
const spec::LayerSpec& ownerOf(const std::vector<spec::LayerSpec>& owners, std::string_view variable) {
    const auto found = std::find_if(owners.begin(), owners.end(), [&](const spec::LayerSpec& layer) {
        return variable.size() > layer.name.size() && variable.starts_with(layer.name) && variable[layer.name.size()] == '/';
    });
    ENGINE_CHECK(found != owners.end());
    return *found;
}

}  // namespace

void initializeVariables(Variables& variables, const spec::ModelSpec& model, std::uint64_t seed) {
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(model);
    std::uint64_t position = 0;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const std::vector<spec::LayerSpec> owners = spec::owningLayers(model.layers[i]);
        for (const spec::VariableInfo& variable : infos[i].variables) {
            const spec::LayerSpec& layer = ownerOf(owners, variable.name);
            const std::span<float> values = variables.values(variable.name);
            std::int64_t count = 1;
            for (std::int64_t size : variable.shape) count *= size;
            if (static_cast<std::int64_t>(values.size()) != count) {
                throw Error(ErrorCode::kInvalidArgument, variable.name + ": expected " + std::to_string(count) +
                                                             " values, got a variable of " + std::to_string(values.size()));
            }
            const std::string_view own_name = std::string_view(variable.name).substr(variable.name.rfind('/') + 1);
            tensor::initialize(initializerOf(layer, own_name), variable.shape,
                               {.seed = seed, .purpose = tensor::RandomPurpose::kInitializer, .stream = position}, values, variable.matrix);
            openForgetGate(layer, own_name, values);
            fillTaken(layer, own_name, values);
            if (layer.class_name == "STFTSpectrogram") fillFourierKernel(layer, own_name, values);
            ++position;
        }
    }
    for (const Variables::Entry& entry : variables.entries()) {
        if (entry.is_slot) std::fill(entry.values.begin(), entry.values.end(), entry.initial);
    }
}

}  // namespace engine::backend
