#include <algorithm>
#include <array>
#include <string_view>
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

// The best of one at a threshold where another, the field, is as large as asked.
ObjectSchema bestAt(std::string class_name, std::string field) {
    return {std::move(class_name),
            {{.name = std::move(field),
              .kind = FieldKind::kDouble,
              .required = true,
              .minimum = 0,
              .maximum = 1,
              .hint = "What it has to be at least where the other is the best"},
             {.name = "num_thresholds",
              .kind = FieldKind::kInt,
              .fallback = std::int64_t{200},
              .minimum = 1,
              .maximum = 10000,
              .hint = "How many outputs from 0 to 1 are tried as the bound between the classes"},
             {.name = "class_id", .kind = FieldKind::kInt, .minimum = 0, .hint = "The one class that counts; without it all do"}}};
}

FieldSchema targetsField(FieldValue fallback, double maximum) {
    const bool is_required = std::holds_alternative<std::monostate>(fallback);
    return {.name = "target_class_ids",
            .kind = FieldKind::kIntList,
            .fallback = std::move(fallback),
            .required = is_required,
            .minimum = 0,
            .maximum = maximum,
            .hint = "Classes whose mean it is"};
}

enum class OverlapTargets { kNamed, kAll };
enum class OverlapLabels { kAny, kRows };

// The overlap of labels and predictions, class by class.
ObjectSchema overlap(std::string class_name, OverlapTargets targets, OverlapLabels labels) {
    constexpr double kMostClasses = 10000;
    ObjectSchema schema{std::move(class_name),
                        {{.name = "num_classes",
                          .kind = FieldKind::kInt,
                          .required = true,
                          .minimum = 2,
                          .maximum = kMostClasses,
                          .hint = "How many classes there are"}}};
    if (targets == OverlapTargets::kNamed) schema.fields.push_back(targetsField({}, kMostClasses - 1));
    schema.fields.push_back({.name = "ignore_class", .kind = FieldKind::kInt, .hint = "Label of what does not count"});
    if (labels == OverlapLabels::kAny) {
        schema.fields.push_back(flagField("sparse_y_true", true, "Labels are class indices, not rows with the largest at the class"));
    }
    schema.fields.push_back(
        flagField("sparse_y_pred", labels == OverlapLabels::kAny, "Outputs are class indices, not rows with the largest at the class"));
    return schema;
}

ObjectSchema determination() {
    return {"R2Score",
            {{.name = "class_aggregation",
              .kind = FieldKind::kChoice,
              .fallback = "uniform_average",
              .choices = {"uniform_average", "variance_weighted_average"},
              .hint = "How the outputs' scores become one: all alike, or by how much their labels vary"},
             {.name = "num_regressors",
              .kind = FieldKind::kInt,
              .fallback = std::int64_t{0},
              .minimum = 0,
              .hint = "Independent inputs, for the adjusted score; 0: the plain one"}}};
}

// True for a loss that Keras has no metric of.
bool isLossAlone(std::string_view loss) {
    static constexpr std::array<std::string_view, 9> kNames{"CategoricalFocalCrossentropy",
                                                            "BinaryFocalCrossentropy",
                                                            "Huber",
                                                            "LogCosh",
                                                            "Dice",
                                                            "Tversky",
                                                            "Circle",
                                                            "CategoricalGeneralizedCrossEntropy",
                                                            "CTC"};
    return std::find(kNames.begin(), kNames.end(), loss) != kNames.end();
}

}  // namespace

std::vector<ObjectSchema> metrics() {
    const std::vector<FieldSchema> threshold{
        thresholdsField("An output above it counts as 1: 0.5 without it; each of several is logged by its own")};
    FieldSchema overlap_threshold = thresholdField(0.5);
    overlap_threshold.minimum = -1e300;
    overlap_threshold.maximum = 1e300;
    overlap_threshold.hint = "An output from it on counts as 1";
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
                                  bestAt("PrecisionAtRecall", "recall"),
                                  bestAt("RecallAtPrecision", "precision"),
                                  bestAt("SensitivityAtSpecificity", "specificity"),
                                  bestAt("SpecificityAtSensitivity", "sensitivity"),
                                  overlap("IoU", OverlapTargets::kNamed, OverlapLabels::kAny),
                                  {"BinaryIoU", {targetsField(std::vector<std::int64_t>{0, 1}, 1), overlap_threshold}},
                                  overlap("MeanIoU", OverlapTargets::kAll, OverlapLabels::kAny),
                                  overlap("OneHotIoU", OverlapTargets::kNamed, OverlapLabels::kRows),
                                  overlap("OneHotMeanIoU", OverlapTargets::kAll, OverlapLabels::kRows),
                                  determination(),
                                  {"PearsonCorrelation", {}, kSinceKeras3},
                                  {"ConcordanceCorrelation", {}, kSinceKeras3},
                                  {"RootMeanSquaredError", {}},
                                  {"LogCoshError", {}}};
    // Losses whose mean is a metric, with the same settings but the reduction.
    for (const ObjectSchema& loss : losses()) {
        const std::string& name = loss.class_name;
        if (isLossAlone(name)) continue;
        all.push_back(loss);
        std::erase_if(all.back().fields,
                      [](const FieldSchema& field) { return field.name == "reduction" || field.name == "ignore_class"; });
    }
    return all;
}

}  // namespace engine::spec::objects
