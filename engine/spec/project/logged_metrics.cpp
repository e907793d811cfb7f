#include "engine/spec/project/logged_metrics.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/catalog/object_schema.h"

namespace engine::spec {
namespace {

std::string shortest(double value) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

// More than one for a metric that is counted at several thresholds; an AUC's are points of its one curve.
std::vector<double> thresholdsOf(const MetricSpec& metric) {
    const FieldValue* value = metric.config.find("thresholds");
    const bool is_list = value != nullptr &&
                         (std::holds_alternative<std::vector<double>>(*value) || std::holds_alternative<std::vector<std::int64_t>>(*value));
    if (!is_list || canonicalClass(metricSchemas(), metric.name) == "AUC") {
        return {};
    }
    return metric.config.getDoubles("thresholds", {});
}

// False where the data are known to have no test set; an archive of arrays tells itself whether it holds one.
bool mayHaveTest(const DataSpec& data) {
    const DatasetFormat* format = findDatasetFormat(data.dataset);
    if (format == nullptr || format->name == "npz") {
        return true;
    }
    return format->has_pairs ? !data.test_images.empty() : !data.test_files.empty();
}

void add(const MetricSpec& metric, const std::string& name, bool weighted, std::vector<LoggedMetric>& logged) {
    const std::vector<double> thresholds = thresholdsOf(metric);
    if (thresholds.size() < 2) {
        logged.push_back({name, metric, weighted});
        return;
    }
    for (const double threshold : thresholds) {
        MetricSpec one = metric;
        one.config.set("thresholds", threshold);
        logged.push_back({name + "_at_" + shortest(threshold), std::move(one), weighted});
    }
}

}  // namespace

std::vector<LoggedMetric> loggedMetrics(const CompileSpec& compile) {
    std::vector<LoggedMetric> logged;
    std::set<std::string> taken;
    for (const MetricSpec& metric : compile.metrics) {
        taken.insert(logName(metric));
        add(metric, logName(metric), false, logged);
    }
    for (const MetricSpec& metric : compile.weighted_metrics) {
        const std::string name = logName(metric);
        add(metric, taken.contains(name) ? "weighted_" + name : name, true, logged);
    }
    return logged;
}

std::set<std::string> monitoredNames(const RunSpec& run) {
    const bool validates = run.data.validation_split > 0 || (run.data.validate_on_test && mayHaveTest(run.data));
    std::set<std::string> names{"loss"};
    const auto tells_rate = [](const ObjectSpec& callback) {
        return callback.class_name == "LearningRateScheduler" || callback.class_name == "ReduceLROnPlateau";
    };
    if (std::any_of(run.callbacks.begin(), run.callbacks.end(), tells_rate)) {
        names.insert("learning_rate");
    }
    if (validates) {
        names.insert("val_loss");
    }
    for (const LoggedMetric& metric : loggedMetrics(run.compile)) {
        names.insert(metric.name);
        if (validates) {
            names.insert("val_" + metric.name);
        }
    }
    return names;
}

}  // namespace engine::spec
