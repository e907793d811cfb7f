#include "agent/worker/host_teller.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/eventually.h"

namespace agent::worker {
namespace {

using namespace std::chrono_literals;
using engine::spec::ClusterSpec;
using engine::spec::TaskId;
using tests::support::eventually;

TEST(HostTeller, MeasuresThisComputerAndTellsEachReadingOnce) {
    HostTeller teller({.interval = 1ms, .interval_later = 1h, .dense = 1h, .gpus = [] {
                           return load::GpuUse{.gpus = {{"Tesla T4", 0.5, 1, 2}}, .process_memory_bytes = {}};
                       }});
    std::optional<engine::spec::HostLoad> first, second;
    ASSERT_TRUE(eventually([&] { return (first = teller.take()).has_value(); }));
    EXPECT_GT(first->cores, 0);
    EXPECT_GT(first->memory_bytes, first->memory_used_bytes);
    EXPECT_GT(first->interval_s, 0);
    ASSERT_EQ(first->gpus.size(), 1U);
    EXPECT_EQ(first->gpus[0].name, "Tesla T4");
    EXPECT_TRUE(first->tasks.empty());
    ASSERT_TRUE(eventually([&] { return (second = teller.take()).has_value(); }));
    EXPECT_GT(second->time_unix_ns, first->time_unix_ns);
}

TEST(HostTeller, GoesSlowerLaterOn) {
    HostTeller teller({.interval = 1h, .interval_later = 1ms, .dense = 0ms, .gpus = {}});
    EXPECT_TRUE(eventually([&] { return teller.take().has_value(); })) << "the later interval counts";
    const HostTellerOptions usual;
    EXPECT_EQ(usual.interval, 1s) << "as the agent's";
    EXPECT_EQ(usual.interval_later, 10s);
    EXPECT_EQ(usual.dense, 10min);
}

TEST(HostTeller, OneTaskOfEachHostTells) {
    const ClusterSpec cluster{.jobs = {{"ps", {{0, "node1:1"}, {1, "node3:1"}}},
                                       {"worker", {{0, "node1:2"}, {1, "node2:1"}, {2, "node2:2"}}},
                                       {"chief", {{0, "node2:3"}}},
                                       {"evaluator", {{0, "node4:1"}}}}};
    std::vector<std::string> tellers;
    for (const auto& [type, count] : {std::pair("ps", 2), std::pair("worker", 3), std::pair("chief", 1), std::pair("evaluator", 1)}) {
        for (int index = 0; index < count; ++index) {
            if (const TaskId task{type, index}; tellsOfItsHost(cluster, task)) tellers.push_back(toString(task));
        }
    }
    EXPECT_THAT(tellers, testing::ElementsAre("ps 1", "worker 0", "chief 0", "evaluator 0"));
    EXPECT_TRUE(tellsOfItsHost({}, {"worker", 0})) << "it is alone";
    const ClusterSpec here{.jobs = {{"worker", {{0, "localhost:1"}, {1, "127.0.0.1:2"}}}}};
    EXPECT_TRUE(tellsOfItsHost(here, {"worker", 0}));
    EXPECT_FALSE(tellsOfItsHost(here, {"worker", 1})) << "by another name of the same computer";
}

}  // namespace
}  // namespace agent::worker
