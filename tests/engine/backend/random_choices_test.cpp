// RandAugment and AugMix: the layers that a step draws, each equal to that layer by itself; what is drawn; and Keras' images where the
// drawn layers are given: tests/data/keras/random_choices.json.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/image/gate.h"
#include "engine/backend/image/random_mix.h"
#include "engine/plan/lower.h"
#include "engine/plan/op_table.h"
#include "tests/support/golden.h"
#include "tests/support/layer_rig.h"
#include "tests/support/model_builder.h"
#include "tests/support/near.h"

namespace engine::backend {
namespace {

using tests::support::Array;
using tests::support::Fusion;
using tests::support::isNear;
using tests::support::layer;
using tests::support::LayerRig;
using tests::support::model;
using tests::support::randomValues;
using tests::support::readGolden;
using tests::support::toArray;
using tests::support::toFields;

const std::vector<double> kRange{-1, 1}, kFactor{0.6, 0.2}, kRising{0.2, 0.6};
constexpr std::array kClasses{"RandomShear",    "RandomTranslation", "RandomRotation",   "RandomPosterization",     "Solarization",
                              "AutoContrast",   "Equalization",      "RandomBrightness", "RandomColorDegeneration", "RandomContrast",
                              "RandomSharpness"};
constexpr int kNone = static_cast<int>(kClasses.size());

// The key of a layer's numbers in a step of LayerRig.
DropoutKey keyOf(std::int64_t seed) {
    return {.seed = 5, .layer = seed};
}
int choiceOf(std::int64_t seed, int draw, int choices) {
    return drawChoice({.seed = seed, .draw = draw, .choices = choices}, keyOf(seed));
}

// The layer of a choice by itself, with the numbers that the outer layer's seed gives it. `number`: of the layer or of its place in chains.
spec::ObjectSpec alone(int choice, std::int64_t seed, std::int64_t number) {
    const std::string class_name = kClasses[static_cast<std::size_t>(choice)];
    spec::Fields config;
    if (class_name == "RandomShear") {
        config = {{"x_factor", kRising}, {"y_factor", kRising}, {"interpolation", std::string("nearest")}};
    } else if (class_name == "RandomTranslation") {
        config = {{"height_factor", kRising}, {"width_factor", kRising}, {"interpolation", std::string("nearest")}};
    } else if (class_name == "RandomRotation") {
        config = {{"factor", kRising}, {"interpolation", std::string("nearest")}};
    } else if (class_name == "Solarization") {
        config = {{"addition_factor", kRising}, {"threshold_factor", kRising}, {"value_range", kRange}};
    } else if (class_name == "RandomPosterization") {
        config = {{"factor", std::int64_t{4}}, {"value_range", kRange}};
    } else if (class_name == "AutoContrast" || class_name == "Equalization") {
        return {class_name, {{"value_range", kRange}}};
    } else {
        config = {{"factor", kRising}, {"value_range", kRange}};
    }
    config.set("seed", seed + (number << 32));
    return {class_name, std::move(config)};
}

// What layers make of images, and the gradient of the sum of that times r.
struct Changed {
    std::vector<float> output, gradient;
};
Changed through(const std::vector<spec::LayerSpec>& layers, const std::vector<float>& images, const std::vector<float>& r) {
    if (layers.empty()) return {images, r};
    LayerRig rig(model({5, 4, 3}, layers), static_cast<std::int64_t>(images.size() / 60), Fusion::kOff);
    Changed changed;
    const std::span<const float> y = rig.forward(images);
    changed.output.assign(y.begin(), y.end());
    rig.backward(r);
    const std::span<const float> dx = rig.tensor("input:grad");
    changed.gradient.assign(dx.begin(), dx.end());
    return changed;
}

TEST(RandomChoices, AreEquallyLikelyAndNotTheSameForTwoDraws) {
    std::map<int, int> counts;
    int equal = 0;
    for (std::int64_t step = 0; step < 11000; ++step) {
        const DropoutKey key{.seed = 3, .epoch = 1, .iteration = step, .layer = 4};
        const int first = drawChoice({.seed = 4, .draw = 0, .choices = 11}, key),
                  other = drawChoice({.seed = 4, .draw = 1, .choices = 11}, key);
        ++counts[first];
        equal += first == other ? 1 : 0;
        EXPECT_TRUE(isOpen({.seed = 4, .draw = 1, .choices = 11, .open_at = other}, key));
        EXPECT_FALSE(isOpen({.seed = 4, .draw = 1, .choices = 11, .open_at = (other + 1) % 11}, key));
    }
    ASSERT_EQ(counts.size(), 11U);
    EXPECT_EQ(counts.begin()->first, 0);
    for (const auto& [choice, count] : counts) EXPECT_NEAR(count, 1000, 180) << choice;  // six standard deviations
    EXPECT_NEAR(equal, 1000, 180);
}

TEST(RandomChoices, OfRandAugmentAreTheLayersThemselves) {
    const std::vector<float> images = randomValues(120, 1), r = randomValues(120, 2);
    std::set<int> drawn;
    for (std::int64_t seed = 1; seed < 60; ++seed) {
        const int first = choiceOf(seed, 0, kNone), second = choiceOf(seed, 1, kNone);
        SCOPED_TRACE(std::string(kClasses[static_cast<std::size_t>(first)]) + ", then " + kClasses[static_cast<std::size_t>(second)]);
        const Changed whole =
            through({layer("RandAugment", "augment",
                           {{"value_range", kRange}, {"factor", kFactor}, {"interpolation", std::string("nearest")}, {"seed", seed}})},
                    images, r);
        const spec::ObjectSpec one = alone(first, seed, first + 1), two = alone(second, seed, second + 1);
        const Changed single = through({layer(one.class_name, "one", one.config), layer(two.class_name, "two", two.config)}, images, r);
        EXPECT_EQ(whole.output, single.output);
        EXPECT_EQ(whole.gradient, single.gradient);
        EXPECT_NE(whole.output, images);
        drawn.insert({first, second});
    }
    EXPECT_EQ(drawn.size(), kClasses.size());
}

TEST(RandomChoices, OfAugMixAreTheLayersThemselvesInChainsThatAreMixed) {
    const std::vector<float> images = randomValues(120, 1), r = randomValues(120, 2);
    std::set<int> drawn;
    for (std::int64_t seed = 1; seed < 40; ++seed) {
        const bool all = seed % 2 == 0;
        SCOPED_TRACE("seed " + std::to_string(seed));
        const spec::Fields config{{"value_range", kRange},
                                  {"num_chains", std::int64_t{2}},
                                  {"chain_depth", std::int64_t{2}},
                                  {"factor", kFactor},
                                  {"alpha", 0.7},
                                  {"all_ops", all},
                                  {"interpolation", std::string("nearest")},
                                  {"seed", seed}};
        const Changed whole = through({layer("AugMix", "mix", config)}, images, r);

        const plan::RandomMix mix{.alpha = 0.7, .low = -1, .high = 1};
        std::array<float, 3> weights{};
        fillMixWeights(keyOf(seed + (std::int64_t{1} << 40)), mix, 3, weights.data());
        std::vector<std::vector<spec::LayerSpec>> chains(2);
        for (int place = 0; place < 4; ++place) {
            const int choice = choiceOf(seed, place, all ? kNone + 1 : 8);
            drawn.insert(all || choice != 7 ? choice : kNone);
            if (choice == (all ? kNone : 7)) continue;
            const spec::ObjectSpec one = alone(choice, seed, place + 1);
            chains[static_cast<std::size_t>(place / 2)].push_back(layer(one.class_name, "layer_" + std::to_string(place), one.config));
        }
        const std::vector<float> first = through(chains[0], images, r).output, second = through(chains[1], images, r).output;
        std::vector<float> output(images.size()), held(images.size()), of_image(images.size()), of_first(images.size()),
            of_second(images.size());
        for (std::size_t i = 0; i < images.size(); ++i) {
            const float sum = weights[0] * images[i] + weights[1] * first[i] + weights[2] * second[i];
            output[i] = std::clamp(sum, -1.0F, 1.0F);
            held[i] = sum < -1 || sum > 1 ? 0 : r[i];
            of_image[i] = weights[0] * held[i];
            of_first[i] = weights[1] * held[i];
            of_second[i] = weights[2] * held[i];
        }
        const std::vector<float> back_first = through(chains[0], images, of_first).gradient,
                                 back_second = through(chains[1], images, of_second).gradient;
        std::vector<float> gradient(images.size());
        for (std::size_t i = 0; i < images.size(); ++i) gradient[i] = of_image[i] + back_first[i] + back_second[i];
        EXPECT_TRUE(isNear(whole.output, output, 1e-6));
        EXPECT_TRUE(isNear(whole.gradient, gradient, 1e-5));
    }
    EXPECT_EQ(drawn.size(), kClasses.size() + 1);  // and none
}

TEST(RandomChoices, WithoutAPlaceInItsChainsAugMixHoldsTheImageWithinTheRange) {
    const std::vector<float> images = randomValues(60, 1, 2);
    const spec::Fields config{{"value_range", kRange}, {"chain_depth", std::int64_t{0}}};
    const Changed mixed = through({layer("AugMix", "mix", config)}, images, randomValues(60, 2));
    std::vector<float> held = images;
    for (float& value : held) value = std::clamp(value, -1.0F, 1.0F);
    EXPECT_TRUE(isNear(mixed.output, held, 1e-6));
}

TEST(RandomChoices, NoOpLeavesTheImages) {
    const auto none = layer("RandAugment", "augment", {{"num_ops", std::int64_t{0}}});
    EXPECT_TRUE(plan::lowerLayers(model({5, 4, 3}, {none}), {.batch = 2}).ops.empty());
}

TEST(RandomChoices, StandInThePrintedPlan) {
    const std::string text = plan::toString(plan::lowerLayers(
        model({5, 4, 3}, {layer("AugMix", "mix", {{"num_chains", std::int64_t{1}}, {"chain_depth", std::int64_t{2}}, {"all_ops", false}})}),
        {.batch = 2}));
    EXPECT_NE(text.find("if choice 1 is 6 of 8"), std::string::npos) << text;
    EXPECT_NE(text.find("RandomMix"), std::string::npos) << text;
}

// Of one channel, the layer that makes images gray leaves them, within the range; RandomColorDegeneration by itself takes three.
TEST(RandomChoices, TakeGrayImages) {
    const std::vector<float> images = randomValues(40, 1, 2);
    int held = 0;
    for (std::int64_t seed = 1; seed < 60; ++seed) {
        LayerRig rig(
            model({5, 4, 1}, {layer("RandAugment", "augment", {{"value_range", kRange}, {"num_ops", std::int64_t{1}}, {"seed", seed}})}), 2,
            Fusion::kOff);
        const std::span<const float> y = rig.forward(images);
        EXPECT_TRUE(std::all_of(y.begin(), y.end(), [](float value) { return std::isfinite(value); })) << seed;
        if (std::string(kClasses[static_cast<std::size_t>(choiceOf(seed, 0, kNone))]) != "RandomColorDegeneration") continue;
        for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(y[i], std::clamp(images[i], -1.0F, 1.0F));
        ++held;
    }
    EXPECT_GT(held, 0);
}

// As if the layer were called once a time.
TEST(RandomChoices, AreDrawnForEveryTimeAnew) {
    const auto each = [](const spec::ObjectSpec& inner) { return layer("TimeDistributed", "each", {{"layer", spec::ObjectBox(inner)}}); };
    const std::vector<float> images = randomValues(360, 1), r = randomValues(360, 2);
    bool differ = false;
    for (std::int64_t seed = 1; seed < 9; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        LayerRig rig(model({3, 5, 4, 3}, {each({"RandAugment",
                                                {{"value_range", kRange},
                                                 {"num_ops", std::int64_t{1}},
                                                 {"factor", kFactor},
                                                 {"interpolation", std::string("nearest")},
                                                 {"seed", seed}}})}),
                     2, Fusion::kOff);
        const std::span<const float> y = rig.forward(images);
        const std::vector<float> output(y.begin(), y.end());
        rig.backward(r);
        const std::span<const float> dx = rig.tensor("input:grad");
        std::set<int> drawn;
        for (std::int64_t time = 0; time < 3; ++time) {
            const plan::Gate gate{.seed = seed, .choices = kNone};
            const int choice = drawChoice(gate, keyOfItem(keyOf(seed), 3, time));
            drawn.insert(choice);
            LayerRig single(model({3, 5, 4, 3}, {each(alone(choice, seed, choice + 1))}), 2, Fusion::kOff);
            const std::span<const float> alone_y = single.forward(images);
            for (const std::int64_t item : {time, time + 3}) {
                const auto begin = static_cast<std::size_t>(item) * 60;
                EXPECT_TRUE(std::equal(alone_y.begin() + item * 60, alone_y.begin() + (item + 1) * 60, &output[begin])) << item;
            }
            single.backward(r);
            const std::span<const float> alone_dx = single.tensor("input:grad");
            for (const std::int64_t item : {time, time + 3}) {
                EXPECT_TRUE(std::equal(alone_dx.begin() + item * 60, alone_dx.begin() + (item + 1) * 60, dx.begin() + item * 60)) << item;
            }
        }
        differ = differ || drawn.size() > 1;
    }
    EXPECT_TRUE(differ);
}

TEST(RandomChoices, ChangeImagesAsKerasDoes) {
    const nlohmann::json golden = readGolden("random_choices.json");
    const Array r = toArray(golden.at("r"));
    ASSERT_FALSE(golden.at("cases").empty());
    for (const nlohmann::json& c : golden.at("cases")) {
        SCOPED_TRACE(c.at("layers").dump() + " " + c.at("config").dump() + " of " + c.at("images").get<std::string>());
        const auto numberOf = [&](std::size_t i) {
            const auto* found = std::find(kClasses.begin(), kClasses.end(), c.at("layers").at(i).get<std::string>());
            return static_cast<int>(found - kClasses.begin());
        };
        std::int64_t seed = 0;
        while (choiceOf(seed, 0, kNone) != numberOf(0) || choiceOf(seed, 1, kNone) != numberOf(1)) ASSERT_LT(++seed, 5000);
        spec::Fields config = toFields(c.at("config"));
        config.set("seed", seed);
        const Array images = toArray(golden.at("images").at(c.at("images").get<std::string>()));
        const Changed changed = through({layer("RandAugment", "augment", std::move(config))}, images.values, r.values);
        EXPECT_TRUE(isNear(changed.output, toArray(c.at("output")).values, c.at("images") == "bytes" ? 2e-4 : 1e-5));
        if (c.contains("gradient")) {
            EXPECT_TRUE(isNear(changed.gradient, toArray(c.at("gradient")).values, 2e-5));
        }
    }
}

// Beta(alpha, alpha) has mean 1/2 and variance 1 / (4 (2 alpha + 1)); a share of n of the Dirichlet distribution 1/n and
// (n - 1) / (n^2 (n alpha + 1)).
TEST(RandomMix, DrawsSharesOfTheirDistributions) {
    for (const double alpha : {0.3, 1.0, 4.0}) {
        SCOPED_TRACE(alpha);
        constexpr int kSteps = 6000, kChains = 3;
        double sum = 0, squares = 0, chain_sum = 0, chain_squares = 0;
        for (std::int64_t step = 0; step < kSteps; ++step) {
            const DropoutKey key{.seed = 2, .epoch = 1, .iteration = step, .layer = 9};
            std::array<float, kChains + 1> weights{};
            fillMixWeights(key, {.alpha = alpha}, kChains + 1, weights.data());
            double total = 0;
            for (const float weight : weights) {
                EXPECT_GE(weight, 0);
                total += static_cast<double>(weight);
            }
            EXPECT_NEAR(total, 1, 1e-6);
            const auto of_image = static_cast<double>(weights[0]);
            sum += of_image / kSteps;
            squares += (of_image - 0.5) * (of_image - 0.5) / kSteps;
            const double share = of_image < 1 ? static_cast<double>(weights[2]) / (1 - of_image) : 0;
            chain_sum += share / kSteps;
            chain_squares += (share - 1.0 / kChains) * (share - 1.0 / kChains) / kSteps;
        }
        EXPECT_NEAR(sum, 0.5, 0.02);
        EXPECT_NEAR(squares * 4 * (2 * alpha + 1), 1, 0.1);
        EXPECT_NEAR(chain_sum, 1.0 / kChains, 0.02);
        EXPECT_NEAR(chain_squares * (kChains * alpha + 1) * kChains * kChains / (kChains - 1), 1, 0.1);
    }
}

TEST(RandomMix, IsDrawnOnceForAllImagesOfAStep) {
    const plan::RandomMix mix{.seed = 4};
    std::array<float, 3> first{}, again{}, later{};
    DropoutKey key{.seed = 3, .iteration = 2, .layer = 4};
    fillMixWeights(key, mix, 3, first.data());
    fillMixWeights(key, mix, 3, again.data());
    ++key.iteration;
    fillMixWeights(key, mix, 3, later.data());
    EXPECT_EQ(first, again);
    EXPECT_NE(first, later);
    LayerRig rig(model({5, 4, 3}, {layer("AugMix", "mix", {{"value_range", kRange}})}), 3, Fusion::kOff);
    rig.forward(randomValues(180, 1));
    const std::span<const float> weights = rig.tensor("mix:weights");
    ASSERT_EQ(weights.size(), 12U);
    for (std::size_t i = 4; i < weights.size(); ++i) EXPECT_EQ(weights[i], weights[i % 4]);
}

}  // namespace
}  // namespace engine::backend
