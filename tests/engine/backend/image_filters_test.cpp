// Layers that blur, sharpen, stretch and equalize images against Keras' on TensorFlow: tests/data/keras/image_filters.json and, of tiles,
// tiled_levels.json. And what is drawn for them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/image/blur.h"
#include "tests/support/golden.h"
#include "tests/support/layer_rig.h"
#include "tests/support/model_builder.h"
#include "tests/support/near.h"

namespace engine::backend {
namespace {

using plan::RandomBlur;
using plan::RandomRange;
using tests::support::Array;
using tests::support::Fusion;
using tests::support::isNear;
using tests::support::layer;
using tests::support::LayerRig;
using tests::support::model;
using tests::support::readGolden;
using tests::support::toArray;
using tests::support::toFields;

constexpr DropoutKey kBlurKey{.seed = 3, .epoch = 1, .iteration = 2, .layer = 4};
constexpr BlurredImage kBlurred{5, 4, 3};

// What a case makes of its images, and the gradient of the sum of that times r.
struct Filtered {
    std::vector<float> output, gradient;
};

Filtered throughOneLayer(const nlohmann::json& golden, const Array& images, const Array& r) {
    LayerRig rig(model({5, 4, 3}, {layer(golden.at("class_name"), "filter", toFields(golden.at("config")))}), 2, Fusion::kOff);
    const std::span<const float> y = rig.forward(images.values);
    Filtered filtered{.output = {y.begin(), y.end()}};
    rig.backward(r.values);
    const std::span<const float> dx = rig.tensor("input:grad");
    filtered.gradient.assign(dx.begin(), dx.end());
    return filtered;
}

// By the rows of windows alone, with the golden's deviations in the place of drawn ones.
Filtered throughWindows(const nlohmann::json& golden, const Array& images, const Array& r) {
    const auto size = golden.at("config").at("kernel_size").get<std::vector<int>>();
    const auto range = golden.at("config").at("value_range").get<std::vector<double>>();
    const auto deviations = golden.at("deviations").get<std::vector<float>>();
    const RandomBlur blur{.is_gaussian = true, .kernel_h = size[0], .kernel_w = size[1], .low = range[0], .high = range[1]};
    std::vector<float> weights(static_cast<std::size_t>(size[0] * size[1]));
    fillBlurWeights(blur, {deviations[0], deviations[1]}, weights);
    const auto blurred = [&](const std::vector<float>& x) {
        std::vector<float> sums(x.size());
        const auto row_values = static_cast<std::size_t>(kBlurred.rowValues()), image_values = row_values * 5;
        for (std::size_t row = 0; row < 2 * 5; ++row) {
            blurRow(blur, weights, kBlurred, std::span(x).subspan(row / 5 * image_values, image_values), static_cast<std::int64_t>(row % 5),
                    std::span(sums).subspan(row * row_values, row_values));
        }
        return sums;
    };
    Filtered filtered{.output = blurred(images.values)};
    std::vector<float> held(r.values);
    for (std::size_t i = 0; i < held.size(); ++i) {
        held[i] *= blurHeldSlope(blur, filtered.output[i]);
        filtered.output[i] = blurHeld(blur, filtered.output[i]);
    }
    filtered.gradient = blurred(held);
    return filtered;
}

TEST(ImageFilters, ChangeImagesAsKerasDoes) {
    const nlohmann::json golden = readGolden("image_filters.json");
    const Array r = toArray(golden.at("r"));
    ASSERT_FALSE(golden.at("cases").empty());
    for (const nlohmann::json& c : golden.at("cases")) {
        SCOPED_TRACE(c.at("class_name").get<std::string>() + " " + c.at("config").dump() + " " +
                     c.value("deviations", nlohmann::json()).dump() + " of " + c.at("images").get<std::string>());
        const Array images = toArray(golden.at("images").at(c.at("images").get<std::string>()));
        const Filtered filtered = c.contains("deviations") ? throughWindows(c, images, r) : throughOneLayer(c, images, r);
        const double tolerance = c.at("images") == "parts" || c.at("images") == "signed" ? 1e-5 : 2e-4;
        EXPECT_TRUE(isNear(filtered.output, toArray(c.at("output")).values, tolerance));
        if (!c.contains("gradient")) continue;
        EXPECT_TRUE(isNear(filtered.gradient, toArray(c.at("gradient")).values, 2e-5));
    }
}

// In training and in predictions; a table has no slope.
TEST(ImageFilters, EqualizeTilesAsKerasDoes) {
    const nlohmann::json golden = readGolden("tiled_levels.json");
    ASSERT_FALSE(golden.at("cases").empty());
    for (const nlohmann::json& c : golden.at("cases")) {
        const auto name = c.at("images").get<std::string>();
        SCOPED_TRACE(c.at("config").dump() + " of " + name);
        const Array images = toArray(golden.at("images").at(name)), output = toArray(c.at("output"));
        const auto net = model({images.shape[1], images.shape[2], images.shape[3]},
                               {layer("ContrastLimitedAdaptiveHistogramEqualization", "tiles", toFields(c.at("config")))});
        LayerRig rig(net, images.shape[0], Fusion::kOff);
        EXPECT_TRUE(isNear(rig.forward(images.values), output.values, name == "parts" || name == "signed" ? 1e-5 : 2e-4));
        rig.backward(std::vector<float>(images.values.size(), 1.0F));
        const std::span<const float> dx = rig.tensor("input:grad");
        EXPECT_TRUE(std::all_of(dx.begin(), dx.end(), [](float gradient) { return gradient == 0; }));
        EXPECT_EQ(plan::lowerLayers(net, {.batch = 2, .training = false}).ops.front().kind, plan::OpKind::kImageLevels);
    }
}

TEST(ImageFilters, LeaveAChannelOfOneValueWithItsGradient) {
    LayerRig rig(model({2, 2, 2}, {layer("AutoContrast", "contrast", {{"value_range", std::vector<double>{-1, 1}}})}), 1, Fusion::kOff);
    const std::vector<float> x{7, 3, 7, 5, 7, 3, 7, 4}, dy{1, 1, 2, 1, 3, 1, 4, 1};
    const std::span<const float> y = rig.forward(x);
    EXPECT_EQ(std::vector<float>(y.begin(), y.end()), std::vector<float>({7, -1, 7, 1, 7, -1, 7, 0}));
    rig.backward(dy);
    const std::span<const float> dx = rig.tensor("input:grad");
    // What moves the other one as a whole changes nothing: its gradients add up to 0. The two least values have equal shares.
    EXPECT_EQ(std::vector<float>(dx.begin(), dx.end()), std::vector<float>({1, -0.25F, 2, -0.5F, 3, -0.25F, 4, 1}));
}

TEST(ImageFilters, DrawABatchsDeviationsOnce) {
    const RandomBlur blur{.is_gaussian = true, .deviation = {0.5, 3}};
    const BlurDeviations first = drawBlurDeviations(kBlurKey, blur);
    EXPECT_NE(first.of_first, first.of_second);
    DropoutKey key = kBlurKey;
    ++key.iteration;
    EXPECT_NE(drawBlurDeviations(key, blur).of_first, first.of_first);
    double sum = 0;
    for (int step = 0; step < 2000; ++step) {
        key.iteration = step;
        const BlurDeviations drawn = drawBlurDeviations(key, blur);
        for (const float deviation : {drawn.of_first, drawn.of_second}) {
            EXPECT_GE(deviation, 0.5F);
            EXPECT_LE(deviation, 3.00001F);
            sum += static_cast<double>(deviation) / 4000;
        }
    }
    EXPECT_NEAR(sum, 1.75, 0.07);  // more than six standard deviations
}

TEST(ImageFilters, DrawNumbersForEachImage) {
    int changed = 0;
    double sum = 0;
    for (std::uint32_t sample = 0; sample < 4000; ++sample) {
        const BlurNumbers numbers = drawBlurNumbers(kBlurKey, {.amount = {1, -0.6}, .chance = {0, 1}}, sample);
        EXPECT_GE(numbers.amount, -0.6F);
        EXPECT_LE(numbers.amount, 1);
        changed += numbers.changes ? 1 : 0;
        sum += static_cast<double>(numbers.amount) / 4000;
    }
    EXPECT_NEAR(changed, 2000, 190);
    EXPECT_NEAR(sum, 0.2, 0.05);
    for (const double share : {0.0, 1.0}) {
        for (std::uint32_t sample = 0; sample < 100; ++sample) {
            EXPECT_EQ(drawBlurNumbers(kBlurKey, {.chance = {share, share}}, sample).changes, share == 1);
        }
    }
}

// A flat image is darker at its border, where windows reach beyond it, and within the range all the same where it is not blurred.
TEST(ImageFilters, HoldEveryImageWithinTheRange) {
    LayerRig rig(model({6, 6, 1}, {layer("RandomGaussianBlur", "blur",
                                         {{"factor", std::vector<double>{0.5, 0.5}},
                                          {"sigma", std::vector<double>{1, 1}},
                                          {"value_range", std::vector<double>{0, 2}}})}),
                 40, Fusion::kOff);
    const std::span<const float> y = rig.forward(std::vector<float>(40 * 36, 2.5F));
    int blurred = 0;
    for (std::size_t image = 0; image < 40; ++image) {
        EXPECT_EQ(y[image * 36 + 14], 2);
        blurred += y[image * 36] < 2 ? 1 : 0;
    }
    EXPECT_GT(blurred, 8);
    EXPECT_LT(blurred, 32);
}

}  // namespace
}  // namespace engine::backend
