#include "engine/spec/catalog/dtype_policy.h"

#include <variant>

#include "engine/spec/fields.h"

namespace engine::spec {

bool isKnownPolicy(std::string_view name) {
    return name == kFloat32Policy || name == kMixedBfloat16Policy || name == kMixedFloat16Policy;
}

std::optional<std::string> policyName(const FieldValue& dtype) {
    if (const auto* text = std::get_if<std::string>(&dtype)) return *text;
    const auto* box = std::get_if<ObjectBox>(&dtype);
    if (box == nullptr) return std::nullopt;
    const FieldValue* name = box->get().config.find("name");
    const auto* text = name == nullptr ? nullptr : std::get_if<std::string>(name);
    return text == nullptr ? std::nullopt : std::optional(*text);
}

std::string layerPolicy(const ModelSpec& model, const LayerSpec& layer) {
    const FieldValue* dtype = layer.config.find("dtype");
    const std::optional<std::string> own = dtype == nullptr ? std::nullopt : policyName(*dtype);
    return own.value_or(model.dtype_policy);
}

ModelSpec withoutFloat16(ModelSpec model) {
    if (model.dtype_policy == kMixedFloat16Policy) model.dtype_policy = kFloat32Policy;
    for (LayerSpec& layer : model.layers) {
        const FieldValue* own = layer.config.find("dtype");
        if (own != nullptr && policyName(*own) == kMixedFloat16Policy) layer.config.set("dtype", std::string(kFloat32Policy));
    }
    return model;
}

Diagnostic unknownPolicy(std::string_view path, const std::string& name) {
    const bool is_half = name == "bfloat16" || name == "float16";
    return {Severity::kError, std::string(path), "expected float32, mixed_bfloat16 or mixed_float16, got " + name,
            is_half ? "mixed_" + name + " computes in " + name + " and keeps the weights in float32." : ""};
}

Diagnostic gpuPolicy(std::string_view path) {
    return {Severity::kWarning, std::string(path),
            "expected a policy for processors as well, got mixed_float16, which trains on GPUs alone",
            "A task that runs on a processor refuses it; mixed_bfloat16 runs on both and needs no loss scaling."};
}

}  // namespace engine::spec
