#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {

FieldSchema activationField() {
    return {
        .name = "activation",
        .kind = FieldKind::kChoice,
        .fallback = "linear",
        .choices =
            {"linear",           "relu",        "relu6",        "leaky_relu",  "elu",        "selu",        "celu",          "gelu",
             "gelu_approximate", "sigmoid",     "hard_sigmoid", "tanh",        "hard_tanh",  "softmax",     "log_softmax",   "sparsemax",
             "softplus",         "softsign",    "silu",         "swish",       "hard_silu",  "hard_swish",  "mish",          "exponential",
             "log_sigmoid",      "tanh_shrink", "soft_shrink",  "hard_shrink", "squareplus", "sparse_plus", "sparse_sigmoid"},
        .hint = "Function applied to the output",
        .choices_since_keras_3 = {"celu", "hard_silu", "hard_swish", "hard_tanh", "log_sigmoid", "sparsemax", "squareplus", "tanh_shrink",
                                  "soft_shrink", "hard_shrink", "sparse_plus", "sparse_sigmoid"}};
}

std::optional<ShapeFault> expectMask(const LayerInfo& info, const Shape& sizes) {
    if (!info.input_mask || *info.input_mask == sizes) return std::nullopt;
    return ShapeFault{"", "expected a mask of the sizes " + batchShapeText(sizes) + ", got " + batchShapeText(*info.input_mask)};
}

FieldSchema axisField() {
    return {.name = "axis",
            .kind = FieldKind::kIntList,
            .fallback = std::int64_t{-1},
            .minimum = -kMaximumSize,
            .maximum = kMaximumSize,
            .hint = "Axes that are taken together"};
}

std::optional<ShapeFault> readNamedAxes(const Settings& settings, const Shape& input, Shape& sizes, AxisCount count) {
    const auto rank = static_cast<std::int64_t>(input.size()) + 1;
    std::vector<std::int64_t> axes = settings.getInts("axis");
    std::string got;
    for (std::int64_t& axis : axes) {
        got += (got.empty() ? "" : ", ") + std::to_string(axis);
        axis = axis < 0 ? axis + rank : axis;
    }
    std::sort(axes.begin(), axes.end());
    const bool can_be = !axes.empty() && axes.front() >= 1 && axes.back() < rank && (count == AxisCount::kAny || axes.size() == 1) &&
                        std::adjacent_find(axes.begin(), axes.end()) == axes.end();
    if (!can_be) {
        const std::string most = std::to_string(rank - 1);
        const std::string expected = count == AxisCount::kOne ? "expected an axis from 1 to " + most + ", or -1 for the last"
                                                              : "expected axes from 1 to " + most + ", or from -1 downwards, each once";
        return ShapeFault{"axis", expected + ", got " + (got.empty() ? "none" : got)};
    }
    sizes.assign(input.end() - static_cast<std::ptrdiff_t>(axes.size()), input.end());
    return std::nullopt;
}

FieldSchema initializerField(std::string name, std::string_view class_name) {
    return {.name = std::move(name),
            .kind = FieldKind::kObject,
            .fallback = ObjectBox(ObjectSpec{std::string(class_name), {}}),
            .choices = classNames(initializerSchemas()),
            .hint = "Values before the first step"};
}

FieldSchema regularizerField(std::string name) {
    std::vector<std::string> choices{"L1", "L2", "L1L2"};
    if (name != "activity_regularizer") choices.emplace_back("OrthogonalRegularizer");  // of a weight alone
    return {.name = std::move(name),
            .kind = FieldKind::kObject,
            .choices = std::move(choices),
            .hint = "Adds the sizes or squares of the values to the loss"};
}

FieldSchema constraintField(std::string name) {
    return {.name = std::move(name),
            .kind = FieldKind::kObject,
            .choices = {"MaxNorm", "NonNeg", "UnitNorm", "MinMaxNorm"},
            .hint = "What the values are held to after every step"};
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

FieldSchema dataFormatField() {
    return {.name = "data_format",
            .kind = FieldKind::kChoice,
            .fallback = "channels_last",
            .choices = {"channels_last", "channels_first"},
            .hint = "Where the channels lie: behind the other axes or in front of them"};
}

FieldSchema seedField() {
    return {.name = "seed", .kind = FieldKind::kInt, .hint = "Random numbers of its own; empty: from the run's seed"};
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
    for (const std::string& kernel : kernels) fields.push_back(regularizerField(kernel + "_regularizer"));
    fields.push_back(regularizerField("bias_regularizer"));
    fields.push_back(regularizerField("activity_regularizer"));
    for (const std::string& kernel : kernels) fields.push_back(constraintField(kernel + "_constraint"));
    fields.push_back(constraintField("bias_constraint"));
    return fields;
}

}  // namespace engine::spec::layers
