#pragma once

#include <span>
#include <vector>

#include "engine/plan/plan.h"
#include "engine/spec/project/run_spec.h"

namespace engine::plan {

// Keras' metrics for a loss and a model whose output has `columns` values along its last axis: "accuracy" becomes the accuracy that fits.
// Throws Error(kUnimplemented) for a metric or a setting that no executor has, kInvalidArgument for one that does not go with the labels.
std::vector<NamedMetric> resolveMetrics(const spec::CompileSpec& compile, LossKind loss, std::int64_t columns);

// True when the metric has the same value for logits as for their softmax.
bool looksAtOrderAlone(const MetricAttributes& metric);

// Adds the ops that add up what the fused loss does not count, and the metrics' places in the header, which grows for them. Called after
// lowerLoss(). `read`: what each metric reads in the place of the plan's output, of the same shape, or kNoTensor. `mask` says which rows of
// the output count, or is kNoTensor. Keras' metrics that are no mean of a function's values do not look at it.
void lowerMetrics(Plan& plan, std::vector<NamedMetric> metrics, std::span<const TensorId> read, TensorId mask);

// A metric's value from the sums of a step's or an epoch's headers; 0 where there is nothing to divide by.
double metricValue(const MetricAttributes& metric, std::span<const double> header);
// "loss" of the same sums: the mean over the examples.
double lossValue(std::span<const double> header);

}  // namespace engine::plan
