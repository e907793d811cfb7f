#include "engine/spec/cluster/smaller_cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace engine::spec;
using ::testing::ElementsAre;
using Kept = SmallerCluster::Kept;

ClusterSpec workers(int count) {
    Job job{"worker", {}};
    for (int i = 0; i < count; ++i) job.tasks[i] = "node" + std::to_string(i) + ":5000";
    return {{job}};
}

TEST(SmallerCluster, NumbersTheWorkersAnew) {
    const SmallerCluster smaller = withoutTasks(workers(4), {{"worker", 1}});
    EXPECT_EQ(toTfConfigJson(smaller.cluster, {"worker", 1}),
              R"({"cluster": {"worker": ["node0:5000", "node2:5000", "node3:5000"]}, "task": {"type": "worker", "index": 1}})");
    EXPECT_THAT(smaller.kept,
                ElementsAre(Kept{{"worker", 0}, {"worker", 0}}, Kept{{"worker", 2}, {"worker", 1}}, Kept{{"worker", 3}, {"worker", 2}}));
}

TEST(SmallerCluster, MakesTheNextWorkerTheFirstOne) {
    const SmallerCluster smaller = withoutTasks(workers(3), {{"worker", 0}});
    EXPECT_TRUE(smaller.cluster.isChief({"worker", 0}));
    EXPECT_EQ(smaller.cluster.address({"worker", 0}), "node1:5000");
}

TEST(SmallerCluster, CallsTheNextWorkerTheChiefWhereThereWasOne) {
    ClusterSpec cluster = workers(2);
    cluster.jobs.push_back({"chief", {{0, "boss:5000"}}});
    cluster.jobs.push_back({"evaluator", {{0, "judge:5000"}}});
    const SmallerCluster smaller = withoutTasks(cluster, {{"chief", 0}});
    EXPECT_EQ(smaller.cluster.address({"chief", 0}), "node0:5000");
    EXPECT_EQ(smaller.cluster.address({"worker", 0}), "node1:5000");
    EXPECT_EQ(smaller.cluster.taskCount("worker"), 1);
    EXPECT_THAT(smaller.kept, ElementsAre(Kept{{"worker", 0}, {"chief", 0}}, Kept{{"worker", 1}, {"worker", 0}},
                                          Kept{{"evaluator", 0}, {"evaluator", 0}}));
    EXPECT_EQ(withoutTasks(cluster, {}).cluster, cluster) << "nobody has left";
}

TEST(SmallerCluster, LeavesOutAJobWithoutTasks) {
    ClusterSpec cluster = workers(1);
    cluster.jobs.push_back({"evaluator", {{0, "judge:5000"}}});
    const SmallerCluster alone = withoutTasks(cluster, {{"evaluator", 0}});
    EXPECT_EQ(alone.cluster, workers(1));
    const SmallerCluster nobody = withoutTasks(cluster, {{"worker", 0}});
    EXPECT_TRUE(nobody.cluster.trainingTasks().empty());
    EXPECT_TRUE(withoutTasks(workers(2), {{"worker", 0}, {"worker", 1}}).cluster.empty());
}

}  // namespace
