#include <utility>

#include "engine/spec/catalog/objects/object_rows.h"

namespace engine::spec::objects {
namespace {

FieldSchema thresholdField(FieldValue fallback) {
    return {.name = "threshold",
            .kind = FieldKind::kDouble,
            .fallback = std::move(fallback),
            .minimum = 0,
            .maximum = 1,
            .hint = "An output above it counts as 1"};
}

FieldSchema thresholdsField(std::string hint) {
    return {.name = "thresholds", .kind = FieldKind::kDoubleList, .minimum = 0, .maximum = 1, .hint = std::move(hint)};
}

FieldSchema bestField() {
    return {.name = "k",
            .kind = FieldKind::kInt,
            .fallback = std::int64_t{5},
            .minimum = 1,
            .hint = "How many of the largest outputs may be right"};
}

ObjectSchema areaUnderCurve() {
    return {"AUC",
            {{.name = "num_thresholds",
              .kind = FieldKind::kInt,
              .fallback = std::int64_t{200},
              .minimum = 2,
              .maximum = 10000,
              .hint = "Points of the curve"},
             {.name = "curve", .kind = FieldKind::kChoice, .fallback = "ROC", .choices = {"ROC", "PR"}, .hint = "The curve above the area"},
             {.name = "summation_method",
              .kind = FieldKind::kChoice,
              .fallback = "interpolation",
              .choices = {"interpolation", "minoring", "majoring"},
              .hint = "Height between two points"},
             thresholdsField("Points of the curve, instead of even ones"),
             flagField("from_logits", false, "The sigmoid of the outputs counts")}};
}

// A score by class, with the field `beta` or without, in Keras' order.
ObjectSchema classScore(std::string class_name, bool has_beta) {
    ObjectSchema schema{
        std::move(class_name),
        {{.name = "average",
          .kind = FieldKind::kChoice,
          .choices = {"micro", "macro", "weighted"},
          .hint = "micro: all classes as one; macro: the mean of the classes; weighted: their mean by how often each is true"}}};
    if (has_beta) {
        schema.fields.push_back({.name = "beta",
                                 .kind = FieldKind::kDouble,
                                 .fallback = 1.0,
                                 .minimum = 0,
                                 .minimum_excluded = true,
                                 .hint = "Above 1 recall counts more than precision"});
    }
    schema.fields.push_back({.name = "threshold",
                             .kind = FieldKind::kDouble,
                             .minimum = 0,
                             .maximum = 1,
                             .minimum_excluded = true,
                             .hint = "An output above it counts as 1; without it, the largest of each sample"});
    return schema;
}

}  // namespace

std::vector<ObjectSchema> metrics() {
    const std::vector<FieldSchema> threshold{
        thresholdsField("An output above it counts as 1: 0.5 without it; each of several is logged by its own")};
    std::vector<ObjectSchema> all{{"Accuracy", {}},
                                  {"BinaryAccuracy", {thresholdField(0.5)}},
                                  {"CategoricalAccuracy", {}},
                                  {"SparseCategoricalAccuracy", {}},
                                  {"TopKCategoricalAccuracy", {bestField()}},
                                  {"SparseTopKCategoricalAccuracy", {bestField()}},
                                  areaUnderCurve(),
                                  {"Precision", threshold},
                                  {"Recall", threshold},
                                  {"TruePositives", threshold},
                                  {"FalsePositives", threshold},
                                  {"TrueNegatives", threshold},
                                  {"FalseNegatives", threshold},
                                  classScore("F1Score", false),
                                  classScore("FBetaScore", true),
                                  {"RootMeanSquaredError", {}},
                                  {"LogCoshError", {}}};
    // Losses whose mean is a metric, with the same settings but the reduction.
    for (const ObjectSchema& loss : losses()) {
        const std::string& name = loss.class_name;
        if (name == "Huber" || name == "LogCosh" || name.find("Focal") != std::string::npos) continue;
        all.push_back(loss);
        std::erase_if(all.back().fields,
                      [](const FieldSchema& field) { return field.name == "reduction" || field.name == "ignore_class"; });
    }
    return all;
}

}  // namespace engine::spec::objects
