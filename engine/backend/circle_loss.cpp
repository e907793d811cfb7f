#include "engine/backend/circle_loss.h"

namespace engine::backend {

void compareWithOthers(const CircleBatch& batch, std::int64_t i) {
    const std::int64_t n = batch.labels.samples, columns = batch.columns;
    const float* own = batch.scores + i * columns;
    float* distances = batch.distances + i * n;
    for (std::int64_t j = 0; j < n; ++j) {
        const float* other = batch.scores + j * columns;
        double product = 0;
        for (std::int64_t k = 0; k < columns; ++k) product += static_cast<double>(own[k]) * other[k];
        distances[j] = static_cast<float>(1 - product);
    }
    batch.rows[i] = circleRow(batch.loss, batch.labels, i, distances, OneLane{});
}

LossScale circleScale(const CircleBatch& batch) {
    CountedRows counted;
    for (std::int64_t i = 0; i < batch.labels.samples; ++i) {
        const CountedRows one = countedRow(batch.labels, batch.rows[i], i);
        counted.rows += one.rows;
        counted.weights += one.weights;
    }
    return lossScale(batch.loss.reduction, counted, 1);
}

double circleSum(const CircleBatch& batch) {
    double sum = 0;
    for (std::int64_t i = 0; i < batch.labels.samples; ++i) {
        const double weight = batch.labels.weights == nullptr ? 1.0 : static_cast<double>(batch.labels.weights[i]);
        sum += weight * batch.rows[i].loss;
    }
    return sum;
}

void circleGradient(const CircleBatch& batch, const LossScale& scale, std::int64_t i, float* gradient) {
    const std::int64_t n = batch.labels.samples, columns = batch.columns;
    // The columns go by blocks of sums that fit a cache line or two, so that a product's coefficient is made once a block.
    constexpr std::int64_t kBlock = 64;
    for (std::int64_t begin = 0; begin < columns; begin += kBlock) {
        const std::int64_t size = columns - begin < kBlock ? columns - begin : kBlock;
        double sums[kBlock] = {};
        for (std::int64_t j = 0; j < n; ++j) {
            const double coefficient = circleCoefficient(batch.loss, batch.labels, batch.rows, i, j, batch.distances[i * n + j]);
            const float* other = batch.scores + j * columns + begin;
            for (std::int64_t k = 0; k < size; ++k) sums[k] += coefficient * static_cast<double>(other[k]);
        }
        for (std::int64_t k = 0; k < size; ++k) gradient[begin + k] = static_cast<float>(scale.row * sums[k]);
    }
}

}  // namespace engine::backend
