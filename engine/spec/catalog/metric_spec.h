// A metric as compile() names it.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "engine/spec/fields.h"

namespace engine::spec {

// Keras' name ("accuracy", "mse", "AUC"), or a class with settings: {"class_name": "AUC", "config": {"curve": "PR"}} in JSON. A bare name
// is a text everywhere: it converts from and to one.
struct MetricSpec {
    std::string name;
    Fields config{};  // not empty for a class given with its settings

    MetricSpec() = default;
    MetricSpec(std::string metric, Fields settings = {})  // NOLINT(google-explicit-constructor)
        : name(std::move(metric)), config(std::move(settings)) {}
    MetricSpec(const char* metric) : name(metric) {}      // NOLINT(google-explicit-constructor)
    operator const std::string&() const { return name; }  // NOLINT(google-explicit-constructor)
    friend bool operator==(const MetricSpec&, const MetricSpec&) = default;
};

// "accuracy" or "acc": the accuracy that fits loss and shapes.
bool isPlainAccuracy(const MetricSpec& metric);
// The name in logs, without val_: a bare name itself; else the setting "name", or the class in Keras' snake case.
std::string logName(const MetricSpec& metric);
// Keras' name in logs of a metric of this class that was given none: "auc", "binary_io_u", "logcosh".
std::string usualLogName(const std::string& class_name);
// The metrics to choose from, as compile() takes them: each is complete as it stands. Static data, safe from any thread.
std::span<const MetricSpec> offeredMetrics();

}  // namespace engine::spec
