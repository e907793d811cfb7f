// MixUp and CutMix: what becomes of samples once chance has spoken, against Keras' numbers (tests/data/keras/mixes.json), and how chance
// speaks.
#include "engine/data/mixing/mixing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/mixing/batch_mixer.h"
#include "engine/spec/error.h"
#include "tests/support/golden.h"
#include "tests/support/near.h"

namespace engine::data {
namespace {

using spec::MixKind;
using tests::support::Array;
using tests::support::isNear;
using tests::support::readGolden;
using tests::support::toArray;

// The set that holds one batch of floats.
Samples setOf(const Array& images, const Array& labels) {
    const auto bytesOf = [](const std::vector<float>& values) {
        ByteBuffer buffer(values.size() * sizeof(float));
        std::ranges::copy(std::as_bytes(std::span(values)), buffer.data());
        return buffer;
    };
    Samples samples;
    samples.count = images.shape[0];
    samples.sample_shape.assign(images.shape.begin() + 1, images.shape.end());
    samples.label_shape.assign(labels.shape.begin() + 1, labels.shape.end());
    samples.sample_dtype = samples.label_dtype = tensor::DType::kFloat32;
    samples.samples = bytesOf(images.values);
    samples.labels = bytesOf(labels.values);
    return samples;
}

std::span<const float> floats(const std::byte* bytes, std::size_t count) {
    return {reinterpret_cast<const float*>(bytes), count};
}

TEST(Mixing, IsThatOfKerasOnceChanceHasSpoken) {
    int cases = 0;
    for (const nlohmann::json& golden : readGolden("mixes.json")) {
        const Array images = toArray(golden.at("images")), labels = toArray(golden.at("labels"));
        const std::vector<float> weights = toArray(golden.at("weights")).values;
        const bool cuts = golden.at("class_name") == "CutMix";
        MixRule rule;
        rule.settings.kind = cuts ? MixKind::kCutMix : MixKind::kMixUp;
        rule.image = {images.shape[1], images.shape[2], images.shape[3]};
        std::vector<Mixing> mixings(weights.size());
        for (std::size_t i = 0; i < weights.size(); ++i) {
            mixings[i].share = weights[i];
            if (cuts) {
                mixings[i] = cutBox(weights[i], toArray(golden.at("across")).values[i], toArray(golden.at("down")).values[i], rule.image);
                const std::vector<float> box{mixings[i].left, mixings[i].right, mixings[i].top, mixings[i].bottom, mixings[i].share};
                std::vector<float> expected;
                for (const char* edge : {"left", "right", "top", "bottom", "shares"}) {
                    expected.push_back(toArray(golden.at(edge)).values[i]);
                }
                EXPECT_TRUE(isNear(box, expected, 1e-6)) << i;
            }
            mixings[i].partner = golden.at("order")[i];
        }
        const Samples samples = setOf(images, labels);
        std::vector<std::uint32_t> all(weights.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint32_t>(i);
        tensor::BatchView view = samples.view();
        view.indices = all;
        BatchMixer mixer(rule, samples, samples.count);
        mixer.mix(view, all, mixings);
        ASSERT_EQ(view.sample_dtype, tensor::DType::kFloat32);
        EXPECT_TRUE(isNear(floats(view.samples, images.values.size()), toArray(golden.at("images_out")).values, 1e-6));
        EXPECT_TRUE(isNear(floats(view.labels, labels.values.size()), toArray(golden.at("labels_out")).values, 1e-6));
        ++cases;
    }
    EXPECT_EQ(cases, 4);
}

tensor::RandomStream streamOf(std::uint64_t step) {
    return tensor::RandomStream({.seed = 11, .purpose = tensor::RandomPurpose::kMixing, .step = step});
}

std::vector<double> sharesOf(double alpha, std::size_t count) {
    std::vector<double> shares;
    const tensor::RandomStream random = streamOf(0);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t blocks = 0;
        shares.push_back(drawBeta(random, i, blocks, alpha));
        EXPECT_GE(blocks, 2U);
    }
    return shares;
}

// The mean is 1/2, the variance 1 / (4 (2 alpha + 1)).
TEST(Mixing, DrawsSharesFromABeta) {
    constexpr std::size_t kCount = 40000;
    for (const double alpha : {1e-6, 0.05, 0.2, 1.0, 4.0, 50.0}) {
        const std::vector<double> shares = sharesOf(alpha, kCount);
        double sum = 0, squares = 0;
        for (const double share : shares) {
            ASSERT_TRUE(share >= 0 && share <= 1) << alpha << ": " << share;
            sum += share;
            squares += (share - 0.5) * (share - 0.5);
        }
        const double variance = 1 / (4 * (2 * alpha + 1));
        EXPECT_NEAR(sum / kCount, 0.5, 5 * std::sqrt(variance / kCount)) << alpha;
        EXPECT_NEAR(squares / kCount, variance, 0.03 * variance) << alpha;
    }
    // With alpha 1 every share is alike: the distribution of Kolmogorov and Smirnov at a level of one in a thousand.
    std::vector<double> shares = sharesOf(1, kCount);
    std::ranges::sort(shares);
    double farthest = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
        farthest = std::max(farthest, std::abs(shares[i] - (static_cast<double>(i) + 0.5) / kCount));
    }
    EXPECT_LT(farthest, 1.95 / std::sqrt(static_cast<double>(kCount)));
    // With alpha 1/2 it is the arcsine's: a fifth of all shares lies below sin(pi / 10)^2.
    const std::vector<double> outer = sharesOf(0.5, kCount);
    const auto below = std::ranges::count_if(outer, [](double share) { return share < 0.0954915; });
    EXPECT_NEAR(static_cast<double>(below) / kCount, 0.2, 0.01);
}

TEST(Mixing, PairsInEveryOrderAlike) {
    constexpr int kBatches = 12000;
    std::map<std::array<std::uint32_t, 4>, int> seen;
    for (int step = 0; step < kBatches; ++step) {
        std::array<Mixing, 4> batch;
        drawMixings({}, streamOf(static_cast<std::uint64_t>(step)), batch);
        ++seen[{batch[0].partner, batch[1].partner, batch[2].partner, batch[3].partner}];
    }
    EXPECT_EQ(seen.size(), 24U);
    for (const auto& [order, times] : seen) {
        std::array<std::uint32_t, 4> sorted = order;
        std::ranges::sort(sorted);
        EXPECT_THAT(sorted, testing::ElementsAre(0, 1, 2, 3));
        EXPECT_NEAR(times, kBatches / 24, 120);  // more than five times its deviation
    }
}

TEST(Mixing, CutsBoxesWhoseAreaIsNotTheSamplesShare) {
    MixRule rule;
    rule.settings = {.kind = MixKind::kCutMix, .least = 1, .most = 1};
    rule.image = {12, 20, 3};
    std::vector<Mixing> batch(20000);
    drawMixings(rule, streamOf(3), batch);
    double sum = 0, across = 0;
    for (const Mixing& mixing : batch) {
        ASSERT_TRUE(mixing.left >= 0 && mixing.left <= mixing.right && mixing.right <= 20.0001F) << mixing.left << " " << mixing.right;
        ASSERT_TRUE(mixing.top >= 0 && mixing.top <= mixing.bottom && mixing.bottom <= 12.0001F);
        const float width = mixing.right - mixing.left, height = mixing.bottom - mixing.top;
        EXPECT_NEAR(mixing.share, 1 - width * height / 240, 1e-5);
        EXPECT_NEAR(width / 20, height / 12, 1e-5) << "a box has the image's proportions";
        sum += static_cast<double>(mixing.share);
        across += static_cast<double>(mixing.left + mixing.right) / 2;
    }
    EXPECT_NEAR(sum / 20000, 0.5, 0.012);
    EXPECT_NEAR(across / 20000, 10, 0.15) << "to the left as often as to the right";
}

// An alpha between 0 and 1 is drawn for each batch: small ones make shares of almost nothing or almost all.
TEST(Mixing, DrawsTheAlphaOfABatch) {
    MixRule rule;
    rule.settings = {.kind = MixKind::kCutMix, .least = 0, .most = 1};
    rule.image = {8, 8, 1};
    double least = 1, most = 0;
    for (std::uint64_t step = 0; step < 200; ++step) {
        std::vector<Mixing> batch(400);
        drawMixings(rule, streamOf(step), batch);
        const auto outer = std::ranges::count_if(batch, [](const Mixing& one) { return one.share < 0.01F || one.share > 0.99F; });
        least = std::min(least, static_cast<double>(outer) / 400);
        most = std::max(most, static_cast<double>(outer) / 400);
    }
    EXPECT_LT(least, 0.06);  // alpha near 1: a fiftieth
    EXPECT_GT(most, 0.8);    // alpha near 0
}

TEST(Mixing, TakesThePixelsWhoseCornerLiesInTheBox) {
    const spec::ImageSize image{4, 6, 1};
    EXPECT_EQ(pixelsOf({.left = 1, .right = 3, .top = 0.5F, .bottom = 2.5F}, image), (PixelBox{1, 3, 1, 3}));
    EXPECT_EQ(pixelsOf({.left = 0, .right = 6, .top = 0, .bottom = 4}, image), (PixelBox{0, 4, 0, 6}));
    EXPECT_EQ(pixelsOf({.left = 2.1F, .right = 2.9F, .top = 0, .bottom = 4}, image), PixelBox{}) << "no column";
    EXPECT_EQ(pixelsOf({}, image), PixelBox{});
}

TEST(Mixing, NamesWhatItCannotMix) {
    Samples row;
    row.sample_shape = {784};
    spec::DataSpec data;
    EXPECT_FALSE(mixRule(data, {}, row, 3));
    const auto refusal = [&](const char* name) {
        data.mix = {name, {}};
        try {
            mixRule(data, {784}, row, 3);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(refusal("MixUp"), "");
    EXPECT_THAT(refusal("CutMix"), testing::HasSubstr("data.mix: expected samples with rows and columns for CutMix, got (784"));
    EXPECT_THAT(refusal("Blend"), testing::HasSubstr("data.mix: expected MixUp or CutMix, got Blend"));
    data.mix = {"CutMix", {{"factor", std::vector<double>{0.75, 0.5}}, {"seed", std::int64_t{9}}}};
    const std::optional<MixRule> rule = mixRule(data, {28, 28}, row, 3);
    ASSERT_TRUE(rule);
    EXPECT_EQ(rule->image, (spec::ImageSize{28, 28, 1})) << "of the model's input";
    EXPECT_EQ(rule->seed, 9U);
    EXPECT_EQ(rule->settings.least, 0.5);
    EXPECT_EQ(rule->settings.most, 0.75);
}

}  // namespace
}  // namespace engine::data
