// The types in which layers compute: Keras' dtype policies, of which float32, mixed_bfloat16 and mixed_float16 are known. The model names
// one for all its layers, a layer's field "dtype" another for itself, as text or as Keras' object DTypePolicy {name}.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/spec/diagnostic.h"
#include "engine/spec/model_spec.h"

namespace engine::spec {

inline constexpr std::string_view kFloat32Policy = "float32";
inline constexpr std::string_view kMixedBfloat16Policy = "mixed_bfloat16";
inline constexpr std::string_view kMixedFloat16Policy = "mixed_float16";

// The numbers of Keras' LossScaleOptimizer among a run's variables, and ours: steps whose gradients were not finite.
inline constexpr std::string_view kDynamicScale = "loss_scale:dynamic_scale", kStepCounter = "loss_scale:step_counter",
                                  kStepsLeftOut = "loss_scale:steps_left_out";

bool isKnownPolicy(std::string_view name);

// The name that a value of the field "dtype" holds; nullopt where it is neither a text nor a policy object with a name.
std::optional<std::string> policyName(const FieldValue& dtype);
// The policy of a layer of this model: its own, else the model's. A value without a name counts as none of its own.
std::string layerPolicy(const ModelSpec& model, const LayerSpec& layer);

// The model with float32 where it asks for mixed_float16, for what is computed on a processor. Weights are float32 in both.
ModelSpec withoutFloat16(ModelSpec model);

// The error that an unknown policy is, at `path`; with the remedy where there is one.
Diagnostic unknownPolicy(std::string_view path, const std::string& name);
// What is to be known of mixed_float16, at `path`.
Diagnostic gpuPolicy(std::string_view path);

}  // namespace engine::spec
