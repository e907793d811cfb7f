#include <algorithm>
#include <iterator>
#include <set>

#include "engine/spec/catalog/adapted_layer.h"
#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/layer_info.h"
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/names.h"
#include "engine/spec/shape.h"
#include "engine/spec/validate/validate_parts.h"

namespace engine::spec {
namespace {

std::string layerPath(std::size_t index) {
    return "model.layers[" + std::to_string(index) + "]";
}

// No layer was worked out though none is at fault: the input has more values than any machine holds.
bool isTooLarge(const std::vector<LayerInfo>& infos) {
    return !infos.empty() && !infos.front().known && infos.front().error.empty();
}

void checkInput(const ModelSpec& model, const std::vector<LayerInfo>& infos, Diagnostics& diagnostics) {
    bool positive = !model.input_shape.empty();
    for (std::int64_t size : model.input_shape) {
        positive = positive && size >= 1;
    }
    if (!positive) {
        diagnostics.push_back({Severity::kError, "model.input_shape", "expected sizes of at least 1, got " + shapeText(model.input_shape),
                               "MNIST's images are [28, 28, 1]."});
    } else if (isTooLarge(infos)) {
        diagnostics.push_back(
            {Severity::kError, "model.input_shape", "expected at most 1e12 values in a sample, got " + shapeText(model.input_shape), ""});
    }
    const std::vector<std::string> types{"float32", "int32", std::string(kTextInput)};
    if (std::find(types.begin(), types.end(), model.input_dtype) == types.end()) {
        diagnostics.push_back({Severity::kError, "model.input_dtype", "expected " + oneOf(types) + ", got " + model.input_dtype, ""});
    }
    if (!isKnownPolicy(model.dtype_policy)) {
        diagnostics.push_back(unknownPolicy("model.dtype_policy", model.dtype_policy));
    } else if (model.dtype_policy == kMixedFloat16Policy) {
        diagnostics.push_back(gpuPolicy("model.dtype_policy"));
    }
    if (model.layers.empty()) {
        diagnostics.push_back({Severity::kError, "model.layers", "expected at least one layer, got none", ""});
    }
}

// Keras: a letter, digit or dot first, then those with _ \ / > and -; a slash would split the names of variables.
bool isLayerName(const std::string& name) {
    constexpr std::string_view kCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    return !name.empty() && name.front() != '_' && name.front() != '-' && name.find_first_not_of(kCharacters) == std::string::npos;
}

void checkName(const LayerSpec& layer, const std::string& path, std::set<std::string>& taken, Diagnostics& diagnostics) {
    if (!isLayerName(layer.name)) {
        diagnostics.push_back(
            {Severity::kError, path + ".name", "expected a name of letters, digits, dots, - and _, got \"" + layer.name + "\"", ""});
    } else if (!taken.insert(layer.name).second) {
        diagnostics.push_back({Severity::kError, path + ".name", "expected a name of its own, got " + layer.name + " a second time",
                               "Rename one of the layers."});
    }
}

// What takes ids takes them from the input, reshaped at most, or made of its numbers.
void checkIds(const ModelSpec& model, std::size_t index, const std::string& class_name, Diagnostics& diagnostics) {
    for (std::size_t i = 0; i < index; ++i) {
        const LayerSpec& before = model.layers[i];
        const layers::LayerDefinition* definition = layers::findLayerDefinition(before.class_name);
        if (definition == nullptr || definition->keeps_ids == nullptr || !definition->keeps_ids(before)) {
            diagnostics.push_back({Severity::kError, layerPath(index),
                                   "expected ids from the model's input, got the output of a layer " + before.class_name,
                                   "Put the " + class_name + " first."});
            return;
        }
    }
}

// Texts come in alone, and the first layer takes them.
void checkTexts(const ModelSpec& model, std::size_t index, const LayerSpec& owner, Diagnostics& diagnostics) {
    const LayerSpec& layer = model.layers[index];
    const bool is_inside = owner.name != layer.name, are_texts = model.input_dtype == kTextInput;
    if (takesTexts(owner) && (index > 0 || is_inside)) {
        const std::string place = is_inside ? "in a layer " + layer.class_name : "behind a layer " + model.layers[index - 1].class_name;
        diagnostics.push_back({Severity::kError, layerPath(index),
                               "expected a layer that takes texts as the model's first, got " + owner.class_name + " " + place,
                               "Put the " + owner.class_name + " first."});
    } else if (takesTexts(owner) && !are_texts) {
        diagnostics.push_back(
            {Severity::kError, "model.input_dtype",
             "expected string, the type of the texts that a layer " + owner.class_name + " takes, got " + model.input_dtype,
             "Set model.input_dtype to string."});
    } else if (index == 0 && !is_inside && are_texts && !takesTexts(owner)) {
        diagnostics.push_back({Severity::kError, layerPath(index),
                               "expected a layer that takes the texts of the model's input, got a layer " + owner.class_name,
                               "Put a TextVectorization first, or set model.input_dtype to float32."});
    }
}

// What a layer takes from the training samples are values as they come into the model.
void checkAdapted(const ModelSpec& model, std::size_t index, const LayerSpec& owner, Diagnostics& diagnostics) {
    const LayerSpec& layer = model.layers[index];
    const bool is_inside = owner.name != layer.name;
    if (!isAdapted(owner) || takesTexts(owner) || (index == 0 && !is_inside)) return;
    const std::string place = is_inside ? "in a layer " + layer.class_name : "behind a layer " + model.layers[index - 1].class_name;
    diagnostics.push_back(
        {Severity::kError, layerPath(index),
         "expected a layer that takes values from the training samples as the model's first, got " + owner.class_name + " " + place,
         "Put it first, or give it these values."});
}

// A run trains. An input or a layer that is wrong is reported by others.
void checkTrainable(const ModelSpec& model, const std::vector<LayerInfo>& infos, Diagnostics& diagnostics) {
    bool any = model.layers.empty();
    for (const LayerInfo& info : infos) {
        any = any || !info.known;
        for (const VariableInfo& variable : info.variables) {
            any = any || variable.trainable;
        }
    }
    if (!any) {
        diagnostics.push_back({Severity::kError, "model.layers", "expected a layer with trainable weights, got none", ""});
    }
}

// The loss weighs its values, one for all of the last axis, by the mask that the output carries.
void checkMask(const ModelSpec& model, const std::vector<LayerInfo>& infos, Diagnostics& diagnostics) {
    if (infos.empty() || !infos.back().known || !infos.back().output_mask) {
        return;
    }
    const Shape& output = infos.back().output_shape;
    const Shape values(output.begin(), output.empty() ? output.end() : output.end() - 1);
    if (*infos.back().output_mask != values) {
        diagnostics.push_back({Severity::kError, layerPath(infos.size() - 1),
                               model.layers.back().name + ": expected an output with a mask of the sizes " + batchShapeText(values) +
                                   " or none, got one of " + batchShapeText(*infos.back().output_mask),
                               "A Flatten or a Reshape behind it drops the mask."});
    }
}

// The axes of a constraint are those of the layer's variable that its field names.
void checkAxes(const Settings& constraint, const std::string& variable, const LayerInfo& info, const std::string& path,
               Diagnostics& diagnostics) {
    for (const VariableInfo& known : info.variables) {
        if (known.name != variable && known.name != variable + "_kernel") {
            continue;
        }
        const auto rank = static_cast<std::int64_t>(known.shape.size());
        for (const std::int64_t axis : constraint.getInts("axis")) {
            if (axis < -rank || axis >= rank) {
                diagnostics.push_back({Severity::kError, path + ".axis",
                                       "expected axes of " + known.name + " " + shapeText(known.shape) + ", from 0 to " +
                                           std::to_string(rank - 1) + ", got " + std::to_string(axis),
                                       ""});
            }
        }
    }
}

// Orthogonal needs a matrix at least, Identity just a matrix.
void checkRank(const std::string& class_name, const std::string& variable, const LayerInfo& info, const std::string& path,
               Diagnostics& diagnostics) {
    const bool identity = class_name == "Identity" || class_name == "OrthogonalRegularizer";
    if (!identity && class_name != "Orthogonal") {
        return;
    }
    for (const VariableInfo& known : info.variables) {
        if (known.name != variable && known.name != variable + "_kernel") {
            continue;
        }
        if (known.shape.size() < 2 || (identity && known.shape.size() > 2)) {
            diagnostics.push_back({Severity::kError, path,
                                   "expected weights of " + std::string(identity ? "two" : "two or more") + " axes for " + class_name +
                                       ", got " + known.name + " " + shapeText(known.shape),
                                   ""});
        }
    }
}

// The settings of initializers, regularizers and constraints; their classes are checked with the layer's own fields.
void checkWeightRules(const LayerSpec& layer, const LayerInfo& info, const std::string& path, Diagnostics& diagnostics) {
    for (const auto& [field, value] : layer.config.entries()) {
        const std::size_t underscore = field.rfind('_');
        const std::string rule = underscore == std::string::npos ? "" : field.substr(underscore + 1);
        const auto schemas = rule == "initializer"   ? initializerSchemas()
                             : rule == "regularizer" ? regularizerSchemas()
                             : rule == "constraint"  ? constraintSchemas()
                                                     : std::span<const ObjectSchema>();
        const auto* box = std::get_if<ObjectBox>(&value);
        const auto* text = std::get_if<std::string>(&value);
        if (schemas.empty() || (box == nullptr && text == nullptr)) {
            continue;
        }
        const ObjectSpec object = box != nullptr ? box->get() : ObjectSpec{*text, {}};
        const ObjectSchema* schema = findSchema(schemas, canonicalClass(schemas, object.class_name));
        if (schema == nullptr) {
            continue;
        }
        const std::string place = path + "." + field, variable = layer.name + "/" + field.substr(0, underscore);
        const std::size_t before = diagnostics.size();
        reportFields(object.config, schema->fields, place, diagnostics);
        if (rule == "constraint" && schema->class_name != "NonNeg" && diagnostics.size() == before) {
            checkAxes(Settings(schema->fields, object.config), variable, info, place, diagnostics);
        } else if (rule == "initializer" || schema->class_name == "OrthogonalRegularizer") {
            checkRank(schema->class_name, variable, info, place, diagnostics);
        }
    }
}

// A layer's own policy; returns its other settings.
Fields checkPolicy(const LayerSpec& layer, const std::string& path, Diagnostics& diagnostics) {
    Fields rest = layer.config;
    const FieldValue* dtype = rest.find("dtype");
    if (dtype == nullptr || std::holds_alternative<std::monostate>(*dtype)) {
        return rest;
    }
    const std::string name = policyName(*dtype).value_or(valueText(*dtype));
    if (!isKnownPolicy(name)) {
        diagnostics.push_back(unknownPolicy(path + ".dtype", name));
    } else if (name == kMixedFloat16Policy) {
        diagnostics.push_back(gpuPolicy(path + ".dtype"));
    }
    rest.erase("dtype");
    return rest;
}

}  // namespace

void validateModel(const ModelSpec& model, Diagnostics& diagnostics) {
    const std::vector<LayerInfo> infos = inferShapes(model);
    checkInput(model, infos, diagnostics);
    std::set<std::string> taken;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const LayerSpec& layer = model.layers[i];
        const std::string path = layerPath(i);
        checkName(layer, path, taken, diagnostics);
        const LayerSchema* schema = findLayerSchema(layer.class_name);
        if (schema == nullptr) {
            diagnostics.push_back(unknownLayer(path + ".class_name", layer.class_name));
            continue;
        }
        for (const LayerSpec& owner : owningLayers(layer)) {
            const layers::LayerDefinition* definition = layers::findLayerDefinition(owner.class_name);
            if (definition != nullptr && definition->takes_ids) checkIds(model, i, owner.class_name, diagnostics);
            checkTexts(model, i, owner, diagnostics);
            checkAdapted(model, i, owner, diagnostics);
        }
        const std::size_t before = diagnostics.size();
        reportFields(checkPolicy(layer, path, diagnostics), schema->fields, path, diagnostics);
        checkWeightRules(layer, infos[i], path, diagnostics);
        for (const LayerSpec& nested : owningLayers(layer)) {
            if (nested.name == layer.name) {
                continue;
            }
            // A layer whose class has layers within it has their rules in its own fields: they are told once.
            const std::string own = path + nested.name.substr(layer.name.size()).replace(0, 1, ".");
            Diagnostics found;
            checkWeightRules(nested, infos[i], isWrapper(layer) ? own : path, found);
            std::copy_if(found.begin(), found.end(), std::back_inserter(diagnostics), [&](const Diagnostic& one) {
                return std::none_of(diagnostics.begin(), diagnostics.end(),
                                    [&](const Diagnostic& known) { return known.path == one.path && known.message == one.message; });
            });
        }
        if (diagnostics.size() == before && !infos[i].error.empty()) {
            const int field = infos[i].error_field;
            diagnostics.push_back({Severity::kError, field < 0 ? path : path + "." + schema->fields[static_cast<std::size_t>(field)].name,
                                   layer.name + ": " + infos[i].error, ""});
        }
    }
    checkMask(model, infos, diagnostics);
    checkTrainable(model, infos, diagnostics);
}

}  // namespace engine::spec
