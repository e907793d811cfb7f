#include "agent/worker/task_gpus.h"

#include <functional>
#include <mutex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/distribute/device_collective.h"
#include "engine/spec/error.h"
#include "tests/support/emulated_nccl.h"
#include "tests/support/spawn_ranks.h"

namespace agent::worker {
namespace {

namespace spec = engine::spec;
using engine::Error;
using engine::ErrorCode;
using engine::backend::GpuBackend;
using engine::distribute::Collective;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A machine with some cards and, perhaps, NCCL; nothing is computed on them.
class FakeGpus final : public GpuBackend {
public:
    FakeGpus(const std::vector<std::string>& uuids, tests::support::EmulatedWorld* world) : world_(world) {
        for (const std::string& uuid : uuids) {
            engine::backend::GpuDevice device;
            device.index = static_cast<int>(devices_.size());
            device.name = "NVIDIA H200";
            device.uuid = uuid;
            devices_.push_back(device);
        }
    }
    std::vector<engine::backend::GpuDevice> devices() const override { return devices_; }
    std::unique_ptr<engine::backend::Executor> makeExecutor(const engine::plan::Plan&, engine::backend::Variables&,
                                                            const engine::backend::ExecutorOptions&) override {
        return nullptr;
    }
    void setOptions(const engine::backend::GpuOptions& given) override { options = given; }
    std::map<std::string, std::string> choices() const override { return known; }
    void setChoices(const std::map<std::string, std::string>& choices) override { known = choices; }
    std::string describe() const override { return "fake"; }
    std::string ncclVersion(std::string& reason) override {
        if (world_ == nullptr) reason = "libnccl.so.2 is not installed";
        return world_ == nullptr ? "" : "2.28.9";
    }
    engine::distribute::nccl::NcclConnection connectNccl(int index, Collective& host) override {
        {
            const std::lock_guard lock(mutex);
            connected.push_back(index);
        }
        return engine::distribute::nccl::connect(host, std::make_shared<tests::support::EmulatedNccl>(*world_));
    }

    engine::backend::GpuOptions options;
    std::map<std::string, std::string> known;
    std::mutex mutex;
    std::vector<int> connected;  // guarded by mutex

private:
    tests::support::EmulatedWorld* world_;
    std::vector<engine::backend::GpuDevice> devices_;
};

spec::RunSpec twoWorkers(const std::string& communication = "AUTO", const std::vector<std::string>& devices = {"GPU:0"}) {
    spec::RunSpec run;
    run.model.input_shape = {4};
    run.model.layers = {{"Dense", "dense", {{"units", std::int64_t{3}}, {"activation", std::string("softmax")}}}};
    spec::useLocalWorkers(run, {12345, 23456});
    run.strategy.communication = communication;
    run.strategy.devices = devices;
    return run;
}

struct Told {
    std::vector<std::string> log;
    std::vector<bool> on_gpus;  // by rank
    std::string error;
    ErrorCode code{};
};

TEST(TaskGpus, TellsTheBackEndWhatTheProjectSays) {
    FakeGpus gpus({"GPU-a"}, nullptr);
    spec::RunSpec run = twoWorkers();
    run.strategy.tensor_float_32_execution = true;
    run.algorithms = {{"a product", "3"}};
    const TaskGpus task(run.strategy, [&](std::string*) { return &gpus; });
    task.configure(run);
    EXPECT_TRUE(gpus.options.tensor_float_32_execution);
    EXPECT_FALSE(gpus.options.op_determinism);
    EXPECT_EQ(task.algorithms(), run.algorithms);
    gpus.known["a convolution"] = "0";
    EXPECT_EQ(task.algorithms().size(), 2U);
    run.strategy.devices = {"CPU:0"};
    const TaskGpus none(run.strategy, {});
    none.configure(run);
    EXPECT_TRUE(none.algorithms().empty());
}

// Both workers connect, each with its own cards.
Told connectBoth(const spec::RunSpec& run, const std::vector<std::vector<std::string>>& cards, tests::support::EmulatedWorld* world) {
    Told told;
    told.on_gpus.resize(2);
    std::mutex mutex;
    std::vector<std::unique_ptr<FakeGpus>> machines;
    for (const auto& uuids : cards) machines.push_back(std::make_unique<FakeGpus>(uuids, world));
    const std::vector<spec::TaskPlan> plans = spec::planTasks(run);
    try {
        tests::support::spawnRanks(2, [&](Collective& between) {
            const auto rank = static_cast<std::size_t>(between.rank());
            const TaskGpus gpus(run.strategy, [&](std::string* reason) -> GpuBackend* {
                *reason = "no NVIDIA driver";
                return cards[rank].empty() ? nullptr : machines[rank].get();
            });
            spec::TfConfig config;
            config.cluster = run.cluster.spec;
            const Summing summing = gpus.connect(run, plans[rank], config, &between, [&](spec::LogLevel, const std::string& text) {
                const std::lock_guard lock(mutex);
                told.log.push_back(text);
            });
            const std::lock_guard lock(mutex);
            told.on_gpus[rank] = summing.collective != nullptr || summing.connect_devices != nullptr;
        });
    } catch (const Error& error) {
        told.error = error.what();
        told.code = error.code();
    }
    return told;
}

TEST(TaskGpus, TakeNcclWhereEveryWorkerHasItsOwn) {
    tests::support::EmulatedWorld world;
    const Told told = connectBoth(twoWorkers(), {{"GPU-a"}, {"GPU-b"}}, &world);
    EXPECT_THAT(told.log, ElementsAre("AUTO takes NCCL 2.28.9: every task has a GPU of its own"));
    EXPECT_THAT(told.on_gpus, ElementsAre(true, true));
    EXPECT_EQ(world.ids, 1);
}

TEST(TaskGpus, TakeRingWhereTwoWorkersShareOne) {
    tests::support::EmulatedWorld world;
    const Told told = connectBoth(twoWorkers(), {{"GPU-a"}, {"GPU-a"}}, &world);
    EXPECT_THAT(told.log, ElementsAre("AUTO takes RING: worker 0 and worker 1 share a GPU"));
    EXPECT_THAT(told.on_gpus, ElementsAre(false, false));
    EXPECT_EQ(connectBoth(twoWorkers("RING"), {{"GPU-a"}, {"GPU-b"}}, &world).log, std::vector<std::string>{"RING, as asked for"});
    EXPECT_EQ(world.ids, 0);
}

TEST(TaskGpus, RefuseNcclWithTaskAndReason) {
    tests::support::EmulatedWorld world;
    Told told = connectBoth(twoWorkers("NCCL"), {{"GPU-a"}, {"GPU-a"}}, &world);
    EXPECT_EQ(told.code, ErrorCode::kFailedPrecondition);
    EXPECT_THAT(told.error, HasSubstr("worker 0 and worker 1 share a GPU"));
    told = connectBoth(twoWorkers("NCCL"), {{"GPU-a"}, {"GPU-b"}}, nullptr);
    EXPECT_THAT(told.error, HasSubstr("worker 0 has no NCCL: libnccl.so.2 is not installed"));
    told = connectBoth(twoWorkers("NCCL", {}), {{"GPU-a"}, {}}, &world);
    EXPECT_THAT(told.error, HasSubstr("has no GPU")) << "devices are not chosen here";
}

TEST(TaskGpus, GoOnByRingWhereNcclCanNotConnect) {
    tests::support::EmulatedWorld world;
    world.faults.no_id = true;
    Told told = connectBoth(twoWorkers(), {{"GPU-a"}, {"GPU-b"}}, &world);
    EXPECT_THAT(told.on_gpus, ElementsAre(false, false));
    EXPECT_THAT(told.log, ElementsAre(HasSubstr("AUTO takes NCCL"),
                                      "RING takes the place of NCCL, which could not connect: member 0: NCCL: unhandled system error"));
    told = connectBoth(twoWorkers("NCCL"), {{"GPU-a"}, {"GPU-b"}}, &world);
    EXPECT_EQ(told.code, ErrorCode::kUnavailable);
    EXPECT_THAT(told.error, HasSubstr("strategy.communication: NCCL could not connect: member 0"));
}

TEST(TaskGpus, AskForTheBackEndOnlyWhereItMayBeNeeded) {
    int asked = 0;
    const FindGpus find = [&](std::string* reason) -> GpuBackend* {
        ++asked;
        *reason = "no NVIDIA driver";
        return nullptr;
    };
    EXPECT_EQ(TaskGpus({.devices = {"CPU:0"}}, find).count(), 0);
    EXPECT_EQ(TaskGpus({.logical_cpus = 2}, find).count(), 0);
    EXPECT_EQ(asked, 0);
    EXPECT_EQ(TaskGpus({}, find).count(), 0) << "the processor does it";
    EXPECT_EQ(asked, 1);
    try {
        const TaskGpus gpus({.devices = {"GPU:0"}}, find);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
        EXPECT_STREQ(error.what(), "strategy.devices: expected 1 GPU, found 0: no NVIDIA driver");
    }
}

// Mirrored over the cards of one task: a communicator of all devices, each on its own card.
TEST(TaskGpus, MirrorOverTheCardsByNccl) {
    tests::support::EmulatedWorld world;
    FakeGpus machine({"GPU-a", "GPU-b"}, &world);
    spec::RunSpec run = twoWorkers();
    run.cluster.spec = {};
    run.strategy.name = "MirroredStrategy";
    run.strategy.devices = {"GPU:0", "GPU:1"};
    std::vector<std::string> log;
    const auto connect = [&] {
        log.clear();
        const TaskGpus gpus(run.strategy, [&](std::string*) { return &machine; });
        return gpus.connect(run, spec::planTask(run, {}), {}, nullptr,
                            [&](spec::LogLevel, const std::string& text) { log.push_back(text); });
    };
    const Summing summing = connect();
    EXPECT_THAT(log, ElementsAre("NcclAllReduce: NCCL 2.28.9 between 2 GPUs"));
    ASSERT_TRUE(summing.connect_devices);
    auto members = engine::distribute::makeDeviceCollectives(run.strategy.devices);
    tests::support::spawnRanks(2, std::function<void(int)>([&](int device) {
                                   const auto on_top = summing.connect_devices(device, *members[static_cast<std::size_t>(device)]);
                                   ASSERT_TRUE(on_top);
                                   EXPECT_NE(on_top->onStreams(), nullptr);
                               }));
    EXPECT_THAT(machine.connected, testing::UnorderedElementsAre(0, 1));

    run.strategy.cross_device_ops = {"ReductionToOneDevice", {}};
    EXPECT_FALSE(connect().connect_devices);
    EXPECT_THAT(log, IsEmpty()) << "it has a way of its own";
    run.strategy.cross_device_ops = {"NcclAllReduce", {}};
    run.strategy.logical_gpus = 2;
    run.strategy.devices = {"GPU:0", "GPU:2"};  // of two cards, the first one twice
    EXPECT_FALSE(connect().connect_devices);
    EXPECT_THAT(log, ElementsAre(HasSubstr("several replicas on one GPU, so a ring over the host's memory takes its place")));
}

}  // namespace
}  // namespace agent::worker
