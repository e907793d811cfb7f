// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/host/host_history.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include "tests/support/sample_loads.h"

namespace ui::session {
namespace {

constexpr std::int64_t kStart = 1'800'000'000'000'000'000, kSecond = 1'000'000'000;

TEST(HostHistory, KeepsLoadsInOrderOfTime) {
    HostHistory history;
    QSignalSpy changed(&history, &HostHistory::changed);
    EXPECT_EQ(history.newest(), nullptr);
    history.add(tests::sampleLoads("run", kStart, 5));
    history.add(tests::sampleLoads("run", kStart, 8));
    EXPECT_EQ(history.loads().size(), 8u) << "a replay overlaps and adds what is new";
    EXPECT_EQ(history.newest()->time_unix_ns, kStart + 8 * kSecond);
    EXPECT_EQ(changed.count(), 2);
    history.add(tests::sampleLoads("run", kStart, 8));
    EXPECT_EQ(changed.count(), 2) << "nothing new, nothing told";
}

TEST(HostHistory, ThrowsTheOldestAwayAndCountsOn) {
    HostHistory history;
    const int all = static_cast<int>(HostHistory::kMost) + 100;
    history.add(tests::sampleLoads("run", kStart, all));
    EXPECT_EQ(history.loads().size(), HostHistory::kMost);
    EXPECT_EQ(history.firstNumber(), 100u);
    EXPECT_EQ(history.loads().front().time_unix_ns, kStart + 101 * kSecond);
}

TEST(HostHistory, KeepsEachComputerApart) {
    HostHistory history;
    engine::spec::HostLoad here, there;
    here.time_unix_ns = 5;
    there.time_unix_ns = 3;
    there.host = "node2";
    history.add({here, there, there});
    EXPECT_EQ(history.loads().size(), 1U);
    ASSERT_EQ(history.others().count("node2"), 1U);
    EXPECT_EQ(history.others().at("node2").size(), 1U) << "earlier than this computer's, and no replay";
}

TEST(HostHistory, FindsATaskOfARun) {
    const auto load = tests::sampleLoads("run", kStart, 1).front();
    ASSERT_NE(findTask(load, "run", {"worker", 1}), nullptr);
    EXPECT_EQ(findTask(load, "run", {"worker", 1})->pid, 48213);
    EXPECT_EQ(findTask(load, "run", {"worker", 2}), nullptr);
    EXPECT_EQ(findTask(load, "another", {"worker", 1}), nullptr);
}

}  // namespace
}  // namespace ui::session
