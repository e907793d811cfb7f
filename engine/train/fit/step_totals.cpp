#include "engine/train/fit/step_totals.h"

#include <algorithm>
#include <cmath>

#include "engine/plan/metric.h"

namespace engine::train {
namespace {

bool isAccuracy(const plan::NamedMetric& metric) {
    return metric.attributes.kind <= plan::MetricKind::kSparseCategoricalAccuracy;
}

}  // namespace

StepTotals::StepTotals(const plan::Plan& plan)
    : sums_(static_cast<std::size_t>(plan::elementCount(plan.tensors[static_cast<std::size_t>(plan.header)])), 0.0),
      metrics_(plan.metrics) {}

void StepTotals::clear() {
    std::fill(sums_.begin(), sums_.end(), 0.0);
}

void StepTotals::add(const backend::StepResult& step) {
    std::transform(sums_.begin(), sums_.end(), step.header.begin(), sums_.begin(), [](double sum, float value) { return sum + value; });
}

void StepTotals::set(const backend::StepResult& step) {
    std::copy_n(step.header.begin(), sums_.size(), sums_.begin());
}

double StepTotals::samples() const {
    return sums_[plan::StepHeader::kCount];
}

double StepTotals::loss() const {
    return plan::lossValue(sums_);
}

double StepTotals::metric(std::size_t index) const {
    return plan::metricValue(metrics_[index].attributes, sums_);
}

double StepTotals::accuracy() const {
    const auto found = std::find_if(metrics_.begin(), metrics_.end(), isAccuracy);
    return found == metrics_.end() ? std::nan("") : plan::metricValue(found->attributes, sums_);
}

Logs StepTotals::logs() const {
    Logs logs{{"loss", loss()}};
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
        logs.emplace_back(metrics_[i].name, metric(i));
    }
    std::sort(logs.begin(), logs.end());
    return logs;
}

}  // namespace engine::train
