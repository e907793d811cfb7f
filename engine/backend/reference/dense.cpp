#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/backend/reference/kernels.h"
#include "engine/spec/error.h"

namespace engine::backend::reference {
namespace {

std::size_t matrixCell(std::int64_t row, std::int64_t column, std::int64_t columns) {
    return static_cast<std::size_t>(row * columns + column);
}

// Softmax of one row, in double.
std::vector<double> softmax(std::span<const float> row) {
    const double largest = *std::max_element(row.begin(), row.end());
    std::vector<double> result;
    double sum = 0;
    for (float value : row) {
        result.push_back(std::exp(value - largest));
        sum += result.back();
    }
    for (double& value : result) value /= sum;
    return result;
}

}  // namespace

void matMul(const MatrixSizes& s, std::span<const float> x, std::span<const float> w, std::span<float> y) {
    for (std::int64_t r = 0; r < s.rows; ++r)
        for (std::int64_t c = 0; c < s.columns; ++c) {
            double sum = 0;
            for (std::int64_t k = 0; k < s.inner; ++k)
                sum += static_cast<double>(x[matrixCell(r, k, s.inner)]) * w[matrixCell(k, c, s.columns)];
            y[matrixCell(r, c, s.columns)] = static_cast<float>(sum);
        }
}

void matMulBackInput(const MatrixSizes& s, std::span<const float> dy, std::span<const float> w, std::span<float> dx) {
    for (std::int64_t r = 0; r < s.rows; ++r)
        for (std::int64_t k = 0; k < s.inner; ++k) {
            double sum = 0;
            for (std::int64_t c = 0; c < s.columns; ++c)
                sum += static_cast<double>(dy[matrixCell(r, c, s.columns)]) * w[matrixCell(k, c, s.columns)];
            dx[matrixCell(r, k, s.inner)] = static_cast<float>(sum);
        }
}

void matMulBackWeight(const MatrixSizes& s, std::span<const float> x, std::span<const float> dy, std::span<float> dw) {
    for (std::int64_t k = 0; k < s.inner; ++k)
        for (std::int64_t c = 0; c < s.columns; ++c) {
            double sum = 0;
            for (std::int64_t r = 0; r < s.rows; ++r)
                sum += static_cast<double>(x[matrixCell(r, k, s.inner)]) * dy[matrixCell(r, c, s.columns)];
            dw[matrixCell(k, c, s.columns)] = static_cast<float>(sum);
        }
}

void biasAdd(std::span<const float> x, std::span<const float> bias, std::span<float> y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] + bias[i % bias.size()];
}

void biasAddBack(std::span<const float> dy, std::span<float> dbias) {
    std::vector<double> sums(dbias.size());
    for (std::size_t i = 0; i < dy.size(); ++i) sums[i % sums.size()] += dy[i];
    std::transform(sums.begin(), sums.end(), dbias.begin(), [](double sum) { return static_cast<float>(sum); });
}

LossSums crossEntropy(Scores kind, std::int64_t classes, std::span<const float> scores, std::span<const std::int32_t> labels, double scale,
                      std::span<float> dscores) {
    constexpr double kEpsilon = 1e-7;
    LossSums sums;
    for (std::size_t sample = 0; sample < labels.size(); ++sample) {
        const std::span<const float> row = scores.subspan(sample * static_cast<std::size_t>(classes), static_cast<std::size_t>(classes));
        const auto target = static_cast<std::size_t>(labels[sample]);
        ENGINE_CHECK(target < row.size());
        if (static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin()) == target) sums.correct += 1;
        std::vector<double> gradient;
        if (kind == Scores::kLogits) {
            const double largest = *std::max_element(row.begin(), row.end());
            double total = 0;
            for (float z : row) total += std::exp(z - largest);
            sums.loss += std::log(total) + largest - row[target];
            gradient = softmax(row);
            gradient[target] -= 1;
        } else {
            std::vector<double> clipped;
            double total = 0;
            for (float p : row) {
                clipped.push_back(std::clamp<double>(p, kEpsilon, 1 - kEpsilon));
                total += clipped.back();
            }
            sums.loss += std::log(total / clipped[target]);
            for (std::size_t i = 0; i < row.size(); ++i) {
                const bool is_inside = row[i] >= kEpsilon && row[i] <= 1 - kEpsilon;
                gradient.push_back(is_inside ? 1 / total - (i == target ? 1 / clipped[i] : 0) : 0);
            }
        }
        if (dscores.empty()) continue;
        for (std::size_t i = 0; i < row.size(); ++i) dscores[sample * row.size() + i] = static_cast<float>(scale * gradient[i]);
    }
    return sums;
}

}  // namespace engine::backend::reference
