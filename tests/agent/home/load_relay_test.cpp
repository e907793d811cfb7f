#include "agent/home/load_relay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace agent::home;
using engine::spec::HostLoad;
using ::testing::IsEmpty;
using ::testing::SizeIs;

HostLoad loadAt(std::int64_t time_unix_ns, std::vector<engine::spec::TaskLoad> tasks = {}) {
    HostLoad load;
    load.time_unix_ns = time_unix_ns;
    load.tasks = std::move(tasks);
    return load;
}

TEST(LoadRelay, NamesHostAndRunAsTheyAreNamedHere) {
    LoadRelay relay("node2");
    std::vector<HostLoad> shown;
    relay.follow("far-1", "run-1", [&](std::vector<HostLoad> loads) { shown = std::move(loads); });
    relay.take({loadAt(1'000, {{"far-1", {"worker", 1}, 7}, {"of-another-user-of-that-agent", {"worker", 0}, 8}})}, {});
    ASSERT_THAT(shown, SizeIs(1));
    EXPECT_EQ(shown[0].host, "node2");
    ASSERT_THAT(shown[0].tasks, SizeIs(1));
    EXPECT_EQ(shown[0].tasks[0].run_id, "run-1");
    EXPECT_EQ(shown[0].tasks[0].pid, 7);
}

TEST(LoadRelay, BringsTimesToThisComputersClockAndRemembersTheOthers) {
    LoadRelay relay("node2");
    std::vector<HostLoad> shown;
    relay.follow("far-1", "run-1", [&](std::vector<HostLoad> loads) { shown = std::move(loads); });
    relay.take({loadAt(5'000), loadAt(6'000)}, std::chrono::nanoseconds(300));
    ASSERT_THAT(shown, SizeIs(2));
    EXPECT_EQ(shown[1].time_unix_ns, 5'700);
    EXPECT_EQ(relay.newestUnixNs(), 6'000) << "to go on from there";
}

TEST(LoadRelay, FollowsSeveralRunsOfOneComputer) {
    LoadRelay relay("node2");
    EXPECT_FALSE(relay.isWanted());
    std::vector<HostLoad> shown;
    const auto sink = [&](std::vector<HostLoad> loads) { shown = std::move(loads); };
    relay.follow("far-1", "run-1", sink);
    relay.follow("far-2", "run-1", sink);
    EXPECT_TRUE(relay.isWanted());
    relay.take({loadAt(1, {{"far-1", {"ps", 0}, 1}, {"far-2", {"worker", 0}, 2}})}, {});
    EXPECT_THAT(shown[0].tasks, SizeIs(2));
    relay.take({}, {});
    EXPECT_THAT(shown, IsEmpty());
}

TEST(LoadRelay, OfARunThatIsOnlyFollowedThereTellsComputersWithItsTasksByTheirOwnNames) {
    LoadRelay relay("login");
    std::vector<HostLoad> shown;
    relay.follow(
        "far-1", "run-1", [&](std::vector<HostLoad> loads) { shown = std::move(loads); }, LoadRelay::Shown::kTasks);
    HostLoad node = loadAt(2, {{"far-1", {"worker", 0}, 7}}), stranger = loadAt(3, {{"of-another-user", {"worker", 0}, 8}});
    node.host = "node7";
    stranger.host = "node8";
    relay.take({loadAt(1), node, stranger}, {});
    ASSERT_THAT(shown, SizeIs(1)) << "the login node trains nothing";
    EXPECT_EQ(shown[0].host, "node7");
    ASSERT_THAT(shown[0].tasks, SizeIs(1));
    EXPECT_EQ(shown[0].tasks[0].run_id, "run-1");
    relay.take({loadAt(4, {{"far-1", {"worker", 1}, 9}})}, {});
    ASSERT_THAT(shown, SizeIs(1));
    EXPECT_EQ(shown[0].host, "login") << "unless a task is there";

    relay.follow("far-2", "run-2", [&](std::vector<HostLoad> loads) { shown = std::move(loads); });
    relay.take({loadAt(5), stranger}, {});
    ASSERT_THAT(shown, SizeIs(1)) << "now it is one of a run's own";
    EXPECT_EQ(shown[0].host, "login");
}

}  // namespace
