// The maps of random image layers against Keras' matrices and TensorFlow's reading of images: tests/data/keras/image_maps.json.
#include "engine/backend/image/image_map.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/reference/kernels.h"
#include "tests/support/golden.h"
#include "tests/support/near.h"

namespace engine::backend {
namespace {

using plan::RandomImage;
using plan::RandomRange;
using tests::support::Array;
using tests::support::isNear;
using tests::support::readGolden;
using tests::support::toArray;

constexpr DropoutKey kKey{.seed = 3, .epoch = 1, .iteration = 2, .layer = 4};

RandomImage randomOf(const nlohmann::json& golden, double fill_value) {
    const std::map<std::string, RandomImage::Fill> fills{{"reflect", RandomImage::Fill::kReflect},
                                                         {"constant", RandomImage::Fill::kConstant},
                                                         {"wrap", RandomImage::Fill::kWrap},
                                                         {"nearest", RandomImage::Fill::kNearest}};
    const double value = golden.at("value");
    const std::string motion = golden.at("motion");
    RandomImage random{.fill = fills.at(golden.at("fill_mode")), .fill_value = fill_value};
    if (golden.at("interpolation") == "nearest") random.interpolation = plan::Interpolation::kNearest;
    if (motion == "turn") random.turn = {value, value};
    if (motion == "zoom") {
        random.zoom_rows = {value, value};
        random.zoom_columns = {value / 2, value / 2};
    }
    if (motion == "shift") {
        random.shift_rows = {value, value};
        random.shift_columns = {-value, -value};
    }
    if (motion == "shear") {
        random.shear_rows = {value, value};
        random.shear_columns = {-value / 2, -value / 2};
    }
    return random;
}

// The map of a golden case; of a shear, that of an image that is not turned the other way.
ImageMap mapOf(const nlohmann::json& golden, const RandomImage& random, const spec::Shape& shape) {
    if (golden.at("motion") == "perspective") {
        const std::vector<float> points = toArray(golden.at("corners")).values;
        image_map_detail::Corners moved;
        for (std::size_t i = 0; i < 4; ++i) {
            moved.columns[i] = points[2 * i];
            moved.rows[i] = points[2 * i + 1];
        }
        return image_map_detail::perspective(image_map_detail::cornersOf(static_cast<double>(shape[0]), static_cast<double>(shape[1])),
                                             moved);
    }
    std::uint32_t sample = 7;
    while (drawImageMap(kKey, random, sample, shape[0], shape[1]).b < 0 && golden.at("motion") == "shear") ++sample;
    return drawImageMap(kKey, random, sample, shape[0], shape[1]);
}

TEST(ImageMap, ReadsImagesAsKerasDoes) {
    const nlohmann::json golden = readGolden("image_maps.json");
    const Array image = toArray(golden.at("image"));
    const spec::Shape shape(image.shape.begin() + 1, image.shape.end());
    ASSERT_FALSE(golden.at("cases").empty());
    for (const nlohmann::json& c : golden.at("cases")) {
        SCOPED_TRACE(c.at("motion").get<std::string>() + " " + c.at("value").dump() + " " + c.at("fill_mode").get<std::string>() + " " +
                     c.at("interpolation").get<std::string>());
        const RandomImage random = randomOf(c, golden.at("fill_value"));
        const ImageMap map = mapOf(c, random, shape);
        // Keras' matrix gives (column, row).
        const std::vector<float> m = toArray(c.at("matrix")).values;
        EXPECT_TRUE(isNear(std::vector<float>{map.e, map.d, map.f, map.b, map.a, map.c, map.h, map.g}, m, 1e-5));
        std::vector<float> result(image.values.size());
        reference::readImage(random, map, shape, image.values, result);
        EXPECT_TRUE(isNear(result, toArray(c.at("output")).values, 2e-5));
    }
}

TEST(ImageMap, OfASampleIsTheSameWhereverItLiesInTheBatch) {
    const RandomImage random{.flips_columns = true, .turn = {-0.5, 0.5}, .zoom_rows = {-0.2, 0.2}, .shift_columns = {-0.1, 0.3}};
    const ImageMap first = drawImageMap(kKey, random, 11, 8, 8);
    EXPECT_EQ(drawImageMap(kKey, random, 11, 8, 8), first);
    EXPECT_NE(drawImageMap(kKey, random, 12, 8, 8), first);
    DropoutKey next = kKey;
    ++next.iteration;
    EXPECT_NE(drawImageMap(next, random, 11, 8, 8), first);
    next = kKey;
    ++next.layer;
    EXPECT_NE(drawImageMap(next, random, 11, 8, 8), first);
}

TEST(ImageMap, FlipsHalfOfTheImages) {
    const RandomImage random{.flips_rows = true, .interpolation = plan::Interpolation::kNearest};
    int flipped = 0;
    constexpr int kSamples = 2000;
    for (int sample = 0; sample < kSamples; ++sample) {
        const ImageMap map = drawImageMap(kKey, random, static_cast<std::uint32_t>(sample), 4, 6);
        const ImageMap mirrored{.a = -1, .c = 3};
        flipped += map == mirrored ? 1 : 0;
        EXPECT_TRUE(map == mirrored || map == ImageMap{});
    }
    EXPECT_NEAR(flipped, kSamples / 2, 150);  // more than six standard deviations
}

TEST(ImageMap, ShearsEitherWay) {
    const RandomImage random{.shear_rows = {0.2, 0.2}, .shear_columns = {0.4, 0.4}};
    int forward = 0;
    constexpr int kSamples = 2000;
    for (int sample = 0; sample < kSamples; ++sample) {
        const ImageMap map = drawImageMap(kKey, random, static_cast<std::uint32_t>(sample), 8, 8);
        forward += map.b > 0 ? 1 : 0;
        EXPECT_NEAR(map.d, 2 * map.b, 1e-6);
    }
    EXPECT_NEAR(forward, kSamples / 2, 150);
}

TEST(ImageMap, MovesTheCornersOfAShareOfTheImages) {
    const auto moved = [](RandomRange chance) {
        int count = 0;
        for (std::uint32_t sample = 0; sample < 2000; ++sample) {
            count += drawImageMap(kKey, {.corners = 0.25, .chance = chance}, sample, 9, 7) == ImageMap{} ? 0 : 1;
        }
        return count;
    };
    EXPECT_EQ(moved({1, 1}), 2000);
    EXPECT_EQ(moved({0, 0}), 0);
    EXPECT_NEAR(moved({0, 1}), 1000, 150);
    // A row of cells has no corners of its own.
    EXPECT_EQ(drawImageMap(kKey, {.corners = 0.25}, 3, 1, 7), ImageMap{});
}

TEST(ImageMap, DrawsEvenlyFromItsRange) {
    const RandomImage random{.shift_rows = {-0.25, 0.75}};
    double sum = 0, squares = 0;
    constexpr int kSamples = 4000;
    for (int sample = 0; sample < kSamples; ++sample) {
        const double shift = -drawImageMap(kKey, random, static_cast<std::uint32_t>(sample), 100, 10).c / 100.0;
        EXPECT_GE(shift, -0.2501);
        EXPECT_LE(shift, 0.7501);
        sum += shift;
        squares += shift * shift;
    }
    const double mean = sum / kSamples;
    EXPECT_NEAR(mean, 0.25, 0.03);
    EXPECT_NEAR(squares / kSamples - mean * mean, 1.0 / 12, 0.01);
}

}  // namespace
}  // namespace engine::backend
