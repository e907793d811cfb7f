#include "engine/spec/catalog/metric_spec.h"

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/names.h"

namespace engine::spec {

bool isPlainAccuracy(const MetricSpec& metric) {
    const std::string folded = foldedName(metric.name);
    return metric.config.empty() && (folded == "accuracy" || folded == "acc");
}

// Some classes do not follow their own names.
std::string usualLogName(const std::string& class_name) {
    if (class_name == "FBetaScore") return "fbeta_score";
    if (class_name == "LogCoshError") return "logcosh";
    constexpr std::string_view kOverlap = "IoU";
    if (class_name.ends_with(kOverlap)) {  // Keras takes its U for a word
        const std::string of = snakeCase(class_name.substr(0, class_name.size() - kOverlap.size()));
        return of.empty() ? "io_u" : of + "_io_u";
    }
    return snakeCase(class_name);
}

std::string logName(const MetricSpec& metric) {
    if (metric.config.empty()) {
        return metric.name;
    }
    return metric.config.getString("name", usualLogName(canonicalClass(metricSchemas(), metric.name)));
}

std::span<const MetricSpec> offeredMetrics() {
    static const std::vector<MetricSpec> metrics{"accuracy",
                                                 "sparse_categorical_accuracy",
                                                 "categorical_accuracy",
                                                 "binary_accuracy",
                                                 "sparse_top_k_categorical_accuracy",
                                                 "top_k_categorical_accuracy",
                                                 "mse",
                                                 "mae",
                                                 "root_mean_squared_error",
                                                 "auc",
                                                 "precision",
                                                 "recall",
                                                 {"F1Score", {{"average", "macro"}}},
                                                 {"FBetaScore", {{"average", "macro"}, {"beta", 2.0}}},
                                                 {"PrecisionAtRecall", {{"recall", 0.5}}},
                                                 {"RecallAtPrecision", {{"precision", 0.5}}},
                                                 {"SensitivityAtSpecificity", {{"specificity", 0.5}}},
                                                 {"SpecificityAtSensitivity", {{"sensitivity", 0.5}}},
                                                 {"BinaryIoU", {{"threshold", 0.5}}},
                                                 "r2_score",
                                                 "pearson_correlation",
                                                 "concordance_correlation"};
    return metrics;
}

}  // namespace engine::spec
