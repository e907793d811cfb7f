// Keras' circle loss: samples of a batch, each a vector y of length 1 with a whole number for its label, are compared with each other.
// With the distance d = max(1 - y_i y_j, 0) of two samples and the margin m, their score is
//   of one label (a sample with itself, too, unless the diagonal is removed)   -gamma max(m + d, 0) (m - d)
//   of two labels                                                              gamma max(1 + m - d, 0) (1 - m - d)
// and the loss of sample i is softplus(a + b), a and b the logarithms of its sums of e^score over the pairs of one label and of two. A
// sample that lacks one sort of pair has no loss; a mean is one over the samples with a loss.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/backend/loss_formulas.h"
#include "engine/backend/loss_weights.h"
#include "engine/backend/row_lanes.h"

namespace engine::backend {

// A sample among the others.
struct CircleRow {
    double log_near = 0, log_far = 0;  // of its sums over pairs of one label, of two
    double loss = 0;                   // 0: it does not count
    double slope = 0;                  // of the loss by a + b, times the sample's weight
};

enum class CirclePair { kNone, kNear, kFar };

TANDEM_DEVICE inline CirclePair circlePair(const plan::LossAttributes& loss, const std::int32_t* labels, std::int64_t i, std::int64_t j) {
    if (labels[i] != labels[j]) return CirclePair::kFar;
    return i == j && loss.remove_diagonal ? CirclePair::kNone : CirclePair::kNear;
}

struct CircleScore {
    double value, slope;  // slope: by the distance
};
TANDEM_DEVICE inline CircleScore circleScore(const plan::LossAttributes& loss, CirclePair pair, double d) {
    const double m = loss.margin, gamma = loss.gamma;
    if (pair == CirclePair::kNear) return {gamma * (d * d - m * m), 2 * gamma * d};
    if (d > 1 + m) return {0, 0};
    return {gamma * ((1 - d) * (1 - d) - m * m), -2 * gamma * (1 - d)};
}

inline constexpr double kNoCircleScore = -std::numeric_limits<double>::infinity();
inline constexpr double kLeastCircleLoss = std::numeric_limits<float>::min();

// `raw`: 1 - y_i y_j, which rounding may have made less than 0.
template <typename Lanes>
TANDEM_DEVICE CircleRow circleRow(const plan::LossAttributes& loss, const LossBatch& labels, std::int64_t i, const float* raw,
                                  Lanes lanes) {
    const auto score = [&](std::int64_t j, CirclePair pair) { return circleScore(loss, pair, larger(static_cast<double>(raw[j]), 0.0)); };
    double top_near = kNoCircleScore, top_far = kNoCircleScore;
    for (std::int64_t j = lanes.first(); j < labels.samples; j += lanes.step()) {
        const CirclePair pair = circlePair(loss, labels.classes, i, j);
        if (pair == CirclePair::kNear) top_near = larger(top_near, score(j, pair).value);
        if (pair == CirclePair::kFar) top_far = larger(top_far, score(j, pair).value);
    }
    top_near = lanes.largest(top_near);
    top_far = lanes.largest(top_far);
    double near = 0, far = 0;
    for (std::int64_t j = lanes.first(); j < labels.samples; j += lanes.step()) {
        const CirclePair pair = circlePair(loss, labels.classes, i, j);
        if (pair == CirclePair::kNear) near += std::exp(score(j, pair).value - top_near);
        if (pair == CirclePair::kFar) far += std::exp(score(j, pair).value - top_far);
    }
    near = lanes.sum(near);
    far = lanes.sum(far);
    CircleRow row;
    if (top_near == kNoCircleScore || top_far == kNoCircleScore) return row;
    row.log_near = std::log(near) + top_near;
    row.log_far = std::log(far) + top_far;
    const double x = row.log_near + row.log_far;
    const double softplus = larger(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
    if (softplus < kLeastCircleLoss) return row;  // Keras' float32 is 0 there
    row.loss = softplus;
    row.slope = sigmoidOf(x) * (labels.weights == nullptr ? 1.0 : static_cast<double>(labels.weights[i]));
    return row;
}

// What of a pair's score comes through the loss of one of its samples.
TANDEM_DEVICE inline double circleShare(const CircleRow& row, CirclePair pair, double score) {
    return row.slope == 0 ? 0 : row.slope * std::exp(score - (pair == CirclePair::kNear ? row.log_near : row.log_far));
}
// How the batch's loss changes with the product y_i y_j, without the scale.
TANDEM_DEVICE inline double circleCoefficient(const plan::LossAttributes& loss, const LossBatch& labels, const CircleRow* rows,
                                              std::int64_t i, std::int64_t j, float raw) {
    const CirclePair pair = circlePair(loss, labels.classes, i, j);
    if (pair == CirclePair::kNone || raw < 0) return 0;
    const CircleScore score = circleScore(loss, pair, static_cast<double>(raw));
    return -(circleShare(rows[i], pair, score.value) + circleShare(rows[j], pair, score.value)) * score.slope;
}

// A batch on the host. What it points to must outlive it.
struct CircleBatch {
    const plan::LossAttributes& loss;
    LossBatch labels;
    const float* scores;  // (samples, columns)
    std::int64_t columns;
    float* distances;  // (samples, samples): 1 - y_i y_j
    CircleRow* rows;   // (samples)
};
// Writes sample i's distances and its row.
void compareWithOthers(const CircleBatch& batch, std::int64_t i);
// These need the rows of all samples.
LossScale circleScale(const CircleBatch& batch);
double circleSum(const CircleBatch& batch);  // of losses times weights
void circleGradient(const CircleBatch& batch, const LossScale& scale, std::int64_t i, float* gradient);

// What a row adds to the counts that a mean is made with.
TANDEM_DEVICE inline CountedRows countedRow(const LossBatch& labels, const CircleRow& row, std::int64_t i) {
    if (row.loss <= 0) return {};
    return {1, labels.weights == nullptr ? 1.0 : static_cast<double>(labels.weights[i])};
}

}  // namespace engine::backend
