// What layers with random numbers do while training, and that they do nothing otherwise.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/image/resample_taps.h"
#include "engine/plan/lower.h"
#include "tests/support/layer_rig.h"
#include "tests/support/model_builder.h"

namespace engine::backend {
namespace {

using tests::support::Fusion;
using tests::support::layer;
using tests::support::LayerRig;
using tests::support::model;

std::vector<spec::LayerSpec> randomLayers() {
    return {layer("Dropout", "dropout", {{"rate", 0.5}}),
            layer("SpatialDropout2D", "spatial", {{"rate", 0.5}}),
            layer("AlphaDropout", "alpha", {{"rate", 0.5}}),
            layer("GaussianNoise", "noise", {{"stddev", 0.5}}),
            layer("GaussianDropout", "gaussian", {{"rate", 0.5}}),
            layer("RandomFlip", "flip"),
            layer("RandomRotation", "turn", {{"factor", 0.3}}),
            layer("RandomZoom", "zoom", {{"height_factor", 0.3}}),
            layer("RandomTranslation", "shift", {{"height_factor", 0.3}, {"width_factor", 0.3}}),
            layer("RandomShear", "shear", {{"x_factor", 0.3}}),
            layer("RandomPerspective", "corners", {{"factor", std::vector<double>{1, 1}}}),
            layer("RandomErasing", "erase", {{"factor", std::vector<double>{1, 1}}, {"scale", std::vector<double>{0.5, 0.9}}}),
            layer("RandomBrightness", "brightness", {{"factor", 0.3}}),
            layer("RandomContrast", "contrast", {{"factor", 0.3}}),
            layer("RandomSaturation", "saturation", {{"factor", 0.3}}),
            layer("RandomHue", "hue", {{"factor", 0.3}}),
            layer("RandomGrayscale", "gray", {{"factor", 0.9}}),
            layer("RandomColorDegeneration", "degeneration", {{"factor", 0.3}}),
            layer("RandomInvert", "invert"),
            layer("Solarization", "sun"),
            layer("RandomPosterization", "poster", {{"factor", std::int64_t{4}}}),
            layer("RandomColorJitter", "jitter", {{"brightness_factor", 0.3}}),
            layer("RandomSharpness", "sharpness", {{"factor", 0.4}}),
            layer("RandomGaussianBlur", "blur"),
            layer("Equalization", "levels", {{"value_range", std::vector<double>{-1, 1}}}),
            layer("RandAugment", "augment", {{"value_range", std::vector<double>{-1, 1}}}),
            layer("AugMix", "mix", {{"value_range", std::vector<double>{-1, 1}}}),
            layer("RandomElasticTransform", "elastic", {{"factor", std::vector<double>{1, 1}}})};
}

TEST(RandomLayers, AreNothingButTheirInputWhenNotTraining) {
    const plan::Plan plan = plan::lowerLayers(model({6, 5, 3}, randomLayers()), {.batch = 3, .training = false});
    EXPECT_TRUE(plan.ops.empty());
    EXPECT_EQ(plan.output, plan.input);
}

TEST(RandomLayers, ChangeTheirInputWhileTraining) {
    for (const spec::LayerSpec& spec : randomLayers()) {
        LayerRig rig(model({6, 5, 3}, {spec}), 3, Fusion::kOff);
        const std::vector<float> input = tests::support::randomValues(rig.tensor("input").size(), 1);
        const std::span<const float> output = rig.forward(input);
        EXPECT_FALSE(std::equal(output.begin(), output.end(), input.begin())) << spec.class_name;
        const std::vector<float> first(output.begin(), output.end());
        const std::span<const float> again = rig.forward(input);
        EXPECT_TRUE(std::equal(again.begin(), again.end(), first.begin())) << spec.class_name;
    }
}

TEST(RandomLayers, GaussianNoiseHasItsDeviation) {
    LayerRig rig(model({2000}, {layer("GaussianNoise", "noise", {{"stddev", 0.5}})}), 4, Fusion::kOff);
    double sum = 0, squares = 0;
    for (float value : rig.forward(std::vector<float>(8000, 1.0F))) {
        sum += value - 1;
        squares += (value - 1) * (value - 1);
    }
    EXPECT_NEAR(sum / 8000, 0, 0.03);
    EXPECT_NEAR(std::sqrt(squares / 8000), 0.5, 0.02);
}

TEST(RandomLayers, GaussianDropoutMultipliesAroundOne) {
    LayerRig rig(model({2000}, {layer("GaussianDropout", "noise", {{"rate", 0.2}})}), 4, Fusion::kOff);
    double sum = 0, squares = 0;
    for (float value : rig.forward(std::vector<float>(8000, -3.0F))) {
        sum += value / -3;
        squares += (value / -3 - 1) * (value / -3 - 1);
    }
    EXPECT_NEAR(sum / 8000, 1, 0.03);
    EXPECT_NEAR(std::sqrt(squares / 8000), 0.5, 0.02);  // sqrt(0.2 / 0.8)
}

TEST(RandomLayers, SpatialDropoutDropsWholeChannels) {
    LayerRig rig(model({3, 4, 50}, {layer("SpatialDropout2D", "spatial", {{"rate", 0.5}})}), 8, Fusion::kOff);
    const std::span<const float> y = rig.forward(std::vector<float>(8 * 3 * 4 * 50, 1.0F));
    int dropped = 0;
    for (std::size_t sample = 0; sample < 8; ++sample) {
        for (std::size_t channel = 0; channel < 50; ++channel) {
            std::set<float> values;
            for (std::size_t cell = 0; cell < 12; ++cell) values.insert(y[(sample * 12 + cell) * 50 + channel]);
            ASSERT_EQ(values.size(), 1U);
            EXPECT_TRUE(*values.begin() == 0.0F || *values.begin() == 2.0F);
            dropped += *values.begin() == 0.0F ? 1 : 0;
        }
    }
    EXPECT_NEAR(dropped, 200, 60);
}

// Keras' numbers: a = 1 / sqrt((1 - rate) (1 + rate d^2)), d = -1.7580993408473766, what is dropped becomes a d (1 - rate).
TEST(RandomLayers, AlphaDropoutKeepsMeanAndVariance) {
    constexpr double kDropped = -1.7580993408473766, kRate = 0.3;
    LayerRig rig(model({5000}, {layer("AlphaDropout", "alpha", {{"rate", kRate}})}), 4, Fusion::kOff);
    std::vector<float> input = tests::support::randomValues(20000, 1);
    for (float& value : input) value *= std::sqrt(3.0F);  // even from -1 to 1 before: now of variance 1
    const std::span<const float> y = rig.forward(input);
    const double a = 1 / std::sqrt((1 - kRate) * (1 + kRate * kDropped * kDropped));
    double sum = 0, squares = 0;
    int dropped = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double kept = a * (static_cast<double>(input[i]) - kDropped * kRate), lost = a * kDropped * (1 - kRate);
        const bool is_lost = std::abs(static_cast<double>(y[i]) - lost) < 1e-5;
        if (!is_lost) {
            ASSERT_NEAR(y[i], kept, 1e-5);
        }
        dropped += is_lost ? 1 : 0;
        sum += static_cast<double>(y[i]);
        squares += static_cast<double>(y[i]) * static_cast<double>(y[i]);
    }
    EXPECT_NEAR(dropped, 20000 * kRate, 300);
    EXPECT_NEAR(sum / 20000, 0, 0.03);
    EXPECT_NEAR(squares / 20000, 1, 0.03);
}

TEST(RandomLayers, NoiseShapeSharesTheMaskAlongItsAxes) {
    LayerRig rig(model({4, 30}, {layer("Dropout", "dropout", {{"rate", 0.5}, {"noise_shape", std::vector<std::int64_t>{-1, 1, 30}}})}), 2,
                 Fusion::kOff);
    const std::span<const float> y = rig.forward(std::vector<float>(240, 1.0F));
    for (std::size_t sample = 0; sample < 2; ++sample)
        for (std::size_t step = 1; step < 4; ++step)
            for (std::size_t unit = 0; unit < 30; ++unit) EXPECT_EQ(y[(sample * 4 + step) * 30 + unit], y[sample * 120 + unit]);
    EXPECT_FALSE(std::equal(y.begin(), y.begin() + 120, y.begin() + 120));
}

TEST(RandomLayers, DrawForEveryLayerOfAChainAnew) {
    using Layers = std::vector<spec::ObjectBox>;
    const spec::ObjectSpec dropout{"Dropout", {{"rate", 0.5}}};
    LayerRig rig(model({100}, {layer("Residual", "a", {{"layers", Layers{dropout}}, {"shortcut", Layers{dropout}}})}), 1, Fusion::kOff);
    const std::span<const float> y = rig.forward(std::vector<float>(100, 1.0F));
    EXPECT_EQ(std::set<float>(y.begin(), y.end()), (std::set<float>{0.0F, 2.0F, 4.0F}));  // kept by none, by one, by both
}

// Keras cuts all images of a batch alike.
TEST(RandomLayers, CropsImagesOfABatchAtOnePlace) {
    LayerRig rig(model({6, 5, 1}, {layer("RandomCrop", "crop", {{"height", std::int64_t{4}}, {"width", std::int64_t{2}}})}), 3,
                 Fusion::kOff);
    std::vector<float> input(90);
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i);
    const std::span<const float> y = rig.forward(input);
    ASSERT_EQ(y.size(), 24U);
    const auto begin = static_cast<std::size_t>(y[0]);
    EXPECT_LE(begin / 5, 2U);
    EXPECT_LE(begin % 5, 3U);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(y[i], static_cast<float>(begin + i / 8 * 30 + i % 8 / 2 * 5 + i % 2)) << i;
}

TEST(RandomLayers, CropsFromEveryPlace) {
    std::set<std::pair<std::int64_t, std::int64_t>> places;
    for (std::int64_t iteration = 0; iteration < 400; ++iteration) {
        const PartBegin begin = partBegin({.seed = 1, .iteration = iteration}, {.top = 2, .left = 3, .is_drawn = true});
        places.emplace(begin.top, begin.left);
    }
    EXPECT_EQ(places.size(), 12U);
    EXPECT_EQ(places.rbegin()->first, 2);
}

TEST(RandomLayers, CropsTheMiddleWhenNotTraining) {
    const auto crop = layer("RandomCrop", "crop", {{"height", std::int64_t{4}}, {"width", std::int64_t{2}}});
    const plan::Plan plan = plan::lowerLayers(model({6, 5, 1}, {crop}), {.batch = 3, .training = false});
    ASSERT_EQ(plan.ops.size(), 1U);
    const plan::Resample2D part{.left = 1, .rows = 6, .columns = 3, .interpolation = plan::Interpolation::kBilinear};
    EXPECT_EQ(std::get<plan::Resample2D>(plan.ops.front().attributes), part);
}

// As if the layer were called once a time.
TEST(RandomLayers, DrawForEveryTimeAnew) {
    const auto each = [](const char* class_name, spec::Fields config) {
        return layer("TimeDistributed", "each", {{"layer", spec::ObjectBox({class_name, std::move(config)})}});
    };
    for (const spec::LayerSpec& spec :
         {each("Dropout", {{"rate", 0.5}}), each("Dropout", {{"rate", 0.5}, {"noise_shape", std::vector<std::int64_t>{-1, 1, 6, 8}}}),
          each("SpatialDropout2D", {{"rate", 0.5}}), each("AlphaDropout", {{"rate", 0.5}}), each("GaussianNoise", {{"stddev", 0.5}}),
          each("GaussianDropout", {{"rate", 0.5}}), each("RandomTranslation", {{"height_factor", 0.4}, {"width_factor", 0.4}}),
          each("RandomBrightness", {{"factor", 0.1}, {"value_range", std::vector<double>{-9, 9}}}),
          each("RandomElasticTransform", {{"factor", std::vector<double>{1, 1}}, {"value_range", std::vector<double>{-9, 9}}})}) {
        SCOPED_TRACE(spec.config.getObject("layer")->class_name);
        LayerRig rig(model({3, 5, 6, 8}, {spec}), 2, Fusion::kOff);
        const std::vector<float> image = tests::support::randomValues(240, 1);
        std::vector<float> input;
        for (int item = 0; item < 6; ++item) input.insert(input.end(), image.begin(), image.end());
        const std::span<const float> y = rig.forward(input);
        std::set<std::vector<float>> different;
        for (std::size_t item = 0; item < 6; ++item) different.emplace(y.begin() + 240 * item, y.begin() + 240 * (item + 1));
        EXPECT_EQ(different.size(), 6U);
    }
}

}  // namespace
}  // namespace engine::backend
