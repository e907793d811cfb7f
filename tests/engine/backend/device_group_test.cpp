#include "engine/backend/device_group.h"

#include <atomic>
#include <barrier>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/backend/initialize.h"
#include "engine/distribute/nccl/nccl_collective.h"
#include "engine/plan/compile.h"
#include "engine/spec/error.h"
#include "tests/support/emulated_nccl.h"
#include "tests/support/model_builder.h"
#include "tests/support/model_cases.h"

namespace {

using namespace engine;
using distribute::Collective;
using Connect = std::function<std::unique_ptr<Collective>(int device, Collective& member)>;

constexpr int kDevices = 3;
constexpr std::int64_t kBatch = 4;

spec::RunSpec smallRun() {
    spec::RunSpec run;
    run.model = tests::support::model({6}, {tests::support::layer("Dense", "dense", {{"units", std::int64_t{3}}})});
    run.compile = tests::support::compileWith({"SGD", {{"learning_rate", 0.1}}});
    return run;
}

// The kernel after some steps on three devices.
std::vector<float> train(const Connect& connect) {
    const spec::RunSpec run = smallRun();
    const std::vector<std::string> names{"CPU:0", "CPU:1", "CPU:2"};
    std::vector<plan::Plan> plans;
    for (int device = 0; device < kDevices; ++device) {
        plans.push_back(plan::compile(run, {.batch = kBatch, .replicas = kDevices, .devices = names, .device = device}));
    }
    backend::Variables variables(plans.front());
    backend::initializeVariables(variables, run.model, 1);
    const auto group = backend::makeDeviceGroup(&backend::makeReferenceExecutor, plans, variables, {.devices = names, .connect = connect});
    group->reloadVariables();
    const tests::support::FakeData data(kBatch * kDevices, 6, 3, 1);
    std::vector<std::uint32_t> indices(kBatch * kDevices);
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::uint32_t>(i);
    for (int step = 0; step < 3; ++step) group->trainStep(data.view(indices), {.learning_rate = 0.1F, .iteration = step});
    group->syncVariables();
    const std::span<const float> kernel = variables.values("dense/kernel");
    return {kernel.begin(), kernel.end()};
}

// Every device normalizes its copy of a kernel by itself, from the same values: nothing but the order of the gradients' sums differs from a
// device that has the whole batch.
TEST(DeviceGroup, NormalizesKernelsAsOneDeviceDoes) {
    spec::RunSpec run;
    const spec::ObjectSpec dense{"Dense", {{"units", std::int64_t{5}}, {"activation", std::string("tanh")}}};
    run.model = tests::support::model({6}, {tests::support::layer("SpectralNormalization", "spectral", {{"layer", dense}}),
                                            tests::support::layer("Dense", "dense", {{"units", std::int64_t{3}}})});
    run.compile = tests::support::compileWith({"SGD", {{"learning_rate", 0.1}}});
    const tests::support::FakeData data(kBatch * kDevices, 6, 3, 1);
    std::vector<std::uint32_t> indices(kBatch * kDevices);
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::uint32_t>(i);
    const auto values = [&](std::string_view strategy, const std::vector<std::string>& names) {
        run.strategy.name = strategy;
        const auto devices = static_cast<int>(names.size());
        std::vector<plan::Plan> plans;
        for (int device = 0; device < devices; ++device) {
            plans.push_back(
                plan::compile(run, {.batch = kBatch * kDevices / devices, .replicas = devices, .devices = names, .device = device}));
        }
        backend::Variables variables(plans.front());
        backend::initializeVariables(variables, run.model, 1);
        const auto group = backend::makeDeviceGroup(&backend::makeReferenceExecutor, plans, variables, {.devices = names});
        group->reloadVariables();
        for (int step = 0; step < 4; ++step) group->trainStep(data.view(indices), {.learning_rate = 0.1F, .iteration = step});
        group->syncVariables();
        std::vector<float> all;
        for (const char* name : {"spectral/layer/kernel", "spectral/vector_u"}) {
            const std::span<const float> one = variables.values(name);
            all.insert(all.end(), one.begin(), one.end());
        }
        return all;
    };
    const std::vector<float> alone = values("MirroredStrategy", {"CPU:0"});
    for (const char* strategy : {"MirroredStrategy", "CentralStorageStrategy"}) {
        EXPECT_THAT(values(strategy, {"CPU:0", "CPU:1", "CPU:2"}), ::testing::Pointwise(::testing::FloatNear(1e-5F), alone)) << strategy;
    }
}

TEST(DeviceGroup, ConnectsAllDevicesAtOnceBeforeItsExecutors) {
    std::barrier meet(kDevices);
    std::atomic<int> connected{0};
    tests::support::EmulatedWorld world;
    const std::vector<float> plain = train({});
    const std::vector<float> on_top = train([&](int device, Collective& member) {
        EXPECT_EQ(member.rank(), device);
        meet.arrive_and_wait();  // a device after the other would wait here for ever
        auto connection = distribute::nccl::connect(member, std::make_shared<tests::support::EmulatedNccl>(world));
        EXPECT_TRUE(connection.collective) << connection.problem;
        connected += connection.collective != nullptr;
        return std::move(connection.collective);
    });
    EXPECT_EQ(connected, kDevices);
    EXPECT_EQ(on_top, plain) << "executors of the processor sum as they did";
    EXPECT_EQ(world.communicators, 0);
}

TEST(DeviceGroup, ADeviceThatCanNotConnectEndsTheOthers) {
    try {
        train([&](int device, Collective& member) -> std::unique_ptr<Collective> {
            if (device == 1) throw Error(ErrorCode::kInternal, "no such GPU");
            member.barrier();
            return nullptr;
        });
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "no such GPU");
    }
}

}  // namespace
