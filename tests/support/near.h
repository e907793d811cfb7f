// Arrays of floats compared with a tolerance: at most `tolerance` times the larger of 1 and the expected value's size.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include <gtest/gtest.h>

namespace tests::support {

inline ::testing::AssertionResult isNear(std::span<const float> actual, std::span<const float> expected, double tolerance) {
    if (actual.size() != expected.size()) {
        return ::testing::AssertionFailure() << "expected " << expected.size() << " values, got " << actual.size();
    }
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double difference = std::abs(static_cast<double>(actual[i]) - expected[i]);
        if (!(difference <= tolerance * std::max(1.0, std::abs(static_cast<double>(expected[i]))))) {
            return ::testing::AssertionFailure() << "element " << i << " of " << actual.size() << ": expected " << expected[i] << ", got "
                                                 << actual[i] << ", tolerance " << tolerance;
        }
    }
    return ::testing::AssertionSuccess();
}

}  // namespace tests::support
