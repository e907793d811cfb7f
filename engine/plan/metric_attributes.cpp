#include "engine/plan/metric_attributes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace engine::plan {
namespace {

constexpr std::array<std::pair<MetricKind, std::string_view>, 29> kMetricNames{{
    {MetricKind::kAccuracy, "Accuracy"},
    {MetricKind::kBinaryAccuracy, "BinaryAccuracy"},
    {MetricKind::kCategoricalAccuracy, "CategoricalAccuracy"},
    {MetricKind::kSparseCategoricalAccuracy, "SparseCategoricalAccuracy"},
    {MetricKind::kTopKCategoricalAccuracy, "TopKCategoricalAccuracy"},
    {MetricKind::kSparseTopKCategoricalAccuracy, "SparseTopKCategoricalAccuracy"},
    {MetricKind::kCosineSimilarity, "CosineSimilarity"},
    {MetricKind::kPearsonCorrelation, "PearsonCorrelation"},
    {MetricKind::kConcordanceCorrelation, "ConcordanceCorrelation"},
    {MetricKind::kRootMeanSquaredError, "RootMeanSquaredError"},
    {MetricKind::kF1Score, "F1Score"},
    {MetricKind::kFBetaScore, "FBetaScore"},
    {MetricKind::kIoU, "IoU"},
    {MetricKind::kIoU, "MeanIoU"},
    {MetricKind::kIoU, "OneHotIoU"},
    {MetricKind::kIoU, "OneHotMeanIoU"},
    {MetricKind::kBinaryIoU, "BinaryIoU"},
    {MetricKind::kR2Score, "R2Score"},
    {MetricKind::kTruePositives, "TruePositives"},
    {MetricKind::kFalsePositives, "FalsePositives"},
    {MetricKind::kTrueNegatives, "TrueNegatives"},
    {MetricKind::kFalseNegatives, "FalseNegatives"},
    {MetricKind::kPrecision, "Precision"},
    {MetricKind::kRecall, "Recall"},
    {MetricKind::kAuc, "AUC"},
    {MetricKind::kPrecisionAtRecall, "PrecisionAtRecall"},
    {MetricKind::kRecallAtPrecision, "RecallAtPrecision"},
    {MetricKind::kSensitivityAtSpecificity, "SensitivityAtSpecificity"},
    {MetricKind::kSpecificityAtSensitivity, "SpecificityAtSensitivity"},
}};

}  // namespace

std::string_view toString(MetricKind kind) {
    if (kind == MetricKind::kMeanLoss) return "MeanLoss";
    return std::find_if(kMetricNames.begin(), kMetricNames.end(), [kind](const auto& row) { return row.first == kind; })->second;
}

std::optional<MetricKind> metricKind(std::string_view class_name) {
    const auto row =
        std::find_if(kMetricNames.begin(), kMetricNames.end(), [class_name](const auto& known) { return known.second == class_name; });
    return row == kMetricNames.end() ? std::nullopt : std::optional(row->first);
}

bool countsByThreshold(MetricKind kind) {
    return kind >= MetricKind::kTruePositives;
}

bool countsByClass(MetricKind kind) {
    return kind == MetricKind::kF1Score || kind == MetricKind::kFBetaScore;
}

bool countsOverlap(MetricKind kind) {
    return kind == MetricKind::kIoU || kind == MetricKind::kBinaryIoU;
}

bool countsByColumn(MetricKind kind) {
    return kind == MetricKind::kR2Score;
}

bool isMeanOfRows(MetricKind kind) {
    return kind < MetricKind::kF1Score;
}

}  // namespace engine::plan
