// What is kept of many values to say where they are to be cut into buckets of as many each: Keras' summary of a Discretization, with its
// numbers. A summary is values that rise, each with the weight of those that it stands for; what is added is put into it, and it is made
// smaller again by drawing 1 / epsilon values from it at even shares of the weight, between its own values along straight lines.
#pragma once

#include <cstdint>
#include <vector>

namespace engine::train {

class ValueSummary {
public:
    // `epsilon`: above 0, at most 1.
    explicit ValueSummary(double epsilon) : epsilon_(epsilon) {}

    // The values of a batch, in any order. A value that is NaN counts as the largest.
    void add(std::vector<float> values);
    // At most spec::mostBoundaries(bins) of them, rising; fewer where the summary has fewer values than buckets. Of values that are all
    // the same, all the same.
    std::vector<float> boundaries(std::int64_t bins) const;

private:
    struct Rows {
        std::vector<float> values, weights;
    };
    static Rows compressed(const Rows& rows, double epsilon);

    double epsilon_;
    Rows rows_{};
};

}  // namespace engine::train
