#include "engine/spec/layers/layer_definition.h"

namespace engine::spec::layers {

FieldSchema activationField() {
    return {.name = "activation",
            .kind = FieldKind::kChoice,
            .fallback = "linear",
            .choices = {"linear", "relu", "softmax"},
            .hint = "Function applied to the output"};
}

FieldSchema initializerField(std::string name, std::string_view class_name) {
    return {.name = std::move(name),
            .kind = FieldKind::kObject,
            .fallback = ObjectBox(ObjectSpec{std::string(class_name), {}}),
            .choices = {"GlorotUniform", "GlorotNormal", "HeUniform", "HeNormal", "LecunUniform", "LecunNormal", "RandomNormal",
                        "RandomUniform", "TruncatedNormal", "Zeros", "Ones", "Constant"},
            .hint = "Values before the first step"};
}

FieldSchema useBiasField() {
    return {.name = "use_bias", .kind = FieldKind::kBool, .fallback = true, .hint = "Add a trained offset to every output"};
}

FieldSchema paddingField() {
    return {.name = "padding",
            .kind = FieldKind::kChoice,
            .fallback = "valid",
            .choices = {"valid", "same"},
            .hint = "valid: only whole windows; same: pad so that the size is input divided by stride"};
}

FieldSchema filtersField() {
    return {.name = "filters",
            .kind = FieldKind::kInt,
            .required = true,
            .minimum = 1,
            .maximum = kMaximumSize,
            .hint = "Number of output channels"};
}

FieldSchema sizeField(std::string name, std::int64_t fallback, std::string hint) {
    return {.name = std::move(name),
            .kind = FieldKind::kInt,
            .fallback = fallback,
            .minimum = 1,
            .maximum = kMaximumSize,
            .hint = std::move(hint)};
}

std::vector<FieldSchema> withWeightFields(std::vector<FieldSchema> fields, const std::vector<std::string>& kernels) {
    fields.push_back(activationField());
    fields.push_back(useBiasField());
    for (const std::string& kernel : kernels) fields.push_back(initializerField(kernel + "_initializer", "GlorotUniform"));
    fields.push_back(initializerField("bias_initializer", "Zeros"));
    return fields;
}

}  // namespace engine::spec::layers
