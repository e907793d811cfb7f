#include "engine/spec/catalog/metric_spec.h"

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/names.h"

namespace engine::spec {

bool isPlainAccuracy(const MetricSpec& metric) {
    const std::string folded = foldedName(metric.name);
    return metric.config.empty() && (folded == "accuracy" || folded == "acc");
}

std::string logName(const MetricSpec& metric) {
    if (metric.config.empty()) {
        return metric.name;
    }
    return metric.config.getString("name", snakeCase(canonicalClass(metricSchemas(), metric.name)));
}

}  // namespace engine::spec
