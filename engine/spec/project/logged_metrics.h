// What a project's metrics are called in logs, and how many there are.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/spec/project/run_spec.h"

namespace engine::spec {

struct LoggedMetric {
    std::string name;  // in logs, without val_
    MetricSpec metric;
    bool weighted = false;  // of weighted_metrics
    friend bool operator==(const LoggedMetric&, const LoggedMetric&) = default;
};

// metrics, then weighted_metrics: one whose name is taken is weighted_<name>, as in Keras. A metric with several thresholds, for which
// Keras logs an array, becomes one a threshold: "recall_at_0.3", "recall_at_0.7".
std::vector<LoggedMetric> loggedMetrics(const CompileSpec& compile);

// What callbacks can monitor: loss and the metrics, each with its val_ where the run validates, and the learning_rate where a callback that
// sets it tells the others; in order of letters.
std::set<std::string> monitoredNames(const RunSpec& run);

}  // namespace engine::spec
