#include "engine/backend/cpu/losses/orthogonal_vectors.h"

#include <algorithm>
#include <cmath>

namespace engine::backend::cpu {
namespace {

constexpr double kLargest = 1e7;  // a vector of zeros has no direction

}  // namespace

OrthogonalVectors::OrthogonalVectors(const plan::Penalty& penalty, const spec::Shape& shape, const float* matrix) : matrix_(matrix) {
    const bool rows = penalty.vectors == plan::PenalisedVectors::kRows;
    count_ = rows ? shape[0] : shape[1];
    length_ = rows ? shape[1] : shape[0];
    vector_step_ = rows ? shape[1] : 1;
    element_step_ = rows ? 1 : shape[1];
    over_length_.resize(static_cast<std::size_t>(count_));
    factor_ = count_ > 1 ? static_cast<double>(penalty.orthogonal) / static_cast<double>(count_ * (count_ - 1)) : 0;
}

double OrthogonalVectors::product(std::int64_t i, std::int64_t j) const {
    const float *a = matrix_ + i * vector_step_, *b = matrix_ + j * vector_step_;
    double sum = 0;
    for (std::int64_t k = 0; k < length_; ++k) sum += static_cast<double>(a[k * element_step_]) * b[k * element_step_];
    return sum;
}

void OrthogonalVectors::measure(std::int64_t i) {
    over_length_[static_cast<std::size_t>(i)] = std::min(1 / std::sqrt(product(i, i)), kLargest);
}

double OrthogonalVectors::part(std::int64_t i) const {
    double sum = 0;
    for (std::int64_t j = 0; j < count_; ++j) sum += i == j ? 0 : std::abs(product(i, j)) * overLength(j);
    return factor_ * sum * overLength(i);
}

void OrthogonalVectors::addSlope(std::int64_t i, double scale, double* pull, float* gradient) const {
    std::fill_n(pull, length_, 0.0);
    const double own = overLength(i);
    double along = 0;
    for (std::int64_t j = 0; j < count_; ++j) {
        const double both = i == j ? 0 : product(i, j);
        if (both == 0) continue;
        const double other = overLength(j);
        along += std::abs(both) * own * other;
        for (std::int64_t k = 0; k < length_; ++k) {
            const double value = matrix_[j * vector_step_ + k * element_step_];
            pull[k] += both > 0 ? value * other : -value * other;
        }
    }
    for (std::int64_t k = 0; k < length_; ++k) {
        const std::int64_t at = i * vector_step_ + k * element_step_;
        const double back = own < kLargest ? along * own * matrix_[at] : 0;
        gradient[at] += static_cast<float>(2 * factor_ * scale * own * (pull[k] - back));
    }
}

}  // namespace engine::backend::cpu
