// What a metric op adds up, and how the sums become the metric's value. Sums of steps and of replicas are added before that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/loss_attributes.h"

namespace engine::plan {

enum class MetricKind {
    // (total, count): a value for each row of the predictions (all axes but the last), or for each element; the mean of them.
    kAccuracy,                       // element equal to label
    kBinaryAccuracy,                 // (y > threshold) equal to label
    kCategoricalAccuracy,            // largest y where the largest label is; the first of equal ones
    kSparseCategoricalAccuracy,      // largest y where the label, a class, says
    kTopKCategoricalAccuracy,        // fewer than k scores are above that of the largest label; a target that is not finite is wrong
    kSparseTopKCategoricalAccuracy,  // the same with labels that are classes
    kMeanLoss,                       // a loss's value
    kCosineSimilarity,               // minus the loss's value
    kPearsonCorrelation,             // of labels and predictions along the row; 0 where one of them is the same everywhere
    kConcordanceCorrelation,         // 2 covariance / (both variances + (difference of the means)^2 + 1e-7)
    kRootMeanSquaredError,           // the root of the mean squared error
    // The sums are kept for each class (column): true positives, then false positives, then false negatives. A label counts by its value.
    kF1Score,     // (1 + beta^2) * precision * recall / (beta^2 * precision + recall), averaged over the classes; beta is 1
    kFBetaScore,  // the same with any beta
    // The sums are kept for each class: right predictions, then predictions, then labels. Weights count as whole numbers.
    kIoU,        // right / (predictions + labels - right), the mean of the target classes that are there
    kBinaryIoU,  // the same of elements that are a class 0 or 1 each
    // For each column the sums of label, label^2 and (label - y)^2; then that of the weights and the number of elements.
    kR2Score,  // 1 - the residuals' sum / that around the labels' mean, over the columns
    // Positive and negative elements (label not 0, 0) by the number of thresholds below their y: thresholds + 1 each.
    kTruePositives,
    kFalsePositives,
    kTrueNegatives,
    kFalseNegatives,
    kPrecision,  // tp / (tp + fp)
    kRecall,     // tp / (tp + fn)
    kAuc,        // area under the curve through all thresholds
    // The best of the first over all thresholds where the second is as large as asked.
    kPrecisionAtRecall,
    kRecallAtPrecision,
    kSensitivityAtSpecificity,
    kSpecificityAtSensitivity,
};

std::string_view toString(MetricKind kind);  // Keras' class: "SparseCategoricalAccuracy"; "MeanLoss"
// The kind of that class of Keras; nothing for another name, also for those that are a loss's mean.
std::optional<MetricKind> metricKind(std::string_view class_name);
// How a kind adds up: by threshold, by class, by the class of label and prediction, by column, and where it is none of them as (total,
// count).
bool countsByThreshold(MetricKind kind);
bool countsByClass(MetricKind kind);
bool countsOverlap(MetricKind kind);
bool countsByColumn(MetricKind kind);
bool isMeanOfRows(MetricKind kind);

enum class AucCurve { kRoc, kPrecisionRecall };
enum class AucSummation { kInterpolation, kMinoring, kMajoring };
// One number of the classes' scores: the score of the sums over all classes, the mean of the scores, their mean by how often a class is
// true.
enum class ClassAverage { kMicro, kMacro, kWeighted };

struct MetricAttributes {
    MetricKind kind = MetricKind::kSparseCategoricalAccuracy;
    LossAttributes loss{};        // kMeanLoss
    double threshold = 0.5;       // kBinaryAccuracy, scores of classes
    bool largest_counts = false;  // scores of classes: not what is above the threshold counts as 1, but each largest y of a row
    double beta = 1;              // scores of classes: how much more recall counts than precision
    ClassAverage average = ClassAverage::kMacro;
    std::int64_t k = 5;               // top k
    std::vector<float> thresholds{};  // rising
    bool from_logits = false;         // kAuc: the sigmoid of y counts
    bool weighted = false;            // a row counts by its sample's weight, where the plan has such weights
    AucCurve curve = AucCurve::kRoc;
    AucSummation summation = AucSummation::kInterpolation;
    double asked = 0;                           // of the best at a threshold: the least that the other has to be
    std::optional<std::int64_t> column;         // by threshold: the one column that counts; nothing: all do
    std::int64_t classes = 2;                   // of overlaps
    std::optional<std::int64_t> ignored_class;  // of overlaps: a label that does not count
    bool class_labels = false;                  // of overlaps: a label is a row's class
    bool sparse_predictions = true;             // of overlaps: each y is a class; else the largest of a row says its class
    std::vector<std::int64_t> targets{};        // of overlaps: the classes of the mean
    bool variance_weighted = false;             // kR2Score: columns count by the spread of their labels
    std::int64_t regressors = 0;                // kR2Score, adjusted; 0: not
    int offset = 0, width = 2;                  // of the sums, in floats of the step header
    friend bool operator==(const MetricAttributes&, const MetricAttributes&) = default;
};

// A metric of a plan: its name in logs, without val_.
struct NamedMetric {
    std::string name;
    MetricAttributes attributes{};
    friend bool operator==(const NamedMetric&, const NamedMetric&) = default;
};

}  // namespace engine::plan
