// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/numbers.h"

#include <gtest/gtest.h>

#include <QLocale>
#include <cmath>

namespace ui::models {
namespace {

class Numbers : public testing::Test {
protected:
    void SetUp() override { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
};

TEST_F(Numbers, MetricsHaveFourDecimals) {
    EXPECT_EQ(formatMetric(0.02694).toStdString(), "0.0269");
    EXPECT_EQ(formatMetric(0).toStdString(), "0.0000");
    EXPECT_EQ(formatMetric(0.0000123).toStdString(), "1.23e-5");
    EXPECT_EQ(formatMetric(-20'103'848.54).toStdString(), "-2.01e7");
    EXPECT_EQ(formatMetric(1'234'567.5).toStdString(), "1,234,567.5000");
    EXPECT_EQ(formatMetric(NAN), QString(QChar(kMissing)));
}

TEST_F(Numbers, RatesAreWrittenAsPowersOfTen) {
    EXPECT_EQ(formatRate(0.001).toStdString(), "1e-3");
    EXPECT_EQ(formatRate(static_cast<double>(0.0001F)).toStdString(), "1e-4");
    EXPECT_EQ(formatRate(2.5e-4).toStdString(), "2.5e-4");
    EXPECT_EQ(formatRate(0.99999999).toStdString(), "1");
    EXPECT_EQ(formatRate(0).toStdString(), "0");
    EXPECT_EQ(formatRate(1.5).toStdString(), "1.5");
}

TEST_F(Numbers, ReadsBackTheRatesItWrites) {
    EXPECT_DOUBLE_EQ(parseRate(QStringLiteral(" 1e-4 ")), 1e-4);
    EXPECT_DOUBLE_EQ(parseRate(QStringLiteral("0.05")), 0.05);
    for (const char* wrong : {"", "0", "-1", "abc", "1e", "inf", "nan"}) EXPECT_LT(parseRate(QString::fromLatin1(wrong)), 0) << wrong;
}

TEST_F(Numbers, DurationsAndClocks) {
    EXPECT_EQ(formatDuration(48.9).toStdString(), "0:48");
    EXPECT_EQ(formatDuration(3723).toStdString(), "1:02:03");
    EXPECT_EQ(formatClock(42.81).toStdString(), "00:42.810");
    EXPECT_EQ(formatMilliseconds(13349).toStdString(), "13.3 ms");
}

TEST_F(Numbers, BytesAreOfTwoToTheTwentieth) {
    EXPECT_EQ(formatBytes(347146 * 4).toStdString(), "1.32 MB");
    EXPECT_EQ(formatBytes(512).toStdString(), "512 B");
    EXPECT_EQ(formatBytes(5'600'000'000).toStdString(), "5.22 GB");
}

TEST_F(Numbers, ShapesHaveThinSpaces) {
    const std::vector<std::int64_t> shape{26, 26, 32};
    EXPECT_EQ(formatShape(shape), QStringLiteral("26\u2009\u00d7\u200926\u2009\u00d7\u200932"));
    EXPECT_EQ(formatShape(std::vector<std::int64_t>{5408}).toStdString(), "5,408");
    EXPECT_EQ(formatShape({}).toStdString(), "scalar");
}

}  // namespace
}  // namespace ui::models
