// A regression tree over the unit cube, grown to its leaves, and what it says of one coordinate alone. Plain value, one thread.
#pragma once

#include <cstddef>
#include <vector>

namespace engine::sweep {

// A place in the cube, a coordinate for each field, and what was measured there.
struct Sample {
    std::vector<double> at;  // each in [0, 1]
    double value = 0;
};

class RegressionTree {
public:
    // Splits where that leaves the least sum of squares, halfway between two samples, until the samples of a leaf are alike in value or
    // place. `samples` has one at least, all of as many coordinates.
    explicit RegressionTree(const std::vector<Sample>& samples);

    // The variance of the tree's value over the whole cube, each place as likely.
    double variance() const;
    // The variance of its mean over all other coordinates: what this one explains alone.
    double varianceOf(std::size_t coordinate) const;

private:
    struct Leaf {
        std::vector<double> low, high;  // its box
        double value = 0;
        double volume() const;
    };
    void grow(std::vector<const Sample*> samples, Leaf box);
    double mean() const;

    std::vector<Leaf> leaves_;
};

}  // namespace engine::sweep
