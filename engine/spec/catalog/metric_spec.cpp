#include "engine/spec/catalog/metric_spec.h"

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/names.h"

namespace engine::spec {
namespace {

// Keras' name of a metric in the logs where it was given none: two classes do not follow their own names.
std::string usualLogName(const std::string& class_name) {
    if (class_name == "FBetaScore") return "fbeta_score";
    if (class_name == "LogCoshError") return "logcosh";
    return snakeCase(class_name);
}

}  // namespace

bool isPlainAccuracy(const MetricSpec& metric) {
    const std::string folded = foldedName(metric.name);
    return metric.config.empty() && (folded == "accuracy" || folded == "acc");
}

std::string logName(const MetricSpec& metric) {
    if (metric.config.empty()) {
        return metric.name;
    }
    return metric.config.getString("name", usualLogName(canonicalClass(metricSchemas(), metric.name)));
}

}  // namespace engine::spec
