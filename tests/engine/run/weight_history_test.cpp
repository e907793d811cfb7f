#include "engine/run/weight_history.h"

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/sample_layers.h"

namespace engine::run {
namespace {

using testing::ElementsAre;

spec::Distribution distribution(std::string name) {
    spec::Distribution values;
    values.name = std::move(name);
    values.minimum = -1;
    values.maximum = 1;
    values.counts = {3, 4};
    return values;
}

spec::WeightReport reportOf(std::int64_t step) {
    spec::WeightReport report;
    report.epoch = static_cast<std::int32_t>(step / 10);
    report.step = step;
    report.weights_norm = 2;
    report.gradients_norm = 0.5;
    report.weights = {distribution("dense/kernel"), distribution("dense/bias")};
    report.gradients = {distribution("dense/kernel")};
    return report;
}

TEST(WeightHistory, HasARowOfEachVariableForEachReport) {
    WeightHistory history;
    history.add(reportOf(10), 1.5);
    history.add(reportOf(20), 3);
    ASSERT_EQ(history.weights().size(), 2U);
    EXPECT_EQ(history.weights()[0].name, "dense/kernel");
    ASSERT_EQ(history.weights()[0].entries.size(), 2U);
    EXPECT_THAT(history.weights()[0].entries[1].limits, ElementsAre(-1, 0, 1));
    EXPECT_EQ(history.weights()[0].entries[1].time_s, 3);
    EXPECT_EQ(history.gradients().size(), 1U);
    ASSERT_EQ(history.norms().size(), 2U);
    EXPECT_EQ(history.norms()[0].gradients, 0.5);
    EXPECT_TRUE(history.filters().empty());
}

TEST(WeightHistory, AReportWithoutGradientsHasNoNormOfThem) {
    spec::WeightReport report = reportOf(10);
    report.gradients.clear();
    WeightHistory history;
    history.add(report, 1);
    EXPECT_TRUE(std::isnan(history.norms()[0].gradients));
    EXPECT_TRUE(history.gradients().empty());
}

TEST(WeightHistory, AStepThatComesAgainTakesThePlaceOfWhatWasReported) {
    WeightHistory history;
    for (const std::int64_t step : {10, 20, 30}) history.add(reportOf(step), 1);
    history.add(reportOf(20), 5);
    ASSERT_EQ(history.norms().size(), 2U);
    EXPECT_EQ(history.norms()[1].step, 20);
    EXPECT_EQ(history.norms()[1].time_s, 5);
    history.dropAfter(10);
    EXPECT_EQ(history.norms().size(), 1U);
    EXPECT_EQ(history.weights()[1].entries.size(), 1U);
}

TEST(WeightHistory, KeepsWhatWasMeasuredOfEachLayer) {
    WeightHistory history;
    history.add(reportOf(10), 1);
    for (const std::int64_t step : {1, 2, 5, 10}) history.add(tests::sampleLayers(step), static_cast<double>(step));
    EXPECT_THAT(history.layerNames(), ElementsAre("conv2d", "dense", "dense_1"));
    const spec::LayerMeasure* dense = history.layers()[2].find("dense");
    ASSERT_NE(dense, nullptr);
    EXPECT_DOUBLE_EQ(deadShare(*dense), 3.0 / 64);
    EXPECT_NEAR(updateRatio(*dense), 1e-3 / std::sqrt(1.25), 1e-9);
    EXPECT_EQ(history.layers()[2].find("flatten"), nullptr);
    history.add(tests::sampleLayers(2), 20);
    ASSERT_EQ(history.layers().size(), 2U) << "a step that comes again";
    EXPECT_EQ(history.layers()[1].time_s, 20);
    EXPECT_EQ(history.norms().size(), 1U) << "reports of epochs stay";
    history.dropAfter(1);
    EXPECT_EQ(history.layers().size(), 1U);
    EXPECT_TRUE(history.norms().empty());
    EXPECT_TRUE(std::isnan(updateRatio({})));
    EXPECT_TRUE(std::isnan(deadShare({})));
}

}  // namespace
}  // namespace engine::run
