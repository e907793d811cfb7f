// The rows or columns of a matrix, as vectors of length 1, and how far pairs of them are from right angles. Threads share the vectors: each
// first measures some, and when all are measured takes some.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/plan/loss_attributes.h"
#include "engine/spec/shape.h"

namespace engine::backend::cpu {

class OrthogonalVectors {
public:
    // `matrix`: (rows, columns), must outlive it.
    OrthogonalVectors(const plan::Penalty& penalty, const spec::Shape& shape, const float* matrix);

    std::int64_t count() const { return count_; }
    std::int64_t length() const { return length_; }
    void measure(std::int64_t i);
    // Part of vector i in the penalty: `factor` times the sizes of its products with the others, over the number of pairs.
    double part(std::int64_t i) const;
    // Adds `scale` times the penalty's slope by vector i to the gradient, which has the matrix' shape. `pull`: room for `length()` numbers.
    void addSlope(std::int64_t i, double scale, double* pull, float* gradient) const;
    // One over the length of each, which measure() writes.
    const std::vector<double>& overLengths() const { return over_length_; }

private:
    double overLength(std::int64_t i) const { return over_length_[static_cast<std::size_t>(i)]; }
    double product(std::int64_t i, std::int64_t j) const;  // of the vectors as they are

    double factor_;  // over the number of pairs
    std::int64_t count_, length_, vector_step_, element_step_;
    const float* matrix_;
    std::vector<double> over_length_;
};

}  // namespace engine::backend::cpu
