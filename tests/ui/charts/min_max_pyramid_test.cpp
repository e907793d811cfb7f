// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/min_max_pyramid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace ui::models {
namespace {

MinMaxPyramid::Extremes searched(const std::vector<float>& values, std::size_t begin, std::size_t end) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = values.begin() + static_cast<std::ptrdiff_t>(end);
    return {static_cast<std::size_t>(std::min_element(first, last) - values.begin()),
            static_cast<std::size_t>(std::max_element(first, last) - values.begin())};
}

TEST(MinMaxPyramid, FindsTheLowestAndHighestOfAStretch) {
    const std::vector<float> values{3, 1, 4, 1, 5, 9, 2, 6};
    MinMaxPyramid pyramid;
    pyramid.extend(values);
    EXPECT_EQ(pyramid.extremes(values, 2, 7), (MinMaxPyramid::Extremes{3, 5}));
}

TEST(MinMaxPyramid, AgreesWithALinearSearchForEveryKindOfStretchWhileItGrows) {
    std::mt19937 random(11);
    std::vector<float> values;
    MinMaxPyramid pyramid;
    for (const std::size_t size : {1, 15, 16, 17, 255, 256, 257, 4096, 5000}) {
        while (values.size() < size) values.push_back(static_cast<float>(random() % 1000));
        pyramid.extend(values);
        for (int i = 0; i < 200; ++i) {
            const std::size_t begin = random() % size;
            const std::size_t end = begin + 1 + random() % (size - begin);
            ASSERT_EQ(pyramid.extremes(values, begin, end), searched(values, begin, end)) << size << " [" << begin << ", " << end << ")";
        }
    }
}

TEST(MinMaxPyramid, ForgetsWhatWasCutOff) {
    std::vector<float> values(1000, 1.0F);
    values[700] = 50;
    MinMaxPyramid pyramid;
    pyramid.extend(values);
    values.resize(690);
    pyramid.truncate(values.size());
    values.resize(1000, 2.0F);
    pyramid.extend(values);
    EXPECT_EQ(pyramid.extremes(values, 0, 1000), searched(values, 0, 1000));
}

}  // namespace
}  // namespace ui::models
