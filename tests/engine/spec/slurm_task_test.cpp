#include "engine/spec/cluster/slurm_task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace engine::spec {
namespace {

using ::testing::HasSubstr;

struct SlurmTask {
    std::vector<std::string> variables;
    int first_port = 0;
};

std::string tfConfigOf(const SlurmTask& slurm, const ClusterSpec& projects) {
    return tfConfigOf(slurmTask(slurm.variables, slurm.first_port), projects);
}

SlurmTask task(const std::string& rank, const std::string& host, const std::string& nodes = "node[1-2,4]",
               const std::string& counts = "2,1(x2)", const std::string& all = "4") {
    return {
        .variables = {"PATH=/bin", "SLURM_JOB_NODELIST=node[1-9]", "SLURM_STEP_NODELIST=" + nodes, "SLURM_STEP_TASKS_PER_NODE=" + counts,
                      "SLURM_STEP_NUM_TASKS=" + all, "SLURM_PROCID=" + rank, "SLURMD_NODENAME=" + host, "SLURM_JOB_NAME=a b"},
        .first_port = 20000};
}

std::string refusal(const SlurmTask& slurm, const ClusterSpec& projects = {}) {
    try {
        return "no refusal but " + tfConfigOf(slurm, projects);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        return error.what();
    }
}

SlurmTask without(const std::string& name) {
    SlurmTask slurm = task("0", "node1");
    std::erase_if(slurm.variables, [&](const std::string& variable) { return variable.starts_with(name + "="); });
    return slurm;
}

TEST(SlurmTask, IsAWorkerOfTheStep) {
    EXPECT_EQ(
        tfConfigOf(task("2", "node2"), {}),
        R"({"cluster": {"worker": ["node1:20000", "node1:20001", "node2:20000", "node4:20000"]}, "task": {"type": "worker", "index": 2}})");
}

TEST(SlurmTask, TakesTheJobsOfAProjectOfAsManyTasks) {
    const ClusterSpec projects{
        {{"ps", {{0, "localhost:1"}}}, {"chief", {{0, "localhost:2"}}}, {"worker", {{0, "localhost:3"}, {1, "localhost:4"}}}}};
    EXPECT_EQ(tfConfigOf(task("0", "node1"), projects),
              R"({"cluster": {"ps": ["node1:20000"], "chief": ["node1:20001"], "worker": ["node2:20000", "node4:20000"]}, )"
              R"("task": {"type": "ps", "index": 0}})");
    EXPECT_THAT(tfConfigOf(task("3", "node4"), projects), HasSubstr(R"("task": {"type": "worker", "index": 1}})"));
}

TEST(SlurmTask, IsAWorkerWhereAProjectHasOtherWorkers) {
    const ClusterSpec two{{{"worker", {{0, "localhost:1"}, {1, "localhost:2"}}}}};
    EXPECT_THAT(tfConfigOf(task("3", "node4"), two), HasSubstr(R"("task": {"type": "worker", "index": 3}})"));
    const ClusterSpec served{{{"ps", {{0, "localhost:1"}}}, {"worker", {{0, "localhost:2"}}}}};
    EXPECT_EQ(refusal(task("0", "node1"), served),
              "cluster: expected as many tasks as the step has (4), so that each has its job, got 1 ps, 1 worker");
}

TEST(SlurmTask, OfAProcessThatSrunDidNotStartIsNone) {
    for (const char* name : {"SLURM_STEP_NODELIST", "SLURM_STEP_TASKS_PER_NODE", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}) {
        EXPECT_EQ(refusal(without(name)),
                  std::string(name) + ": expected what srun sets for the tasks of a step, got none; start the tasks with srun");
    }
}

TEST(SlurmTask, WhatCannotBeReadIsNamed) {
    EXPECT_THAT(refusal(task("0", "node1", "node[1-")), HasSubstr("SLURM_STEP_NODELIST: "));
    EXPECT_THAT(refusal(task("0", "node1", "node[1-3]", "2(x")),
                HasSubstr("SLURM_STEP_TASKS_PER_NODE: expected counts such as 2(x3),1, got 2(x"));
    EXPECT_THAT(refusal(task("7", "node1")), HasSubstr("SLURM_PROCID: expected a rank below the number of tasks (4), got 7"));
}

TEST(SlurmTask, HasTheProcessorsThatSlurmGranted) {
    const auto cores = [](const char* rank, const char* host, std::vector<std::string> more) {
        SlurmTask slurm = task(rank, host);
        slurm.variables.insert(slurm.variables.end(), more.begin(), more.end());
        return slurmTask(slurm.variables, slurm.first_port).cores;
    };
    EXPECT_EQ(cores("0", "node1", {}), 0);
    EXPECT_EQ(cores("0", "node1", {"SLURM_CPUS_ON_NODE=8", "SLURM_CPUS_PER_TASK=3"}), 3);
    EXPECT_EQ(cores("1", "node1", {"SLURM_CPUS_ON_NODE=8"}), 4) << "two tasks share the node";
    EXPECT_EQ(cores("2", "node2", {"SLURM_CPUS_ON_NODE=8"}), 8);
    EXPECT_EQ(cores("0", "node1", {"SLURM_CPUS_ON_NODE=1"}), 1);
    EXPECT_EQ(cores("0", "node1", {"SLURM_CPUS_PER_TASK=many", "SLURM_CPUS_ON_NODE=-1"}), 0);
}

TEST(SlurmTask, OnAnotherHostThanItsRankIsRefused) {
    EXPECT_EQ(refusal(task("1", "node2")),
              "SLURMD_NODENAME: expected rank 1 on node1, as ranks that are dealt in blocks lie, got node2; start the "
              "tasks with srun --distribution=block");
}

}  // namespace
}  // namespace engine::spec
