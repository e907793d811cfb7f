// The executor as a whole: every model that the back-ends train, packets of steps, data that stay on the device and data that do not, sums
// between replicas, memory.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/cuda_orders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/backend/cuda/cuda_executor.h"
#include "engine/backend/initialize.h"
#include "engine/distribute/loopback.h"
#include "engine/distribute/ring.h"
#include "engine/plan/compile.h"
#include "engine/spec/error.h"
#include "tests/support/cuda_device.h"
#include "tests/support/model_cases.h"

namespace engine::backend::cuda {
namespace {

using tests::support::FakeData;
using tests::support::makeCudaExecutor;
using tests::support::ModelCase;

class CudaTrains : public ::testing::TestWithParam<ModelCase> {};

TEST_P(CudaTrains, LikeTheReference) {
    tests::support::expectTrainsLikeReference(GetParam(), makeCudaExecutor, {.fuse = true, .fuse_updates_into_gradients = false});
    tests::support::expectTrainsLikeReference(GetParam(), makeCudaExecutor, {.fuse = false});
}

INSTANTIATE_TEST_SUITE_P(Models, CudaTrains, ::testing::ValuesIn(tests::support::modelCases()),
                         [](const auto& row) { return row.param.name; });

// A small net with all that is special about steps: dropout by the step's number, a rate that changes, metrics.
ModelCase smallNet(std::int64_t batch = 8) {
    using namespace tests::support::rows;
    return {"small",
            tests::support::model({6, 6, 1}, {conv("conv2d", 8, 3, kRelu), tests::support::layer("MaxPooling2D", "pool"),
                                              tests::support::layer("Flatten", "flatten"),
                                              tests::support::layer("Dropout", "dropout", {{"rate", 0.3}}), dense("dense", 5, "linear")}),
            tests::support::compileWith(kAdam),
            batch,
            batch,
            0.01F};
}

struct Trained {
    std::vector<float> variables;
    std::vector<double> losses;
    friend bool operator==(const Trained&, const Trained&) = default;
};

enum class Steps { kAlone, kInPackets };
enum class Data { kOfTheHost, kOfTheDevice };

constexpr int kSteps = 70;  // more than two packets, the last one not full
constexpr std::int64_t kSamples = 40;

Trained train(Steps steps, Data where, const ExecutorOptions& options = {}) {
    const ModelCase c = smallNet();
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = c.batch, .devices = {"GPU:0"}});
    Variables variables(plan);
    initializeVariables(variables, c.model, 5);
    const auto executor = makeCudaExecutor(plan, variables, options);
    executor->reloadVariables();
    const FakeData data(kSamples, 36, 5, 3);
    std::vector<std::uint32_t> indices;
    std::int64_t at = 0;
    const NextStep next = [&](tensor::BatchView& view, StepControl& control) {
        if (at == kSteps) return false;
        indices.assign(static_cast<std::size_t>(at % 5 == 4 ? 3 : c.batch), 0);  // some bring fewer samples
        for (std::size_t i = 0; i < indices.size(); ++i)
            indices[i] = static_cast<std::uint32_t>((i * 7 + static_cast<std::size_t>(at)) % kSamples);
        view = data.view(indices);
        if (where == Data::kOfTheDevice) {
            view.set = 1000;
            view.count = kSamples;
        }
        control = {
            .learning_rate = 0.01F / static_cast<float>(1 + at), .iteration = at, .seed = 3, .epoch = static_cast<std::uint64_t>(at / 9)};
        ++at;
        return true;
    };
    Trained result;
    const StepDone done = [&](const StepResult& step) { result.losses.push_back(step.loss_sum); };
    if (steps == Steps::kInPackets) {
        executor->trainSteps(next, done);
    } else {
        executor->Executor::trainSteps(next, done);
    }
    executor->syncVariables();
    for (const Variables::Entry& entry : variables.entries()) {
        result.variables.insert(result.variables.end(), entry.values.begin(), entry.values.end());
    }
    return result;
}

TEST(CudaExecutor, StepsGiveTheSameBytesAloneAndInPackets) {
    const Trained alone = train(Steps::kAlone, Data::kOfTheHost);
    EXPECT_EQ(alone.losses.size(), kSteps);
    EXPECT_TRUE(alone == train(Steps::kInPackets, Data::kOfTheHost));
    EXPECT_TRUE(alone == train(Steps::kAlone, Data::kOfTheDevice));
    EXPECT_TRUE(alone == train(Steps::kInPackets, Data::kOfTheDevice));
}

TEST(CudaExecutor, StepsGiveTheSameBytesInEveryOrderOfThreads) {
    std::optional<Trained> first;
    tests::support::forEachOrder([&] {
        const Trained now = train(Steps::kInPackets, Data::kOfTheDevice);
        if (!first) first = now;
        EXPECT_TRUE(*first == now);
    });
}

#ifdef TANDEM_CUDA_EMULATED
TEST(CudaExecutor, TheHostWaitsOnceForAPacketAndForNothingThatItReads) {
    const Trained eager = train(Steps::kInPackets, Data::kOfTheDevice);
    const cuda_emulator::Settings restore;
    cuda_emulator::setLazyStreams(true);
    EXPECT_TRUE(eager == train(Steps::kInPackets, Data::kOfTheDevice));
    EXPECT_TRUE(eager == train(Steps::kInPackets, Data::kOfTheHost));
    const std::uint64_t before = cuda_emulator::hostSynchronizations();
    train(Steps::kAlone, Data::kOfTheDevice);
    const std::uint64_t alone = cuda_emulator::hostSynchronizations() - before;
    train(Steps::kInPackets, Data::kOfTheDevice);
    const std::uint64_t in_packets = cuda_emulator::hostSynchronizations() - before - alone;
    EXPECT_EQ(alone - in_packets, kSteps - 3);  // 70 steps are 3 packets
}

// What a step of the tutorial's net costs in launches; a product by the library is one of them, as its plain loops here are.
TEST(CudaExecutor, AStepOfTheTutorialsNetIsFewLaunches) {
    using namespace tests::support::rows;
    const ModelCase c{"tutorial",
                      tests::support::model({28, 28, 1}, {conv("conv2d", 32, 3, kRelu), tests::support::layer("MaxPooling2D", "pool"),
                                                          tests::support::layer("Flatten", "flatten"), dense("dense", 64, "relu"),
                                                          dense("dense_1", 10, "softmax")}),
                      tests::support::compileWith(kAdam),
                      64,
                      64,
                      0.01F};
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = c.batch, .devices = {"GPU:0"}});
    Variables variables(plan);
    initializeVariables(variables, c.model, 5);
    const auto executor = makeCudaExecutor(plan, variables, {});
    executor->reloadVariables();
    const FakeData data(64, 28 * 28, 10, 3);
    std::vector<std::uint32_t> indices(64);
    for (std::uint32_t i = 0; i < 64; ++i) indices[i] = i;
    const std::uint64_t before = cuda_emulator::launches();
    const StepResult result = executor->trainStep(data.view(indices), {.learning_rate = 0.01F, .iteration = 0});
    const std::uint64_t launches = cuda_emulator::launches() - before;
    EXPECT_EQ(result.count, 64);
    std::cout << "launches of a step: " << launches << '\n';
    EXPECT_LE(launches, 14U) << executor->planText();
}

TEST(CudaExecutor, MovesAllAveragesInOneLaunch) {
    using namespace tests::support::rows;
    const auto norm = [](const char* name) { return tests::support::layer("BatchNormalization", name); };
    const ModelCase c{"norms",
                      tests::support::model({12}, {dense("dense", 8, "relu"), norm("norm"), dense("dense_1", 6, "relu"), norm("norm_1"),
                                                   dense("dense_2", 5, "linear")}),
                      tests::support::compileWith(kAdam),
                      4,
                      4,
                      0.01F};
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = c.batch, .devices = {"GPU:0"}});
    Variables variables(plan);
    EXPECT_THAT(makeCudaExecutor(plan, variables, {})->planText(), ::testing::HasSubstr("{one pass over 4 states}"));
}

TEST(CudaExecutor, LeavesNoMemoryBehind) {
    const std::size_t device = cuda_emulator::allocatedBytes(), pinned = cuda_emulator::pinnedBytes();
    for (int i = 0; i < 3; ++i) train(Steps::kInPackets, Data::kOfTheHost);
    EXPECT_EQ(cuda_emulator::allocatedBytes(), device);
    EXPECT_EQ(cuda_emulator::pinnedBytes(), pinned);
}

TEST(CudaExecutor, SaysWhatAPlanNeedsThatDoesNotFit) {
    const ModelCase c = smallNet(4096);
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = c.batch, .devices = {"GPU:0"}});
    Variables variables(plan);
    const cuda_emulator::Settings restore;
    const std::size_t before = cuda_emulator::allocatedBytes();
    cuda_emulator::setDeviceMemory(before + (1 << 20));
    try {
        makeCudaExecutor(plan, variables, {});
        FAIL() << "there was no room";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted);
        EXPECT_THAT(error.what(), ::testing::HasSubstr("the plan of 4096 samples needs"));
        EXPECT_THAT(error.what(), ::testing::HasSubstr("were free 1.0 MiB"));
    }
    EXPECT_EQ(cuda_emulator::allocatedBytes(), before);
}

TEST(CudaExecutor, TakesADataSetToTheDeviceOnlyWhereItFits) {
    const cuda_emulator::Settings restore;
    cuda_emulator::setDeviceMemory(cuda_emulator::allocatedBytes() + (4 << 20));
    Choices choices;
    Session session(0, {}, choices);
    const std::vector<std::byte> bytes(3 << 20);
    const auto view = [&](std::uint64_t set, std::int64_t count) {
        tensor::BatchView of{.samples = bytes.data(), .sample_elements = 1 << 10};
        of.set = set;
        of.count = count;
        return of;
    };
    EXPECT_EQ(session.dataOf(view(0, 1 << 10)), nullptr);  // of no set
    EXPECT_EQ(session.dataOf(view(2000, 3 << 10)), nullptr);
    const DeviceData* kept = session.dataOf(view(2001, 3 << 9));  // 1.5 of 4 MiB
    ASSERT_NE(kept, nullptr);
    EXPECT_EQ(kept->samples.size(), 3U << 19);
    EXPECT_EQ(session.dataOf(view(2001, 3 << 9)), kept);
    EXPECT_NE(session.dataOf(view(2002, 2 << 10)), nullptr);  // the one before goes
    EXPECT_LE(cuda_emulator::allocatedBytes(), std::size_t{2} << 20);
}
#endif

TEST(CudaExecutor, ExecutorsOfOneStoreShareTheirVariablesOnTheDevice) {
    const ModelCase c = smallNet();
    const spec::RunSpec run = tests::support::runOf(c);
    const plan::Plan plan = plan::compile(run, {.batch = c.batch, .devices = {"GPU:0"}});
    const plan::Plan forward = plan::compile(run, {.batch = 16, .training = false, .devices = {"GPU:0"}});
    Variables variables(plan);
    initializeVariables(variables, c.model, 5);
    const auto trains = makeCudaExecutor(plan, variables, {}), evaluates = makeCudaExecutor(forward, variables, {});
    trains->reloadVariables();
    const FakeData data(kSamples, 36, 5, 3);
    std::vector<std::uint32_t> indices(8);
    for (std::uint32_t i = 0; i < 8; ++i) indices[i] = i;
    const double before = evaluates->evaluateStep(data.view(indices)).loss_sum;
    for (std::int64_t i = 0; i < 30; ++i) trains->trainStep(data.view(indices), {.learning_rate = 0.02F, .iteration = i});
    const double after = evaluates->evaluateStep(data.view(indices)).loss_sum;
    EXPECT_LT(after, 0.7 * before);
    trains->syncVariables();
    Variables copy(plan);
    for (const Variables::Entry& entry : variables.entries()) {
        std::copy(entry.values.begin(), entry.values.end(), copy.values(entry.name).begin());
    }
    const auto oracle = makeReferenceExecutor(forward, copy, {});
    EXPECT_NEAR(oracle->evaluateStep(data.view(indices)).loss_sum, after, 1e-4 * after + 1e-4);
}

// A batch that was staged elsewhere, as mixed and decoded ones are, drops the units that its samples drop in their set.
TEST(CudaExecutor, DropoutGoesByTheNumbersOfStagedSamples) {
    const ModelCase c = smallNet();
    const spec::RunSpec run = tests::support::runOf(c);
    const plan::Plan plan = plan::compile(run, {.batch = c.batch, .devices = {"GPU:0"}});
    const FakeData data(kSamples, 36, 5, 3);
    std::vector<std::byte> samples, labels;
    const std::vector<std::uint32_t> in_set{6, 1, 4}, places{0, 1, 2};
    const tensor::BatchView whole = data.view(in_set);
    for (const std::uint32_t number : in_set) {
        const std::byte* sample = whole.samples + number * whole.sample_elements;
        samples.insert(samples.end(), sample, sample + whole.sample_elements);
        labels.push_back(whole.labels[number]);
    }
    tensor::BatchView staged = whole;
    staged.samples = samples.data();
    staged.labels = labels.data();
    staged.indices = places;
    const auto lossOf = [&](const tensor::BatchView& batch) {
        Variables variables(plan);
        initializeVariables(variables, run.model, 5);
        const auto executor = makeCudaExecutor(plan, variables, {});
        executor->reloadVariables();
        return executor->trainStep(batch, {.learning_rate = 0.01F, .seed = 3}).loss_sum;
    };
    const double expected = lossOf(whole);
    EXPECT_NE(lossOf(staged), expected) << "by their places in the batch";
    staged.numbers = in_set;
    EXPECT_EQ(lossOf(staged), expected);
}

TEST(CudaExecutor, RefusesBatchesThatThePlanCannotTake) {
    const ModelCase c = smallNet();
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = c.batch, .devices = {"GPU:0"}});
    Variables variables(plan);
    const auto executor = makeCudaExecutor(plan, variables, {});
    const FakeData data(kSamples, 36, 50, 3), narrow(kSamples, 35, 5, 3);
    const std::vector<std::uint32_t> many(9, 0), all{0, 1, 2, 3, 4, 5, 6, 7};
    EXPECT_THROW(executor->trainStep(data.view(many), {}), Error);
    EXPECT_THROW(executor->trainStep(narrow.view(all), {}), Error);
    EXPECT_THROW(executor->trainStep(data.view(all), {}), Error);  // classes above 4
    EXPECT_THROW(executor->evaluateStep(data.view(all)), Error);
}

// Replicas of one run, each with an executor of `make` on a thread and a (logical) device of its own: "GPU:0", "GPU:1".
std::vector<std::vector<float>> trainReplicas(const tests::support::ExecutorFactory& make, const std::string& kind) {
    constexpr int kReplicas = 2;
    const ModelCase c = smallNet();
    spec::RunSpec run = tests::support::runOf(c);
    run.strategy.name = "MultiWorkerMirroredStrategy";
    run.strategy.bytes_per_pack = 512;  // several buckets
    auto transports = distribute::makeLoopbackTransports(kReplicas);
    std::vector<std::vector<float>> results(kReplicas);
    std::vector<std::string> errors(kReplicas);
    std::vector<std::thread> threads;
    for (int rank = 0; rank < kReplicas; ++rank) {
        threads.emplace_back([&, rank] {
            try {
                const auto collective = distribute::makeRingCollective(std::move(transports[static_cast<std::size_t>(rank)]));
                const plan::Plan plan =
                    plan::compile(run, {.batch = c.batch, .replicas = kReplicas, .devices = {kind + ":" + std::to_string(rank)}});
                if (plan.buckets.size() < 2) throw Error(ErrorCode::kInternal, "expected several buckets");
                Variables variables(plan);
                initializeVariables(variables, c.model, 5);
                const auto region = collective->allocateRegion(static_cast<std::size_t>(plan.shared_bytes));
                const auto executor = make(plan, variables, {.threads = 1, .collective = collective.get(), .region = region});
                executor->reloadVariables();
                const FakeData data(kSamples, 36, 5, 3);
                std::vector<std::uint32_t> indices(8);
                for (std::int64_t step = 0; step < 6; ++step) {
                    for (std::uint32_t i = 0; i < 8; ++i) indices[i] = (i * 2 + static_cast<std::uint32_t>(rank + step)) % kSamples;
                    const StepResult result = executor->trainStep(
                        data.view(indices), {.learning_rate = 0.01F, .iteration = step, .control = rank == 0 ? 2.0F : 0.0F});
                    if (result.count != 16 || result.control != 2) throw Error(ErrorCode::kInternal, "the header is not the sum of both");
                }
                executor->syncVariables();
                for (const Variables::Entry& entry : variables.entries()) {
                    results[static_cast<std::size_t>(rank)].insert(results[static_cast<std::size_t>(rank)].end(), entry.values.begin(),
                                                                   entry.values.end());
                }
            } catch (const std::exception& error) {
                errors[static_cast<std::size_t>(rank)] = error.what();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::string& error : errors) EXPECT_EQ(error, "");
    return results;
}

TEST(CudaExecutor, ReplicasSumTheirGradientsByTheHost) {
    const auto tested = trainReplicas(makeCudaExecutor, "GPU");
    EXPECT_EQ(tested[0], tested[1]);
    EXPECT_TRUE(tests::support::isNear(tested[0], trainReplicas(makeReferenceExecutor, "CPU")[0], 2e-5));
}

TEST(CudaExecutor, TellsItsDeviceAndTheKernelsOfItsPlan) {
    const ModelCase c = smallNet();
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = c.batch, .devices = {"GPU:0"}});
    Variables variables(plan);
    const auto executor = makeCudaExecutor(plan, variables, {});
    EXPECT_THAT(executor->describe(), ::testing::HasSubstr("compute capability"));
    EXPECT_THAT(executor->planText(), ::testing::HasSubstr("{direct 3x3 of 1, pools}"));
    EXPECT_EQ(deviceOf(plan), 0);
    EXPECT_EQ(deviceOf(plan::compile(tests::support::runOf(c), {.batch = 8, .devices = {"GPU:3"}})), 3);
}

}  // namespace
}  // namespace engine::backend::cuda
