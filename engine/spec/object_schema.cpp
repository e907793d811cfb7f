#include "engine/spec/object_schema.h"

#include <algorithm>

#include "engine/spec/names.h"

namespace engine::spec {
namespace {

FieldSchema learningRateField(double fallback) {
    return {.name = "learning_rate",
            .kind = FieldKind::kDouble,
            .fallback = fallback,
            .choices = classNames(scheduleSchemas()),
            .minimum = 0,
            .hint = "Step width: a number or a schedule"};
}

FieldSchema decayRateField(std::string name, double fallback) {
    return {.name = std::move(name),
            .kind = FieldKind::kDouble,
            .fallback = fallback,
            .minimum = 0,
            .maximum = 1,
            .hint = "Share of the running mean that is kept in a step"};
}

FieldSchema flagField(std::string name, bool fallback, std::string hint) {
    return {.name = std::move(name), .kind = FieldKind::kBool, .fallback = fallback, .hint = std::move(hint)};
}

}  // namespace

std::span<const ObjectSchema> scheduleSchemas() {
    static const std::vector<ObjectSchema> schemas{
        {"ExponentialDecay",
         {{.name = "initial_learning_rate", .kind = FieldKind::kDouble, .required = true, .minimum = 0, .hint = "Rate of the first step"},
          {.name = "decay_steps",
           .kind = FieldKind::kInt,
           .required = true,
           .minimum = 1,
           .hint = "Steps after which decay_rate applies in full"},
          {.name = "decay_rate",
           .kind = FieldKind::kDouble,
           .required = true,
           .minimum = 0,
           .minimum_excluded = true,
           .hint = "Factor over decay_steps"},
          flagField("staircase", false, "Only whole multiples of decay_steps count")}},
        {"PiecewiseConstantDecay",
         {{.name = "boundaries", .kind = FieldKind::kDoubleList, .required = true, .minimum = 0, .hint = "Last steps of each piece"},
          {.name = "values", .kind = FieldKind::kDoubleList, .required = true, .minimum = 0, .hint = "Rates, one more than boundaries"}}}};
    return schemas;
}

std::span<const ObjectSchema> optimizerSchemas() {
    static const std::vector<ObjectSchema> schemas{
        {"SGD",
         {learningRateField(0.01),
          {.name = "momentum",
           .kind = FieldKind::kDouble,
           .fallback = 0.0,
           .minimum = 0,
           .maximum = 1,
           .hint = "Share of the last step that goes on"},
          flagField("nesterov", false, "Look ahead along the momentum")}},
        {"Adam",
         {learningRateField(0.001),
          decayRateField("beta_1", 0.9),
          decayRateField("beta_2", 0.999),
          {.name = "epsilon", .kind = FieldKind::kDouble, .fallback = 1e-7, .minimum = 0, .hint = "Added to the root of the second moment"},
          flagField("amsgrad", false, "Use the largest second moment so far")}}};
    return schemas;
}

std::span<const ObjectSchema> lossSchemas() {
    static const std::vector<ObjectSchema> schemas{{"SparseCategoricalCrossentropy",
                                                    {flagField("from_logits", false, "The last layer has no softmax"),
                                                     {.name = "reduction",
                                                      .kind = FieldKind::kChoice,
                                                      .fallback = "sum_over_batch_size",
                                                      .choices = {"sum_over_batch_size", "mean", "mean_with_sample_weight"},
                                                      .hint = "How a batch's losses become one number"}}}};
    return schemas;
}

std::span<const std::string> metricNames() {
    static const std::vector<std::string> names{"accuracy", "acc", "sparse_categorical_accuracy", "SparseCategoricalAccuracy"};
    return names;
}

const ObjectSchema* findSchema(std::span<const ObjectSchema> schemas, std::string_view class_name) {
    const auto found = std::find_if(schemas.begin(), schemas.end(), [&](const ObjectSchema& s) { return s.class_name == class_name; });
    return found == schemas.end() ? nullptr : &*found;
}

std::string canonicalClass(std::span<const ObjectSchema> schemas, std::string_view name) {
    const std::string wanted = foldedName(name);
    for (const ObjectSchema& schema : schemas) {
        if (foldedName(schema.class_name) == wanted) {
            return schema.class_name;
        }
    }
    return std::string(name);
}

std::vector<std::string> classNames(std::span<const ObjectSchema> schemas) {
    std::vector<std::string> names;
    for (const ObjectSchema& schema : schemas) {
        names.push_back(schema.class_name);
    }
    return names;
}

}  // namespace engine::spec
