// Keras' own JSON of a model and its compile settings, as plain values and back: config.json of a .keras file, model.to_json(), and the
// attributes model_config and training_config of an .h5 file. Keras 2 and 3.
//
// Every object is {"module", "class_name", "config", "registered_name"} with "build_config" on built layers; files of Keras 2 lack all but
// class_name and config. Data types stand as text or as a DTypePolicy object. The input is an InputLayer (batch_shape; batch_input_shape in
// Keras 2), a batch_input_shape of the first layer, or build_input_shape. A Functional model is taken when its layers form one chain.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/spec/diagnostic.h"
#include "engine/spec/project/run_spec.h"

namespace engine::spec {

struct KerasConfig {
    ModelSpec model;
    std::optional<CompileSpec> compile;  // nullopt when the text says nothing about it
    // Errors: what of the model cannot be represented, by layer and class. or the optimizer or loss of compile. Warnings: metrics that are
    // left out.
    Diagnostics diagnostics;
};

// `training_config`: of an .h5 file, else empty. Fields at Keras' defaults are left out of the result. `complete` sets what a file keeps of
// the layers beside the text; it is called once the layers are read, unless one has an error, and before they are checked. Throws only what
// it throws.
KerasConfig parseKerasConfig(std::string_view model_config, std::string_view training_config = {},
                             const std::function<void(ModelSpec&)>& complete = {});

// ModelSpec::input_dtype for a type of Keras: whole numbers of 64 bits, which ids have there, are those of 32 here.
std::string inputTypeOfKeras(std::string_view dtype);

// config.json of a .keras file, in the form that Keras 2.13 and later and every Keras 3 read; without compile settings when `compile` is
// null. Fields at their defaults are not written: a key that a version of Keras does not know would keep it from loading.
std::string toKerasConfig(const ModelSpec& model, const CompileSpec* compile);
// The two attributes of an .h5 file.
std::string toKerasModelConfig(const ModelSpec& model);
std::string toKerasTrainingConfig(const CompileSpec& compile);

// The package that exported code registers its classes in, as it stands in front of their names in files.
inline constexpr std::string_view kTandemPackage = "tandem>";
// A class of layers or an activation that Keras lacks: exported code defines it, and a file opens in Keras where that was run before.
bool isOfTandem(std::string_view class_name);

// Layers that Keras 3 makes with their own arguments and a name alone: neither `trainable` nor `input_shape`.
bool takesNoLayerArguments(std::string_view class_name);
// Layers whose results have a type by their own fields, whatever the policy.
bool hasTypeOfItsOwn(std::string_view class_name);

}  // namespace engine::spec
