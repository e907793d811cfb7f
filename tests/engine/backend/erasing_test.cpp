// RandomErasing: which box of an image is filled, and with what.
#include "engine/backend/image/erasing.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/layer_rig.h"
#include "tests/support/model_builder.h"

namespace engine::backend {
namespace {

using plan::RandomErasing;
using tests::support::Fusion;
using tests::support::layer;
using tests::support::LayerRig;
using tests::support::model;

constexpr DropoutKey kKey{.seed = 3, .epoch = 1, .iteration = 2, .layer = 4};
const std::vector<double> kAlways{1, 1};

TEST(Erasing, FillsABoxOfTheSizeThatItsAreaSays) {
    constexpr std::size_t kBatch = 20, kHeight = 8, kWidth = 12;
    LayerRig rig(
        model({kHeight, kWidth, 2},
              {layer("RandomErasing", "erase", {{"factor", kAlways}, {"scale", std::vector<double>{0.25, 0.25}}, {"fill_value", 9.0}})}),
        kBatch, Fusion::kOff);
    const std::vector<float> input(rig.tensor("input").size(), 1.0F);
    const std::vector<float> ones(input);
    const std::span<const float> y = rig.forward(input);
    std::set<std::pair<std::size_t, std::size_t>> places;
    std::vector<bool> erased(y.size());
    for (std::size_t image = 0; image < kBatch; ++image) {
        std::size_t top = kHeight, bottom = 0, left = kWidth, right = 0, cells = 0;
        for (std::size_t row = 0; row < kHeight; ++row) {
            for (std::size_t column = 0; column < kWidth; ++column) {
                const std::size_t at = ((image * kHeight + row) * kWidth + column) * 2;
                EXPECT_EQ(y[at], y[at + 1]);
                if (y[at] == 1) continue;
                EXPECT_EQ(y[at], 9);
                erased[at] = erased[at + 1] = true;
                top = std::min(top, row);
                bottom = std::max(bottom, row + 1);
                left = std::min(left, column);
                right = std::max(right, column + 1);
                ++cells;
            }
        }
        // Half of its rows and columns.
        EXPECT_EQ(bottom - top, kHeight / 2);
        EXPECT_EQ(right - left, kWidth / 2);
        EXPECT_EQ(cells, kHeight * kWidth / 4);
        places.emplace(top, left);
    }
    EXPECT_GT(places.size(), 6U);
    rig.backward(ones);
    const std::span<const float> dx = rig.tensor("input:grad");
    for (std::size_t i = 0; i < dx.size(); ++i) EXPECT_EQ(dx[i], erased[i] ? 0 : 1) << i;
}

TEST(Erasing, FillsWithNoiseOrAColorWithinTheRange) {
    const auto filled = [](const RandomErasing& erasing) {
        std::vector<float> values;
        for (std::int64_t i = 0; i < 3000; ++i)
            values.push_back(erasedValue(erasing, kKey, 5, i, static_cast<float>(erasing.fill[static_cast<std::size_t>(i % 3)])));
        return values;
    };
    const std::vector<float> noise = filled({.is_noise = true, .low = -1, .high = 2});
    EXPECT_EQ(*std::min_element(noise.begin(), noise.end()), -1);
    EXPECT_EQ(*std::max_element(noise.begin(), noise.end()), 2);
    // A normal number times 2 is below -1 with a chance of 0.3085, above 2 with one of 0.1587.
    EXPECT_NEAR(static_cast<double>(std::count(noise.begin(), noise.end(), -1.0F)), 0.3085 * 3000, 160);
    EXPECT_NEAR(static_cast<double>(std::count(noise.begin(), noise.end(), 2.0F)), 0.1587 * 3000, 130);
    const std::vector<float> color = filled({.fill = {0.5, -3, 4}, .low = -1, .high = 2});
    EXPECT_EQ(std::vector<float>(color.begin(), color.begin() + 4), std::vector<float>({0.5F, -1, 2, 0.5F}));
}

TEST(Erasing, ChangesTheShareOfTheImagesThatItsChanceSays) {
    const auto changed = [](plan::RandomRange chance) {
        int count = 0;
        for (std::uint32_t sample = 0; sample < 2000; ++sample) {
            const ErasedBox box = drawErasedBox(kKey, {.chance = chance, .area = {0.3, 0.3}}, sample, 10, 10);
            count += box.bottom > box.top ? 1 : 0;
        }
        return count;
    };
    EXPECT_EQ(changed({1, 1}), 2000);
    EXPECT_EQ(changed({0, 0}), 0);
    EXPECT_NEAR(changed({0, 1}), 1000, 150);  // more than six standard deviations
}

TEST(Erasing, DrawsTheSizesOfABoxOneByOne) {
    double rows = 0, columns = 0;
    int different = 0;
    for (std::uint32_t sample = 0; sample < 2000; ++sample) {
        const ErasedBox box = drawErasedBox(kKey, {.area = {0.04, 0.64}}, sample, 100, 100);
        for (const float length : {box.bottom - box.top, box.right - box.left}) {
            EXPECT_GE(length, 19.9F);
            EXPECT_LE(length, 80.1F);
        }
        EXPECT_GE(std::min(box.top, box.left), 0);
        EXPECT_LE(std::max(box.bottom, box.right), 100.01F);
        rows += (box.bottom - box.top) * (box.bottom - box.top) / 1e4;
        columns += (box.right - box.left) * (box.right - box.left) / 1e4;
        different += std::abs(box.bottom - box.top - box.right + box.left) > 1 ? 1 : 0;
    }
    EXPECT_NEAR(rows / 2000, 0.34, 0.03);
    EXPECT_NEAR(columns / 2000, 0.34, 0.03);
    EXPECT_GT(different, 1800);
}

}  // namespace
}  // namespace engine::backend
