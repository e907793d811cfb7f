// Training steps of replicas that reduce their gradients take no memory, whatever carries the bytes.
#include <algorithm>
#include <barrier>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/device_group.h"
#include "engine/backend/executor.h"
#include "engine/distribute/loopback.h"
#include "engine/distribute/ring.h"
#include "local_cluster.h"
#include "tests/support/counted_allocations.h"
#include "tests/support/model_cases.h"
#include "tests/support/spawn_ranks.h"

namespace {

using engine::distribute::Collective;
using tests::support::ModelCase;

constexpr int kRanks = 2, kStepsAWindow = 3, kWindows = 40;

// Allocations of the whole process in windows of some steps of all ranks, after the first window.
struct Allocations {
    std::int64_t all = 0;
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
};

using Connect = std::function<std::unique_ptr<Collective>(int rank)>;

ModelCase caseOf(const std::string& name) {
    for (const ModelCase& c : tests::support::modelCases()) {
        if (c.name == name) return c;
    }
    throw std::runtime_error("no case " + name);
}

using Meeting = std::barrier<>;

// Steps of one rank on so many devices; all meet around each window of some steps, and rank 0 counts.
void stepInWindows(const ModelCase& c, int rank, int threads, int devices, Collective& collective, Meeting& meet, Allocations& counted) {
    std::vector<std::string> names;
    for (int device = 0; device < devices; ++device) names.push_back("CPU:" + std::to_string(device));
    std::vector<engine::plan::Plan> plans;
    for (int device = 0; device < devices; ++device) {
        plans.push_back(engine::plan::compile(tests::support::runOf(c),
                                              {.batch = c.batch, .replicas = kRanks * devices, .devices = names, .device = device}));
    }
    engine::backend::Variables variables(plans.front());
    engine::backend::initializeVariables(variables, c.model, 1);
    const std::span<std::byte> region = collective.allocateRegion(static_cast<std::size_t>(plans.front().shared_bytes));
    const auto executor =
        devices == 1
            ? engine::backend::makeCpuExecutor(plans.front(), variables, {.threads = threads, .collective = &collective, .region = region})
            : engine::backend::makeDeviceGroup(&engine::backend::makeCpuExecutor, plans, variables,
                                               {.devices = names, .threads = threads, .between = &collective, .region = region});
    executor->reloadVariables();
    std::int64_t elements = 1;
    for (std::int64_t size : c.model.input_shape) elements *= size;
    const tests::support::FakeData data(c.batch * devices, elements, 3, 1);
    std::vector<std::uint32_t> indices(static_cast<std::size_t>(c.samples * devices));
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::uint32_t>(i);
    for (std::int64_t window = 0; window < kWindows; ++window) {
        meet.arrive_and_wait();
        const std::int64_t before = tests::support::allocations.load();
        meet.arrive_and_wait();
        for (int i = 0; i < kStepsAWindow; ++i) {
            executor->trainStep(data.view(indices), {.learning_rate = 0.001F, .iteration = window * kStepsAWindow + i});
        }
        meet.arrive_and_wait();
        if (rank != 0 || window == 0) continue;
        const std::int64_t taken = tests::support::allocations.load() - before;
        counted.all += taken;
        counted.fewest = std::min(counted.fewest, taken);
    }
}

Allocations allocationsOf(const ModelCase& c, const Connect& connect, int threads, int devices = 1) {
    Meeting meet(kRanks);
    Allocations counted;
    tests::support::spawnRanks(kRanks, std::function<void(int)>([&](int rank) {
                                   const std::unique_ptr<Collective> collective = connect(rank);
                                   try {
                                       stepInWindows(c, rank, threads, devices, *collective, meet, counted);
                                   } catch (...) {
                                       meet.arrive_and_drop();
                                       throw;
                                   }
                               }));
    return counted;
}

class ReplicasAllocateNothing : public testing::TestWithParam<const char*> {};

TEST_P(ReplicasAllocateNothing, ThroughEachOthersMemory) {
    auto transports = engine::distribute::makeLoopbackTransports(kRanks);
    const Connect connect = [&](int rank) {
        return engine::distribute::makeRingCollective(std::move(transports[static_cast<std::size_t>(rank)]));
    };
    EXPECT_EQ(allocationsOf(caseOf(GetParam()), connect, 2).all, 0);
}

TEST_P(ReplicasAllocateNothing, AsMessagesInARing) {
    auto transports = engine::distribute::makeLoopbackTransports(kRanks, {.peer_views = false});
    const Connect connect = [&](int rank) {
        return engine::distribute::makeRingCollective(std::move(transports[static_cast<std::size_t>(rank)]));
    };
    EXPECT_EQ(allocationsOf(caseOf(GetParam()), connect, 1).all, 0);
}

TEST_P(ReplicasAllocateNothing, OnTwoDevicesEach) {
    for (const bool peer_views : {true, false}) {
        auto transports = engine::distribute::makeLoopbackTransports(kRanks, {.peer_views = peer_views});
        const Connect connect = [&](int rank) {
            return engine::distribute::makeRingCollective(std::move(transports[static_cast<std::size_t>(rank)]));
        };
        EXPECT_EQ(allocationsOf(caseOf(GetParam()), connect, 2, 2).all, 0);
    }
}

TEST_P(ReplicasAllocateNothing, OverSharedMemory) {
    const tests::support::LocalCluster cluster(kRanks);
    const Connect connect = [&](int rank) { return cluster.connect(rank, engine::spec::TransportChoice::kShm); };
    // gRPC's threads, which keep a heartbeat and allocate when they please, stay out of some of the windows.
    EXPECT_EQ(allocationsOf(caseOf(GetParam()), connect, 1).fewest, 0);
}

INSTANTIATE_TEST_SUITE_P(Models, ReplicasAllocateNothing,
                         testing::Values("Tutorial", "TutorialWithShortBatch", "TwoBlocks", "GroupsAndDilation", "Dropout"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
