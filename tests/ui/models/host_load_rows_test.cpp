// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/host_load_rows.h"

#include <gtest/gtest.h>

#include <QLocale>
#include <limits>

#include "tests/support/sample_loads.h"

namespace ui::models {
namespace {

constexpr std::int64_t kStart = 1'800'000'000'000'000'000, kSecond = 1'000'000'000;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

std::deque<engine::spec::HostLoad> samples(int seconds) {
    const auto loads = tests::sampleLoads("run", kStart, seconds);
    return {loads.begin(), loads.end()};
}

class HostLoadRowsTest : public testing::Test {
protected:
    HostLoadRowsTest() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
};

TEST_F(HostLoadRowsTest, TellsWhatIsUsedNowAndWhose) {
    auto loads = samples(10);
    loads.back().cpu_cores = 7.75;
    loads.back().tasks[0].cpu_cores = 3.7;
    loads.back().tasks[1].cpu_cores = 3.8;
    const auto rows = HostLoadRows::of(loads, kStart, kNever, true);
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_EQ(rows[0].name, "CPU");
    EXPECT_EQ(rows[0].value, "7.75 of 8 cores");
    EXPECT_EQ(rows[0].details, "Tandem's tasks: 7.50 cores, other programs: 0.25.");
    EXPECT_EQ(rows[1].value, "5.2 of 15.5 GB");
    EXPECT_EQ(rows[2].value, QString::fromUtf8("↓ 0.4 ↑ 0.1 MB/s"));
    EXPECT_EQ(rows[3].value, "208 MB/s");
    EXPECT_EQ(rows[0].course.size(), 10u);
    EXPECT_DOUBLE_EQ(rows[0].course.front().age_s, 9);
    EXPECT_DOUBLE_EQ(rows[0].course.back().age_s, 0);
    EXPECT_DOUBLE_EQ(rows[0].most, 8) << "all cores are the top";
}

TEST_F(HostLoadRowsTest, PutsAnotherComputerIntoOneRow) {
    auto loads = samples(10);
    loads.back().cpu_cores = 7.75;
    const HostRow row = HostLoadRows::ofComputer("node2", loads, kStart, kNever, true);
    EXPECT_EQ(row.name, "node2");
    EXPECT_EQ(row.value, "7.75 of 8 cores");
    EXPECT_EQ(row.course.size(), 10u);
    EXPECT_TRUE(row.details.contains("Memory: 5.2 of 15.5 GB")) << row.details.toStdString();
    const HostRow silent = HostLoadRows::ofComputer("node2", loads, kStart, kNever, false);
    EXPECT_EQ(silent.value, QString(QChar(0x2014))) << "nothing is known now";
    EXPECT_TRUE(silent.details.isEmpty());
}

TEST_F(HostLoadRowsTest, ShowsTheLastTwoMinutesOfTheRunAlone) {
    const auto loads = samples(300);
    EXPECT_EQ(HostLoadRows::of(loads, kStart, kNever, true)[0].course.size(), 121u);
    const auto begun = HostLoadRows::of(loads, kStart + 280 * kSecond, kNever, true);
    EXPECT_EQ(begun[0].course.size(), 21u) << "what was before the run is not its";
    const auto over = HostLoadRows::of(loads, kStart, kStart + 100 * kSecond, true);
    EXPECT_EQ(over[0].course.size(), 100u);
    EXPECT_DOUBLE_EQ(over[1].course.back().value, static_cast<double>(loads[99].memory_used_bytes));
}

TEST_F(HostLoadRowsTest, ADashWhereNothingIsKnownNow) {
    const QString dash = QString::fromUtf8("—");
    for (const auto& row : HostLoadRows::of({}, kStart, kNever, true)) {
        EXPECT_EQ(row.value, dash);
        EXPECT_TRUE(row.course.empty());
        EXPECT_GT(row.most, 0) << "something to divide by";
    }
    for (const auto& row : HostLoadRows::of(samples(5), kStart, kNever, false)) {
        EXPECT_EQ(row.value, dash);
        EXPECT_EQ(row.course.size(), 5u) << "its course stays";
    }
}

TEST_F(HostLoadRowsTest, NothingOfAComputerThatNobodyMeasured) {
    auto loads = samples(5);
    for (auto& load : loads) load.cores = 0;  // its tasks alone tell
    EXPECT_TRUE(HostLoadRows::ofComputer("node1", loads, kStart, kNever, true).course.empty());
    loads.front().cores = 8;
    EXPECT_EQ(HostLoadRows::ofComputer("node1", loads, kStart, kNever, true).course.size(), 1u);
}

TEST_F(HostLoadRowsTest, ARowForEachGpu) {
    auto loads = samples(3);
    for (auto& load : loads) load.gpus = {{"NVIDIA H200", 0.5, 3LL << 30, 140LL << 30}};
    loads.front().gpus.clear();
    loads.back().gpus.front().busy = 0.87;
    loads.back().tasks.front().gpu_memory_bytes = 2LL << 30;
    auto rows = HostLoadRows::of(loads, kStart, kNever, true);
    ASSERT_EQ(rows.size(), 5u);
    EXPECT_EQ(rows[2].name, "GPU");
    EXPECT_EQ(rows[2].value, "87 %, 3.0 of 140.0 GB");
    EXPECT_EQ(rows[2].details, "NVIDIA H200\nTime in which a kernel ran, and memory. Tandem's tasks hold 2.00 GB of all GPUs.");
    EXPECT_DOUBLE_EQ(rows[2].most, 1) << "all of the time is the top";
    ASSERT_EQ(rows[2].course.size(), 3u);
    EXPECT_DOUBLE_EQ(rows[2].course[0].value, 0) << "the driver did not tell";
    EXPECT_DOUBLE_EQ(rows[2].course[2].value, 0.87);
    EXPECT_EQ(rows[3].name, "Network");
    loads.back().gpus.push_back({"Tesla T4", 0, 0, 16LL << 30});
    rows = HostLoadRows::of(loads, kStart, kNever, true);
    ASSERT_EQ(rows.size(), 6u);
    EXPECT_EQ(rows[2].name, "GPU 0");
    EXPECT_EQ(rows[3].name, "GPU 1");
    EXPECT_EQ(rows[3].value, "0 %, 0.0 of 16.0 GB");
}

TEST_F(HostLoadRowsTest, AQuietNetworkIsAFlatLine) {
    auto loads = samples(3);
    for (auto& load : loads) load.received_bytes_per_s = load.sent_bytes_per_s = 100;
    const auto rows = HostLoadRows::of(loads, kStart, kNever, true);
    EXPECT_LT(rows[2].course[0].value / rows[2].most, 0.001);
}

}  // namespace
}  // namespace ui::models
