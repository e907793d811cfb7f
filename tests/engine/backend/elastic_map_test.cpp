// RandomElasticTransform: images that are read by given numbers against Keras' on TensorFlow (tests/data/keras/elastic_maps.json), and what
// is drawn for a batch and for each image.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/image/elastic_map.h"
#include "engine/plan/lower.h"
#include "tests/support/golden.h"
#include "tests/support/layer_rig.h"
#include "tests/support/model_builder.h"
#include "tests/support/near.h"

namespace engine::backend {
namespace {

using plan::RandomElastic;
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

// As the layer's lowering reads the settings.
RandomElastic attributesOf(const spec::Fields& config) {
    const plan::Plan plan = plan::lowerLayers(model({7, 9, 2}, {layer("RandomElasticTransform", "elastic", config)}), {.batch = 2});
    return std::get<RandomElastic>(plan.ops.front().attributes);
}

TEST(ElasticMap, ReadsImagesAsKerasDoes) {
    const nlohmann::json golden = readGolden("elastic_maps.json");
    const Array images = toArray(golden.at("images")), normals = toArray(golden.at("normals")), r = toArray(golden.at("r"));
    const ElasticSize size{images.shape[1], images.shape[2], images.shape[3]};
    const auto cells = static_cast<std::size_t>(size.cells()), values = cells * static_cast<std::size_t>(size.channels);
    ASSERT_FALSE(golden.at("cases").empty());
    for (const nlohmann::json& c : golden.at("cases")) {
        SCOPED_TRACE(c.at("config").dump() + " " + c.at("scale").dump());
        const RandomElastic elastic = attributesOf(toFields(c.at("config")));
        const ElasticNumbers numbers = elasticNumbers(c.at("scale").get<double>(), size.height, size.width);
        const auto changes = c.at("changes").get<std::vector<bool>>();
        std::vector<float> output(images.values.size()), gradient(images.values.size());
        for (std::size_t image = 0; image < changes.size(); ++image) {
            std::vector<float> field(cells), scratch(cells + static_cast<std::size_t>(numbers.places()));
            if (changes[image]) {
                std::copy_n(&normals.values[image * cells], cells, field.begin());
                smoothElasticField(numbers, size, field, scratch);
            }
            const std::span<const float> x(&images.values[image * values], values), dy(&r.values[image * values], values);
            readElastic(elastic, size, field, x, std::span<float>(output).subspan(image * values, values));
            readElasticBack(elastic, size, field, dy, x, std::span<float>(gradient).subspan(image * values, values));
        }
        EXPECT_TRUE(isNear(output, toArray(c.at("output")).values, 1e-5));
        EXPECT_TRUE(isNear(gradient, toArray(c.at("gradient")).values, 2e-5));
    }
}

TEST(ElasticMap, DrawsABatchsScaleOnce) {
    const RandomElastic elastic{.scale = {0.5, 3}};
    const ElasticNumbers first = drawElasticNumbers(kKey, elastic, 40, 60);
    DropoutKey key = kKey;
    ++key.iteration;
    EXPECT_NE(drawElasticNumbers(key, elastic, 40, 60).deviation, first.deviation);
    double sum = 0;
    for (int step = 0; step < 2000; ++step) {
        key.iteration = step;
        const ElasticNumbers drawn = drawElasticNumbers(key, elastic, 40, 60);
        EXPECT_GE(drawn.deviation, 40 * 0.05F * 0.5F);
        EXPECT_LE(drawn.deviation, 40 * 0.05F * 3);
        EXPECT_NEAR(drawn.reach, drawn.deviation * 3, 1e-4);  // 60 * 0.1 to 40 * 0.05
        EXPECT_EQ(drawn.half, 3 * static_cast<int>(drawn.deviation));
        sum += static_cast<double>(drawn.deviation) / 2000;
    }
    EXPECT_NEAR(sum, 3.5, 0.2);  // more than six standard deviations
    EXPECT_EQ(mostElasticPlaces(elastic, {40, 60, 1}), 37);
}

TEST(ElasticMap, ChangesAShareOfTheImages) {
    int changed = 0;
    for (std::uint32_t sample = 0; sample < 4000; ++sample) changed += drawElasticFate(kKey, {.chance = {0, 1}}, sample) ? 1 : 0;
    EXPECT_NEAR(changed, 2000, 190);
    for (const double share : {0.0, 1.0}) {
        for (std::uint32_t sample = 0; sample < 100; ++sample) {
            EXPECT_EQ(drawElasticFate(kKey, {.chance = {share, share}}, sample), share == 1);
        }
    }
}

// The sum of normal numbers times weights has the deviation of one times the root of the weights' squares.
TEST(ElasticMap, FieldsHaveTheirDeviation) {
    const ElasticSize size{41, 40, 1};
    const RandomElastic elastic{.scale = {1.05, 1.05}};
    const ElasticNumbers numbers = elasticNumbers(1.05, size.height, size.width);
    ASSERT_EQ(numbers.half, 6);
    const BlurCurve curve(numbers.places(), numbers.deviation);
    double squares_of_weights = 0;
    for (int i = 0; i < numbers.places(); ++i)
        squares_of_weights += static_cast<double>(curve.share(i)) * static_cast<double>(curve.share(i));
    double sum = 0, squares = 0, products = 0;
    constexpr int kImages = 600;
    std::set<float> different;
    std::vector<float> field(static_cast<std::size_t>(size.cells())), scratch(field.size() + static_cast<std::size_t>(numbers.places()));
    for (std::uint32_t sample = 0; sample < kImages; ++sample) {
        fillElasticField(elastic, {kKey, sample}, size, field, scratch);
        const float middle = field[20 * 40 + 20];
        different.insert(middle);
        sum += static_cast<double>(middle) / kImages;
        squares += static_cast<double>(middle) * static_cast<double>(middle) / kImages;
        products += static_cast<double>(middle) * static_cast<double>(field[20 * 40 + 21]) / kImages;
    }
    const double expected = static_cast<double>(numbers.reach) * static_cast<double>(numbers.deviation) * squares_of_weights;
    EXPECT_EQ(different.size(), static_cast<std::size_t>(kImages));
    EXPECT_GT(products, 0.85 * squares) << "neighbours move alike";
    EXPECT_NEAR(sum, 0, 0.25 * expected);                         // six deviations of the mean
    EXPECT_NEAR(std::sqrt(squares), expected, 0.175 * expected);  // the same of the deviation
}

TEST(ElasticMap, LeavesImagesWithoutAFieldWithinTheRange) {
    LayerRig rig(model({6, 6, 1}, {layer("RandomElasticTransform", "elastic",
                                         {{"factor", std::vector<double>{0.5, 0.5}},
                                          {"scale", std::vector<double>{1, 8}},
                                          {"value_range", std::vector<double>{-0.5, 0.5}}})}),
                 40, Fusion::kOff);
    const std::vector<float> x = tests::support::randomValues(40 * 36, 1);
    const std::span<const float> y = rig.forward(x), field = rig.tensor("elastic:field");
    int changed = 0;
    for (std::size_t image = 0; image < 40; ++image) {
        const std::span<const float> cells = field.subspan(image * 36, 36);
        const bool moves = std::any_of(cells.begin(), cells.end(), [](float cell) { return cell != 0; });
        changed += moves ? 1 : 0;
        for (std::size_t i = image * 36; i < (image + 1) * 36; ++i) {
            EXPECT_LE(std::abs(y[i]), 0.5F);
            if (!moves) {
                EXPECT_EQ(y[i], std::clamp(x[i], -0.5F, 0.5F));
            }
        }
    }
    EXPECT_GT(changed, 8);
    EXPECT_LT(changed, 32);
}

// As in Keras, where nothing can be drawn the images are not held within the range either.
TEST(ElasticMap, IsTheIdentityWhereNothingCanBeDrawn) {
    for (const char* field : {"factor", "scale"}) {
        const plan::Plan plan =
            plan::lowerLayers(model({6, 6, 1}, {layer("RandomElasticTransform", "elastic", {{field, 0.0}})}), {.batch = 2});
        EXPECT_TRUE(plan.ops.empty()) << field;
    }
}

}  // namespace
}  // namespace engine::backend
