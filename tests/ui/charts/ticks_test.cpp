// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/ticks.h"

#include <gtest/gtest.h>

#include <QLocale>

namespace ui::models {
namespace {

std::string labels(const std::vector<Tick>& ticks) {
    QStringList all;
    for (const Tick& tick : ticks) all << tick.label;
    return all.join(QLatin1Char(' ')).toStdString();
}

class Ticks : public testing::Test {
protected:
    void SetUp() override { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
};

TEST_F(Ticks, StandAtRoundNumbersWithEqualDecimals) {
    EXPECT_EQ(labels(linearTicks({0, 0.25}, 6)), "0.00 0.05 0.10 0.15 0.20 0.25");
    EXPECT_EQ(labels(linearTicks({0.94, 1.0}, 6)), "0.94 0.96 0.98 1.00");
    EXPECT_EQ(labels(linearTicks({0, 1}, 5)), "0.00 0.25 0.50 0.75 1.00");
    EXPECT_EQ(labels(linearTicks({-3, 12000}, 5)), "0 2,500 5,000 7,500 10,000");
}

TEST_F(Ticks, AreWholeNumbersOnTheStepAxis) {
    EXPECT_EQ(labels(countTicks({0, 3700}, 8)), "0 500 1,000 1,500 2,000 2,500 3,000 3,500");
    EXPECT_EQ(labels(countTicks({0, 3}, 6)), "0 1 2 3");
    EXPECT_EQ(labels(countTicks({0, 11}, 5)), "0 5 10") << "2.5 is no whole number";
}

TEST_F(Ticks, AreDecadesOnALogarithmicAxis) {
    EXPECT_EQ(labels(logTicks({5e-6, 2e-3}, 6)), "1e-5 1e-4 1e-3");
    EXPECT_EQ(labels(logTicks({1e-8, 1e3}, 6)), "1e-8 1e-6 1e-4 1e-2 1e0 1e2");
    EXPECT_EQ(labels(logTicks({0.0, 1.0}, 6)), "") << "a logarithmic axis needs a range above 0";
    EXPECT_EQ(labels(logTicks({3e-4, 3.2e-3}, 6)), "5e-4 1e-3 2e-3") << "less than two decades";
    EXPECT_EQ(labels(logTicks({2.1e-3, 2.9e-3}, 6)), "2.2e-3 2.4e-3 2.6e-3 2.8e-3");
}

TEST_F(Ticks, AreRoundTimesOnTheTimeAxes) {
    EXPECT_EQ(labels(durationTicks({0, 75}, 6)), "0:00 0:15 0:30 0:45 1:00 1:15");
    EXPECT_EQ(labels(durationTicks({0, 7300}, 5)), "0:00 30:00 1:00:00 1:30:00 2:00:00");
    const auto clock = clockTicks({1'700'000'003.0, 1'700'000'050.0}, 5);
    ASSERT_GE(clock.size(), 3u);
    EXPECT_EQ(static_cast<long long>(clock.front().position) % 10, 0);
}

TEST_F(Ticks, NeverExceedWhatFitsAndNeverHang) {
    for (const Range range : {Range{0, 1e-12}, Range{1, 1 + 1e-7}, Range{-1e15, 1e15}, Range{0.1, 0.3}}) {
        for (const int most : {1, 3, 6}) EXPECT_LE(linearTicks(range, most).size(), static_cast<std::size_t>(most));
    }
    EXPECT_TRUE(linearTicks({1, 1}, 5).empty());
    EXPECT_TRUE(linearTicks({0, INFINITY}, 5).empty());
}

TEST_F(Ticks, ANiceRangeEndsOnGridLines) {
    EXPECT_EQ(niceRange({0.013, 0.231}, 6), (Range{0.0, 0.25}));
    const Range rates = niceRange({120, 9700}, 6);
    EXPECT_DOUBLE_EQ(rates.lower, 0);
    EXPECT_DOUBLE_EQ(rates.upper, 10000);
}

}  // namespace
}  // namespace ui::models
