// The maps of layers of colours against Keras' layers on TensorFlow: tests/data/keras/color_maps.json. And what is drawn for them.
#include "engine/backend/image/color_map.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/golden.h"
#include "tests/support/layer_rig.h"
#include "tests/support/model_builder.h"
#include "tests/support/near.h"

namespace engine::backend {
namespace {

using plan::RandomColors;
using plan::RandomRange;
using Map = plan::RandomColors::Map;
using tests::support::Array;
using tests::support::Fusion;
using tests::support::isNear;
using tests::support::layer;
using tests::support::LayerRig;
using tests::support::model;
using tests::support::readGolden;
using tests::support::toArray;
using tests::support::toFields;

constexpr DropoutKey kKey{.seed = 3, .epoch = 1, .iteration = 2, .layer = 4};
constexpr int kSamples = 4000;

ColorNumbers drawOf(const RandomColors& colors, int sample) {
    return drawColorNumbers(kKey, colors, static_cast<std::uint32_t>(sample));
}

// What a case makes of its images, and the gradient of the sum of that times r.
struct Changed {
    std::vector<float> output, gradient;
};

// By a layer that draws nothing.
Changed throughLayer(const nlohmann::json& golden, const Array& images, const Array& r) {
    LayerRig rig(model({5, 4, 3}, {layer(golden.at("class_name"), "colors", toFields(golden.at("config")))}), 2, Fusion::kOff);
    const std::span<const float> y = rig.forward(images.values);
    Changed changed{.output = {y.begin(), y.end()}};
    rig.backward(r.values);
    const std::span<const float> dx = rig.tensor("input:grad");
    changed.gradient.assign(dx.begin(), dx.end());
    return changed;
}

// By the map alone, with the golden's numbers in the place of drawn ones.
Changed throughMap(const nlohmann::json& golden, const Array& images, const Array& r) {
    const std::map<std::string, Map> maps{
        {"RandomContrast", Map::kContrast}, {"RandomHue", Map::kHue}, {"Solarization", Map::kSolarization}};
    const auto range = golden.at("config").at("value_range").get<std::vector<double>>();
    const RandomColors colors{.map = maps.at(golden.at("class_name")), .low = range[0], .high = range[1]};
    const ColorNumbers numbers{.changes = true, .amount = golden.at("amount"), .threshold = golden.value("threshold", 0.0F)};
    const ColorImage image{20, 3};
    Changed changed{std::vector<float>(images.values.size()), std::vector<float>(images.values.size())};
    const std::size_t size = images.values.size() / 2;
    for (std::size_t begin = 0; begin < images.values.size(); begin += size) {
        const std::span x = std::span(images.values).subspan(begin, size), dy = std::span(r.values).subspan(begin, size);
        mapColors(colors, numbers, image, x, std::span(changed.output).subspan(begin, size));
        mapColorsBack(colors, numbers, image, dy, x, std::span(changed.gradient).subspan(begin, size));
    }
    return changed;
}

TEST(ColorMap, ChangesColorsAsKerasDoes) {
    const nlohmann::json golden = readGolden("color_maps.json");
    const Array r = toArray(golden.at("r"));
    ASSERT_FALSE(golden.at("cases").empty());
    for (const nlohmann::json& c : golden.at("cases")) {
        SCOPED_TRACE(c.at("class_name").get<std::string>() + " " + c.at("config").dump() + " " +
                     c.value("amount", nlohmann::json()).dump());
        const Array images = toArray(golden.at("images").at(c.at("images").get<std::string>()));
        const Changed changed = c.contains("amount") ? throughMap(c, images, r) : throughLayer(c, images, r);
        const double tolerance = c.at("images") == "bytes" ? 2e-4 : 1e-5;
        EXPECT_TRUE(isNear(changed.output, toArray(c.at("output")).values, tolerance));
        if (!c.contains("gradient")) continue;
        EXPECT_TRUE(isNear(changed.gradient, toArray(c.at("gradient")).values, 1e-5));
    }
}

TEST(ColorMap, OfASampleIsTheSameWhereverItLiesInTheBatch) {
    const RandomColors colors{.map = Map::kSolarization, .amount = {0, 255}, .threshold = {0, 255}, .chance = {0.2, 0.9}};
    const ColorNumbers first = drawOf(colors, 11);
    EXPECT_EQ(drawOf(colors, 11), first);
    EXPECT_NE(drawOf(colors, 12), first);
    DropoutKey next = kKey;
    ++next.iteration;
    EXPECT_NE(drawColorNumbers(next, colors, 11), first);
    next = kKey;
    ++next.layer;
    EXPECT_NE(drawColorNumbers(next, colors, 11), first);
}

TEST(ColorMap, ChangesTheShareOfTheImagesThatItsChanceSays) {
    const auto changed = [](RandomRange chance) {
        int count = 0;
        for (int sample = 0; sample < kSamples; ++sample) count += drawOf({.map = Map::kGray, .chance = chance}, sample).changes ? 1 : 0;
        return count;
    };
    EXPECT_EQ(changed({0, 0}), 0);
    EXPECT_EQ(changed({1, 1}), kSamples);
    EXPECT_NEAR(changed({0.3, 0.3}), 0.3 * kSamples, 180);  // more than six standard deviations
    EXPECT_NEAR(changed({0, 1}), 0.5 * kSamples, 190);
}

TEST(ColorMap, DrawsEvenlyFromItsRange) {
    double sum = 0, squares = 0;
    for (int sample = 0; sample < kSamples; ++sample) {
        const double amount = drawOf({.map = Map::kBrightness, .amount = {-10, 30}}, sample).amount;
        EXPECT_GE(amount, -10);
        EXPECT_LE(amount, 30);
        sum += amount;
        squares += amount * amount;
    }
    const double mean = sum / kSamples;
    EXPECT_NEAR(mean, 10, 1.2);
    EXPECT_NEAR(squares / kSamples - mean * mean, 40 * 40 / 12.0, 8);
}

TEST(ColorMap, TurnsTheHueEitherWayAndByHalfOfTheFactor) {
    int forward = 0;
    for (int sample = 0; sample < kSamples; ++sample) {
        const float amount = drawOf({.map = Map::kHue, .amount = {0.6, 0.6}}, sample).amount;
        EXPECT_NEAR(std::abs(amount), 0.3, 1e-6);
        forward += amount > 0 ? 1 : 0;
    }
    EXPECT_NEAR(forward, kSamples / 2, 190);
}

TEST(ColorMap, NeverKeepsTheLargerNumberOfBits) {
    std::map<float, int> counts;
    for (int sample = 0; sample < kSamples; ++sample) ++counts[drawOf({.map = Map::kPosterization, .amount = {2, 5}}, sample).amount];
    ASSERT_EQ(counts.size(), 3U);
    for (const float bits : {2.0F, 3.0F, 4.0F}) EXPECT_NEAR(counts[bits], kSamples / 3, 190) << bits;
    EXPECT_EQ(drawOf({.map = Map::kPosterization, .amount = {8, 8}}, 1).amount, 8);
}

}  // namespace
}  // namespace engine::backend
