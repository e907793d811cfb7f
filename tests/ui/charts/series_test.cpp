// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/series.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "engine/run/rate_meter.h"

namespace ui::models {
namespace {

using testing::ElementsAre;

constexpr std::int64_t kSecond = 1'000'000'000;

Series seriesOf(std::initializer_list<float> values, double smoothing) {
    Series series;
    series.setSmoothing(smoothing);
    std::int64_t step = 0;
    for (const float value : values) {
        ++step;
        series.append(step, step * kSecond, value);
    }
    return series;
}

TEST(Series, KeepsWhatWasAppendedAndSmoothsItBesides) {
    Series series;
    series.setSmoothing(0.6);
    series.append(1, 10 * kSecond, 4.0F);
    series.append(2, 11 * kSecond, 2.0F);
    EXPECT_EQ(series.at(1).value, 2.0F);
    // (4 · 0.4 · 0.6 + 2 · 0.4) / (1 − 0.36)
    EXPECT_FLOAT_EQ(series.at(1).smoothed, 2.75F);
}

TEST(Series, SmoothsByTheDebiasedExponentialAverage) {
    // last: 0.4, 0.24, 0.544, 0.3264; divided by 1 - 0.6^n: 0.4, 0.64, 0.784, 0.8704.
    const Series series = seriesOf({1, 0, 1, 0}, 0.6);
    EXPECT_FLOAT_EQ(series.at(0).smoothed, 1.0F);
    EXPECT_FLOAT_EQ(series.at(1).smoothed, 0.375F);
    EXPECT_NEAR(series.at(2).smoothed, 0.544 / 0.784, 1e-6);
    EXPECT_NEAR(series.at(3).smoothed, 0.3264 / 0.8704, 1e-6);
}

TEST(Series, LeavesAConstantSeriesUntouched) {
    const Series series = seriesOf({0.1F, 0.1F, 0.1F, 0.1F, 0.1F}, 0.97);
    for (std::size_t i = 0; i < series.size(); ++i) EXPECT_EQ(series.at(i).smoothed, 0.1F);
}

TEST(Series, KnowsTheExtremesOfWhatIsInSight) {
    Series series;
    for (int step = 1; step <= 100; ++step) series.append(step, step * kSecond, step == 3 ? 9.0F : 1.0F / static_cast<float>(step));
    EXPECT_EQ(series.valueRange(XAxis::kStep, {0, 100})->upper, 9);
    EXPECT_EQ(series.valueRange(XAxis::kStep, {4, 100})->upper, 0.25);
    EXPECT_EQ(series.valueRange(XAxis::kStep, {4, 50})->lower, static_cast<double>(1.0F / 50));
    EXPECT_FALSE(series.valueRange(XAxis::kStep, {101, 200}));
    EXPECT_FALSE(Series().valueRange(XAxis::kStep, {0, 1}));
}

TEST(Series, SkipsNonFiniteValuesAndCountsThem) {
    const Series series = seriesOf({1, std::numeric_limits<float>::quiet_NaN(), 0, std::numeric_limits<float>::infinity()}, 0.6);
    EXPECT_EQ(series.size(), 2u);
    EXPECT_EQ(series.nonFiniteCount(), 2);
    EXPECT_FLOAT_EQ(series.at(1).smoothed, 0.375F);
}

TEST(Series, KnowsFromWhichStepOnItIsNoNumber) {
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
    Series series;
    const auto append = [&](std::int64_t step, float value) { series.append(step, step * kSecond, value); };
    append(1, 1.0F);
    EXPECT_FALSE(series.notFiniteSince());
    append(2, kNaN);
    append(3, kNaN);
    EXPECT_EQ(series.notFiniteSince(), 2);
    append(4, 0.5F);
    EXPECT_FALSE(series.notFiniteSince()) << "it has recovered";
    append(5, std::numeric_limits<float>::infinity());
    EXPECT_EQ(series.notFiniteSince(), 5);
    append(3, kNaN);
    EXPECT_EQ(series.notFiniteSince(), 3) << "of the attempt that repeats it";
    append(4, 1.0F);
    EXPECT_FALSE(series.notFiniteSince());
}

TEST(Series, RecomputesTheSmoothedCurveForAnotherWeight) {
    Series series = seriesOf({1, 0, 1, 0}, 0.9);
    series.setSmoothing(0.6);
    EXPECT_NEAR(series.at(3).smoothed, 0.375, 1e-6);
    series.setSmoothing(0);
    EXPECT_EQ(series.at(3).smoothed, 0.0F);
}

TEST(Series, ReplacesWhatARestartedAttemptRepeats) {
    Series series = seriesOf({5, 4, 3, 2}, 0.6);
    series.append(3, 20 * kSecond, 9.0F);
    EXPECT_EQ(series.size(), 3u);
    EXPECT_EQ(series.at(2).value, 9.0F);
    EXPECT_EQ(series.at(2).step, 3);
    const Series fresh = seriesOf({5, 4, 9}, 0.6);
    EXPECT_EQ(series.at(2).smoothed, fresh.at(2).smoothed);
}

TEST(Series, MeasuresTheRelativeAxisFromItsOriginAndTheWallFrom1970) {
    Series series;
    series.setOrigin(100 * kSecond);
    series.append(7, 102 * kSecond + kSecond / 2, 1.0F);
    EXPECT_DOUBLE_EQ(series.x(0, XAxis::kStep), 7);
    EXPECT_DOUBLE_EQ(series.x(0, XAxis::kRelative), 2.5);
    EXPECT_DOUBLE_EQ(series.x(0, XAxis::kWall), 102.5);
}

TEST(Series, FindsTheNewestPointAtOrBeforeTheCursor) {
    Series series;
    for (const std::int64_t step : {469, 938, 1407}) series.append(step, step * kSecond, 1.0F);
    EXPECT_EQ(series.indexAtOrBefore(468, XAxis::kStep), std::nullopt);
    EXPECT_EQ(series.indexAtOrBefore(469, XAxis::kStep), 0u);
    EXPECT_EQ(series.indexAtOrBefore(1200, XAxis::kStep), 1u);
    EXPECT_EQ(series.indexAtOrBefore(9999, XAxis::kStep), 2u);
}

TEST(Series, ShowsFewPointsAsTheyAreWithANeighbourBeyondEitherEdge) {
    const Series series = seriesOf({5, 4, 3, 2, 1}, 0);
    EXPECT_THAT(series.visiblePoints(Series::Curve::kRaw, XAxis::kStep, {2.5, 3.5}, 100),
                ElementsAre(PlotPoint{2, 4}, PlotPoint{3, 3}, PlotPoint{4, 2}));
}

// What is drawn of `visible` has each column's lowest and highest of all points, in order.
void expectEveryColumnsExtremes(const Series& series, XAxis axis, Range visible) {
    constexpr int kColumns = 311;
    const auto points = series.visiblePoints(Series::Curve::kRaw, axis, visible, kColumns);
    ASSERT_LE(points.size(), 2u * kColumns + 2);
    std::vector<Range> expected(kColumns, {1e9, -1e9}), drawn(kColumns, {1e9, -1e9});
    const auto put = [&](std::vector<Range>& into, double x, double y) {
        if (x < visible.lower || x > visible.upper) return;
        const int column = std::min(kColumns - 1, static_cast<int>((x - visible.lower) * kColumns / visible.size()));
        into[static_cast<std::size_t>(column)].lower = std::min(into[static_cast<std::size_t>(column)].lower, y);
        into[static_cast<std::size_t>(column)].upper = std::max(into[static_cast<std::size_t>(column)].upper, y);
    };
    for (std::size_t i = 0; i < series.size(); ++i) put(expected, series.x(i, axis), series.at(i).value);
    for (const PlotPoint& point : points) put(drawn, point.x, point.y);
    EXPECT_EQ(expected, drawn);
    for (std::size_t i = 1; i < points.size(); ++i) ASSERT_LT(points[i - 1].x, points[i].x);
}

TEST(Series, ThinsToTwoPointsAColumnAndKeepsEveryColumnsExtremes) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uniform(-1, 1);
    Series series;
    constexpr int kPoints = 50'000;
    for (int i = 1; i <= kPoints; ++i) series.append(i, i * kSecond, uniform(random));
    expectEveryColumnsExtremes(series, XAxis::kStep, {1234.5, 43210.5});
    expectEveryColumnsExtremes(series, XAxis::kWall, {1234.5, 43210.5});
    series.setStepsPerEpoch(700);
    expectEveryColumnsExtremes(series, XAxis::kEpoch, {1.25, 60.4});
    series.setStepsPerEpoch(700, 5);
    expectEveryColumnsExtremes(series, XAxis::kEpoch, {6.25, 65.4});
    series.setStepsPerEpoch(700);
    // A restart that reports more seldom: steps no longer rise evenly.
    for (int i = 40'001; i <= 40'000 + 7 * kPoints; i += 7) series.append(i, i * kSecond, uniform(random));
    expectEveryColumnsExtremes(series, XAxis::kStep, {1234.5, 390'000.5});
    expectEveryColumnsExtremes(series, XAxis::kEpoch, {1.25, 560.4});
    // One from before the change: they do again.
    for (int i = 30'000; i <= kPoints; ++i) series.append(i, i * kSecond, uniform(random));
    expectEveryColumnsExtremes(series, XAxis::kStep, {1234.5, 43210.5});
}

TEST(Series, ShowsWhatCameSinceTheLastLookAtTheSameRange) {
    Series series;
    for (int i = 1; i <= 5000; ++i) series.append(i, i * kSecond, 1);
    const Range visible{0, 10'000};
    const auto look = [&] { return series.visiblePoints(Series::Curve::kRaw, XAxis::kStep, visible, 100); };
    EXPECT_EQ(look().back(), (PlotPoint{5000, 1}));
    for (int i = 5001; i <= 6000; ++i) series.append(i, i * kSecond, 1);
    series.append(6000, 6000 * kSecond, 9);
    EXPECT_EQ(look().back(), (PlotPoint{6000, 9}));
    series.append(6000, 6000 * kSecond, 7);  // as many points as before
    EXPECT_EQ(look().back(), (PlotPoint{6000, 7}));
    series.clear();
    EXPECT_THAT(look(), testing::IsEmpty());
}

TEST(Series, DrawsTheSmoothedCurveAsTheMeanOfEachColumn) {
    Series series;
    series.setSmoothing(0.5);
    for (int i = 1; i <= 1000; ++i) series.append(i, i, i % 2 == 0 ? 3.0F : 1.0F);
    const auto points = series.visibleMeans(XAxis::kStep, {200, 999}, 50);
    ASSERT_GE(points.size(), 50u);
    ASSERT_LE(points.size(), 53u);
    for (std::size_t i = 1; i + 2 < points.size(); ++i) {
        EXPECT_NEAR(points[i].y, 2.0, 0.05);
        EXPECT_LT(points[i - 1].x, points[i].x);
    }
    EXPECT_EQ(series.visibleMeans(XAxis::kStep, {10, 20}, 50), series.visiblePoints(Series::Curve::kSmoothed, XAxis::kStep, {10, 20}, 50));
}

TEST(Series, DrawsAMillionPointsWithTwoAColumnWhereverItIsPanned) {
    Series series;
    for (int i = 1; i <= 1'000'000; ++i) series.append(i, i, static_cast<float>(i % 977));
    for (const double from : {0.0, 37'123.5, 100'000.0}) {
        const auto points = series.visiblePoints(Series::Curve::kRaw, XAxis::kStep, {from, from + 900'000}, 900);
        EXPECT_GT(points.size(), 900U);
        EXPECT_LE(points.size(), 2 * 900U + 2);
        EXPECT_LE(points.front().x, from + 1000);  // the first column's extremes
        EXPECT_GE(points.back().x, from + 899'000);
    }
}

TEST(RobustRange, ShowsEverythingWhenNothingLiesFarOutside) {
    const auto range = robustRange({1, 2, 3, 4, 5});
    ASSERT_TRUE(range);
    EXPECT_DOUBLE_EQ(range->lower, 0.8);
    EXPECT_DOUBLE_EQ(range->upper, 5.2);
}

TEST(RobustRange, LeavesTheFirstHighLossesOutside) {
    std::vector<double> losses{2.3, 1.9, 1.1};
    for (int i = 0; i < 200; ++i) losses.push_back(0.2 - 0.0005 * i);
    const auto range = robustRange(losses);
    ASSERT_TRUE(range);
    EXPECT_LT(range->upper, 0.25);
}

TEST(RobustRange, HasNoneWithoutAFiniteValueAndRoomAroundASingleOne) {
    EXPECT_FALSE(robustRange({}));
    EXPECT_FALSE(robustRange({NAN}));
    const auto range = robustRange({3.0});
    ASSERT_TRUE(range);
    EXPECT_LT(range->lower, 3.0);
    EXPECT_GT(range->upper, 3.0);
}

using engine::run::RateMeter;

TEST(RateMeter, GivesExamplesPerSecondOfEachFullWindow) {
    RateMeter meter(0.5);
    EXPECT_FALSE(meter.add(10.0, 64)) << "the first step starts the clock";
    EXPECT_FALSE(meter.add(10.25, 64));
    EXPECT_DOUBLE_EQ(meter.add(10.5, 64).value(), 256);
    EXPECT_FALSE(meter.add(10.6, 64));
    EXPECT_FALSE(meter.add(9.0, 64)) << "a clock set back starts anew";
    EXPECT_DOUBLE_EQ(meter.add(9.5, 32).value(), 64);
}

TEST(RateMeter, KnowsTheRateOfARunThatWasOverBeforeAWindowClosed) {
    RateMeter meter(0.5);
    EXPECT_FALSE(meter.rest());
    meter.add(10.0, 64);
    EXPECT_FALSE(meter.rest()) << "one step has no duration";
    meter.add(10.1, 64);
    meter.add(10.2, 64);
    EXPECT_NEAR(meter.rest().value(), 640, 1e-6);
}

// A run that was over for an hour and started again: relative time goes on where it stood, wall time knows of the hour.
TEST(Series, RelativeTimeLeavesPausesOut) {
    constexpr std::int64_t kHour = 3600 * kSecond;
    Series series;
    series.setOrigin(100 * kSecond);
    series.setPauses({{103 * kSecond, 103 * kSecond + kHour}});
    for (int step = 1; step <= 6; ++step) series.append(step, (100 + step) * kSecond + (step > 3 ? kHour : 0), 1.0F);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_DOUBLE_EQ(series.x(i, XAxis::kRelative), static_cast<double>(i + 1)) << i;
    EXPECT_DOUBLE_EQ(series.x(5, XAxis::kWall) - series.x(0, XAxis::kWall), 3605);
    EXPECT_EQ(series.indexAtOrBefore(4.5, XAxis::kRelative), 3u);
    EXPECT_DOUBLE_EQ(series.xOf(3, 103 * kSecond + kHour / 2, XAxis::kRelative), 3) << "nothing goes on in a pause";
    EXPECT_EQ(pausedBefore({{1, 3}, {5, 6}}, 0), 0);
    EXPECT_EQ(pausedBefore({{1, 3}, {5, 6}}, 2), 1);
    EXPECT_EQ(pausedBefore({{1, 3}, {5, 6}}, 5), 2);
    EXPECT_EQ(pausedBefore({{1, 3}, {5, 6}}, 9), 3);
}

}  // namespace
}  // namespace ui::models
