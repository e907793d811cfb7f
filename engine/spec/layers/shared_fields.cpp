#include <utility>

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

FieldSchema regularizerField(std::string name) {
    return {.name = std::move(name),
            .kind = FieldKind::kObject,
            .choices = {"L1", "L2", "L1L2"},
            .hint = "Adds the sizes or squares of the values to the loss"};
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

}  // namespace engine::spec::layers
