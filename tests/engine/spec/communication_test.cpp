#include "engine/spec/cluster/communication.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/cluster/strategy_support.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/error.h"
#include "engine/spec/project/device_name.h"

namespace {

using namespace engine::spec;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TaskGpus task(int index, std::vector<std::string> uuids, const std::string& host = "a") {
    TaskGpus one;
    one.task = {"worker", index};
    one.host = host;
    one.uuids = std::move(uuids);
    one.no_gpu_reason = one.uuids.empty() ? "no NVIDIA driver" : "";
    one.nccl_version = "2.28.3";
    return one;
}

GpuInventory hostOf(int gpus) {
    GpuInventory host{.driver_version = "580.65.06", .cuda_version = 13000, .nccl_version = "2.28.3"};
    for (int i = 0; i < gpus; ++i) host.gpus.push_back({"NVIDIA H200", "GPU-" + std::to_string(i), 1 << 30, 1 << 30, 9, 0});
    if (gpus == 0) host.no_gpu_reason = "no NVIDIA driver";
    return host;
}

RunSpec workers(int count) {
    RunSpec run;
    std::vector<int> ports;
    for (int i = 0; i < count; ++i) ports.push_back(12345 + i);
    useLocalWorkers(run, ports);
    return run;
}

TEST(Communication, AutoTakesNcclWhereEveryTaskHasItsOwnGpu) {
    const std::vector<TaskGpus> tasks{task(0, {"GPU-a"}), task(1, {"GPU-b"})};
    EXPECT_EQ(chooseCommunication("AUTO", tasks), (CommunicationChoice{true, "AUTO takes NCCL 2.28.3: every task has a GPU of its own"}));
    EXPECT_EQ(chooseCommunication("NCCL", tasks), (CommunicationChoice{true, "NCCL 2.28.3, as asked for"}));
    EXPECT_EQ(chooseCommunication("RING", tasks), (CommunicationChoice{false, "RING, as asked for"}));
    EXPECT_EQ(chooseCommunication("MPI", tasks), (CommunicationChoice{false, "MPI, as asked for"}));
}

struct Row {
    const char* name;
    std::vector<TaskGpus> tasks;
    const char* obstacle;
};

std::vector<TaskGpus> with(std::vector<TaskGpus> tasks, const std::function<void(TaskGpus&)>& spoil) {
    spoil(tasks.back());
    return tasks;
}

const std::vector<Row> kRows{
    {"NoGpu", {task(0, {"GPU-a"}), task(1, {})}, "worker 1 has no GPU: no NVIDIA driver"},
    {"Shared", {task(0, {"GPU-a"}), task(1, {"GPU-b"}), task(2, {"GPU-a"})}, "worker 0 and worker 2 share a GPU"},
    {"SameNameElsewhere", {task(0, {"GPU-a"}), task(1, {"GPU-a"}, "b")}, ""},
    {"LogicalDevices", {task(0, {"GPU-a", "GPU-a"}), task(1, {"GPU-b"})}, "worker 0 has several replicas on one GPU"},
    {"NoNccl",
     with({task(0, {"GPU-a"}), task(1, {"GPU-b"})},
          [](TaskGpus& one) {
              one.nccl_version.clear();
              one.no_nccl_reason = "libnccl.so.2 is not installed";
          }),
     "worker 1 has no NCCL: libnccl.so.2 is not installed"},
    {"OtherNccl", with({task(0, {"GPU-a"}), task(1, {"GPU-b"})}, [](TaskGpus& one) { one.nccl_version = "2.27.5"; }),
     "worker 0 has NCCL 2.28.3, worker 1 2.27.5"},
};

TEST(Communication, NamesTaskAndReasonAgainstNccl) {
    for (const Row& row : kRows) {
        EXPECT_EQ(ncclObstacle(row.tasks), row.obstacle) << row.name;
        const bool stands = *row.obstacle != '\0';
        EXPECT_EQ(chooseCommunication("AUTO", row.tasks).nccl, !stands) << row.name;
        if (!stands) continue;
        EXPECT_EQ(chooseCommunication("AUTO", row.tasks).why, std::string("AUTO takes RING: ") + row.obstacle);
        try {
            chooseCommunication("NCCL", row.tasks);
            ADD_FAILURE() << row.name;
        } catch (const engine::Error& error) {
            EXPECT_EQ(error.code(), engine::ErrorCode::kFailedPrecondition);
            EXPECT_EQ(
                std::string(error.what()),
                std::string("strategy.communication: expected a GPU of its own and NCCL in every task for NCCL, but ") + row.obstacle);
        }
    }
}

TEST(Communication, DealsGpusEvenly) {
    EXPECT_THAT(dealGpus(4, 2), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
    EXPECT_THAT(dealGpus(5, 2), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3))) << "as many for each";
    EXPECT_THAT(dealGpus(1, 3), ElementsAre(ElementsAre(0), ElementsAre(0), ElementsAre(0)));
    EXPECT_THAT(dealGpus(2, 3), ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(0)));
    EXPECT_THAT(dealGpus(0, 2), ElementsAre(IsEmpty(), IsEmpty()));
}

TEST(Communication, ForeseesWhatAHostsTasksWillDo) {
    EXPECT_EQ(communicationChoice(workers(2), hostOf(2)), "AUTO takes NCCL 2.28.3: every task has a GPU of its own");
    EXPECT_EQ(communicationChoice(workers(3), hostOf(2)), "AUTO takes RING: worker 0 and worker 2 share a GPU");
    EXPECT_EQ(communicationChoice(workers(2), hostOf(0)), "AUTO takes RING: no NVIDIA GPU here");
    RunSpec on_cpus = workers(2);
    on_cpus.strategy.devices = {"CPU:0"};
    EXPECT_EQ(communicationChoice(on_cpus, hostOf(2)), "AUTO takes RING: worker 0 has no GPU: the project's devices are CPUs");
    RunSpec logical = workers(2);
    logical.strategy.logical_gpus = 2;
    EXPECT_EQ(communicationChoice(logical, hostOf(2)), "AUTO takes RING: worker 0 has several replicas on one GPU");
    RunSpec asks = workers(3);
    asks.strategy.communication = "NCCL";
    EXPECT_EQ(communicationChoice(asks, hostOf(3)), "");
    EXPECT_EQ(communicationChoice(asks, hostOf(1)), "NCCL needs a GPU of its own in every task: worker 0 and worker 1 share a GPU");
    EXPECT_EQ(communicationChoice(asks, hostOf(0)), "NCCL needs an NVIDIA GPU; this computer has none");
    asks.strategy.communication = "MPI";
    EXPECT_EQ(communicationChoice(asks, hostOf(3)), "MPI needs tasks that mpirun starts (tandem-worker --from-mpi), not Tandem");
    EXPECT_EQ(communicationObstacle("MPI", asks, hostOf(0)), "") << "a project for mpirun is made here, too";
}

TEST(Communication, MpiIsForTasksThatMpirunStarts) {
    RunSpec run = workers(2);
    EXPECT_THAT(errorsWithoutMpirun(run), IsEmpty());
    run.strategy.communication = "MPI";
    EXPECT_TRUE(sumsByMpi(run.strategy));
    EXPECT_THAT(
        errorsWithoutMpirun(run),
        ElementsAre(Diagnostic{
            Severity::kError, "strategy.communication", "expected AUTO, RING or NCCL where no mpirun starts the tasks, got MPI",
            "Start them by mpirun -np N tandem-worker --from-mpi PROJECT; tandem-cli export launch --kind mpirun writes a script."}));
    RunSpec alone = workers(1);
    alone.strategy = run.strategy;
    EXPECT_THAT(errorsWithoutMpirun(alone), IsEmpty()) << "nothing is summed";
    run.strategy.name = "ParameterServerStrategy";
    EXPECT_FALSE(sumsByMpi(run.strategy));
    EXPECT_THAT(errorsWithoutMpirun(run), IsEmpty());
}

TEST(Devices, AreAllGpusWhereTheProjectLeavesThemOpen) {
    const auto chosen = [](StrategySpec strategy, int gpus) {
        chooseDevices(strategy, gpus);
        return strategy.devices;
    };
    EXPECT_THAT(chosen({}, 2), ElementsAre("GPU:0", "GPU:1"));
    EXPECT_THAT(chosen({}, 0), IsEmpty());
    EXPECT_THAT(chosen({.name = "OneDeviceStrategy"}, 2), ElementsAre("GPU:0"));
    EXPECT_THAT(chosen({.name = "DefaultStrategy"}, 2), ElementsAre("GPU:0"));
    EXPECT_THAT(chosen({.logical_gpus = 2}, 2), ElementsAre("GPU:0", "GPU:1", "GPU:2", "GPU:3"));
    EXPECT_THAT(chosen({.logical_cpus = 2}, 2), IsEmpty()) << "the project names CPUs";
    EXPECT_THAT(chosen({.devices = {"CPU:0"}}, 2), ElementsAre("CPU:0"));
}

TEST(Devices, ShareAGpuWhereItCountsAsSeveral) {
    StrategySpec strategy{.logical_gpus = 2};
    EXPECT_EQ(devicesOf(strategy), (std::vector<DeviceName>{{"GPU", 0}, {"GPU", 1}})) << "of one GPU before more are known";
    EXPECT_EQ(gpusNeeded(strategy), 1);
    strategy.devices = {"GPU:1", "GPU:2"};
    EXPECT_EQ(gpusNeeded(strategy), 2);
    EXPECT_EQ(physicalGpu({"GPU", 1}, 2), 1);
    EXPECT_EQ(physicalGpu({"GPU", 2}, 2), 0);
    EXPECT_EQ(physicalGpu({"GPU", 1}, 1), 0);
    EXPECT_EQ(gpusNeeded(StrategySpec{}), 0);
}

}  // namespace
