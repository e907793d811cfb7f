#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/cpu/cpu_executor.h"
#include "engine/backend/cpu/cpu_features.h"
#include "engine/backend/executor.h"
#include "engine/plan/compile.h"
#include "engine/spec/error.h"
#include "tests/support/counted_allocations.h"
#include "tests/support/forced_isa.h"
#include "tests/support/model_builder.h"
#include "tests/support/model_cases.h"
#include "tests/support/near.h"

namespace engine::backend::cpu {
namespace {

using tests::support::compileWith;
using tests::support::expectTrainsLikeReference;
using tests::support::FakeData;
using tests::support::ForcedIsa;
using tests::support::ModelCase;
using tests::support::modelCases;
using tests::support::tutorialModel;
using tests::support::wordOf;

std::vector<std::uint32_t> firstIndices(std::size_t count) {
    std::vector<std::uint32_t> indices(count);
    for (std::size_t i = 0; i < count; ++i) indices[i] = static_cast<std::uint32_t>(i);
    return indices;
}

// Variables after some steps of the tutorial's model.
std::vector<float> trained(int threads, std::int64_t batch, int steps, const spec::ObjectSpec& optimizer = tests::support::rows::kAdam) {
    const ModelCase c{"tutorial", tutorialModel(), compileWith(optimizer), batch, batch, 0.001F};
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = batch});
    Variables variables(plan);
    initializeVariables(variables, c.model, 5);
    const auto executor = makeCpuExecutor(plan, variables, {.threads = threads});
    const FakeData data(batch, 784, 10, 3);
    const std::vector<std::uint32_t> indices = firstIndices(static_cast<std::size_t>(batch));
    for (int i = 0; i < steps; ++i) executor->trainStep(data.view(indices), {.learning_rate = 0.001F, .iteration = i});
    std::vector<float> values;
    for (const Variables::Entry& entry : variables.entries()) values.insert(values.end(), entry.values.begin(), entry.values.end());
    return values;
}

TEST(CpuExecutor, LearnsWhatItIsShown) {
    const ModelCase c{"tutorial", tutorialModel(), compileWith(tests::support::rows::kAdam), 16, 16, 0.002F};
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = 16});
    Variables variables(plan);
    initializeVariables(variables, c.model, 1);
    const auto executor = makeCpuExecutor(plan, variables, {.threads = 2});
    const FakeData data(16, 784, 10, 1);
    const std::vector<std::uint32_t> indices = firstIndices(16);
    const double first = executor->trainStep(data.view(indices), {.learning_rate = 0.002F}).loss_sum;
    StepResult last;
    for (int step = 1; step < 60; ++step) last = executor->trainStep(data.view(indices), {.learning_rate = 0.002F, .iteration = step});
    EXPECT_LT(last.loss_sum, first / 10);
    EXPECT_EQ(last.correct, 16);
    EXPECT_EQ(last.count, 16);
}

struct Setting {
    Isa isa;
    int threads;
    bool fuse, apply;
};

std::string nameOf(const Setting& setting) {
    return std::string(wordOf(setting.isa)) + std::to_string(setting.threads) + (setting.fuse ? "Fused" : "Plain") +
           (setting.apply ? "Applied" : "");
}

void PrintTo(const Setting& setting, std::ostream* out) {
    *out << nameOf(setting);
}

class TrainsLikeReference : public testing::TestWithParam<Setting> {};

TEST_P(TrainsLikeReference, OnEveryModelOfTheTable) {
    const Setting& setting = GetParam();
    if (setting.isa > supportedIsa()) GTEST_SKIP() << "this processor has no " << toString(setting.isa);
    const ForcedIsa forced(wordOf(setting.isa));
    for (const ModelCase& c : modelCases()) {
        expectTrainsLikeReference(c, makeCpuExecutor,
                                  {.fuse = setting.fuse, .fuse_updates_into_gradients = setting.apply, .threads = setting.threads});
    }
}

INSTANTIATE_TEST_SUITE_P(Settings, TrainsLikeReference,
                         testing::Values(Setting{Isa::kPortable, 1, true, true}, Setting{Isa::kPortable, 2, false, false},
                                         Setting{Isa::kAvx2, 1, true, true}, Setting{Isa::kAvx2, 3, true, false},
                                         Setting{Isa::kAvx2, 2, false, false}, Setting{Isa::kAvx512, 1, true, true},
                                         Setting{Isa::kAvx512, 2, true, false}, Setting{Isa::kAvx512, 3, true, true},
                                         Setting{Isa::kAvx512, 1, false, false}, Setting{Isa::kAvx512, 3, false, false}),
                         [](const testing::TestParamInfo<Setting>& of) { return nameOf(of.param); });

// Sizes at which products are split by depth and by columns, with parts of vectors at every edge.
std::vector<ModelCase> largeCases() {
    using tests::support::layer;
    using tests::support::rows::conv;
    using tests::support::rows::dense;
    const spec::Fields relu{{"activation", std::string("relu")}};
    return {
        {"DeepDense", tests::support::model({2311}, {dense("dense", 37, "relu"), dense("dense_1", 10, "linear")}),
         compileWith(tests::support::rows::kAdam), 19, 19, 0.001F},
        {"WideDense", tests::support::model({131}, {dense("dense", 523, "relu"), dense("dense_1", 10, "linear")}),
         compileWith(tests::support::rows::kMomentum), 21, 13, 0.01F},
        {"ManyRows",
         tests::support::model({40, 24}, {dense("dense", 70, "relu"), layer("Flatten", "flatten"), dense("dense_1", 5, "linear")}),
         compileWith(tests::support::rows::kSgd), 20, 20, 0.01F},
        {"ManyWideRows",
         tests::support::model({27, 121}, {dense("dense", 301, "relu"), layer("Flatten", "flatten"), dense("dense_1", 5, "linear")}),
         compileWith(tests::support::rows::kSgd), 20, 20, 0.01F},
        {"ColourWithWideBlocks",
         tests::support::model({15, 13, 3}, {conv("conv2d", 70, 3, relu), layer("MaxPooling2D", "pool"), conv("conv2d_1", 37, 3, relu),
                                             layer("Flatten", "flatten"), dense("dense", 7, "linear")}),
         compileWith(tests::support::rows::kSgd), 5, 5, 0.01F},
        {"StridedConvolutions",
         tests::support::model(
             {16, 17, 3},
             {conv("conv2d", 24, 5, {{"strides", std::int64_t{3}}, {"padding", std::string("same")}, {"activation", std::string("relu")}}),
              conv("conv2d_1", 33, 3, {{"strides", std::int64_t{2}}, {"padding", std::string("same")}}), layer("Flatten", "flatten"),
              dense("dense", 7, "linear")}),
         compileWith(tests::support::rows::kSgd), 6, 6, 0.01F},
        {"PoolingOfStridedConvolution",
         tests::support::model({20, 21, 2}, {conv("conv2d", 19, 3, {{"strides", std::int64_t{2}}, {"activation", std::string("relu")}}),
                                             layer("MaxPooling2D", "pool"), layer("Flatten", "flatten"), dense("dense", 7, "linear")}),
         compileWith(tests::support::rows::kSgd), 6, 6, 0.01F},
    };
}

TEST(CpuExecutor, SplitsLargeProductsAsTheReferenceSums) {
    for (Isa isa : {Isa::kPortable, Isa::kAvx2, Isa::kAvx512}) {
        if (isa > supportedIsa()) continue;
        const ForcedIsa forced(wordOf(isa));
        for (const ModelCase& c : largeCases()) {
            expectTrainsLikeReference(c, makeCpuExecutor, {.fuse = true, .threads = 2, .steps = 3, .tolerance = 1e-4});
            expectTrainsLikeReference(c, makeCpuExecutor, {.fuse = false, .threads = 3, .steps = 2, .tolerance = 1e-4});
        }
    }
}

// Shapes at which a library's convolutions may take the place of the own kernels.
std::vector<ModelCase> generalConvolutionCases() {
    using tests::support::layer;
    using tests::support::rows::conv;
    const std::string same = "same", relu = "relu";
    const auto modelOf = [&](const spec::LayerSpec& tested) {
        return tests::support::model({9, 10, 3}, {conv("conv2d", 32, 3, {}), tested, conv("conv2d_2", 16, 2, {{"use_bias", false}}),
                                                  layer("Flatten", "flatten"), tests::support::rows::dense("dense", 5, "linear")});
    };
    const spec::CompileSpec compile = compileWith(tests::support::rows::kSgd);
    return {
        {"LargeKernel", modelOf(conv("conv2d_1", 64, 5, {{"padding", same}, {"activation", relu}})), compile, 6, 6, 0.01F},
        {"ShortBatch", modelOf(conv("conv2d_1", 64, 5, {{"padding", same}, {"activation", relu}})), compile, 6, 2, 0.01F},
        {"EmptyBatch", modelOf(conv("conv2d_1", 64, 5, {{"padding", same}, {"activation", relu}})), compile, 6, 0, 0.01F},
        {"OddTiles", modelOf(conv("conv2d_1", 24, 3, {{"activation", relu}})), compile, 6, 6, 0.01F},
        {"OddTilesOfFive", modelOf(conv("conv2d_1", 40, 5, {})), compile, 6, 5, 0.01F},
        {"Dilation", modelOf(conv("conv2d_1", 32, 3, {{"dilation_rate", std::int64_t{2}}, {"padding", same}})), compile, 6, 6, 0.01F},
        {"Groups", modelOf(conv("conv2d_1", 32, 3, {{"groups", std::int64_t{2}}})), compile, 6, 6, 0.01F},
        {"Depthwise", modelOf(conv("conv2d_1", 32, 3, {{"groups", std::int64_t{32}}})), compile, 6, 6, 0.01F},
        {"Stride", modelOf(conv("conv2d_1", 64, 3, {{"strides", std::int64_t{2}}, {"padding", same}})), compile, 6, 6, 0.01F},
    };
}

// Convolutions of many rows of the kernel with pooling, images that pass over a panel in bands of rows, and samples that pass together.
std::vector<ModelCase> deepPoolingCases() {
    using tests::support::layer;
    using tests::support::rows::conv;
    const std::string same = "same", relu = "relu";
    const auto modelOf = [&](const spec::Shape& input, const spec::LayerSpec& tested) {
        return tests::support::model(input, {conv("conv2d", 18, 3, {{"activation", relu}}), tested, layer("MaxPooling2D", "pool"),
                                             layer("Flatten", "flatten"), tests::support::rows::dense("dense", 5, "linear")});
    };
    const spec::CompileSpec compile = compileWith(tests::support::rows::kSgd);
    return {
        {"InBands", modelOf({21, 20, 3}, conv("conv2d_1", 70, 3, {{"padding", same}, {"activation", relu}})), compile, 5, 5, 0.01F},
        {"ShortBatchInBands", modelOf({25, 17, 1}, conv("conv2d_1", 37, 5, {{"activation", relu}})), compile, 7, 3, 0.01F},
        {"ManySamplesTogether", modelOf({9, 8, 2}, conv("conv2d_1", 33, 3, {{"padding", same}})), compile, 40, 37, 0.01F},
        // Tiles of four by four results of Winograd's filtering, some rows of them at a time, the last of which pooling cuts.
        {"LargeTilesInBands", modelOf({31, 26, 3}, conv("conv2d_1", 130, 3, {{"padding", same}, {"activation", relu}})), compile, 4, 4,
         0.01F},
        // Tiles of five by five, whose rows end within a window of the pooling: of whole samples, and some rows of them at a time.
        {"TilesOfFive", modelOf({16, 16, 3}, conv("conv2d_1", 33, 5, {{"padding", same}, {"activation", relu}})), compile, 16, 15, 0.01F},
        {"TilesOfFiveInBands", modelOf({47, 45, 1}, conv("conv2d_1", 70, 5, {{"padding", same}, {"activation", relu}})), compile, 2, 2,
         0.01F},
        {"Strided", modelOf({17, 18, 2}, conv("conv2d_1", 21, 5, {{"strides", std::int64_t{2}}, {"activation", relu}})), compile, 6, 6,
         0.01F},
        {"First",
         tests::support::model({14, 13, 9}, {conv("conv2d", 19, 3, {{"activation", relu}}), layer("MaxPooling2D", "pool"),
                                             layer("Flatten", "flatten"), tests::support::rows::dense("dense", 5, "linear")}),
         compile, 5, 5, 0.01F},
    };
}

std::vector<ModelCase> allConvolutionCases() {
    std::vector<ModelCase> all = generalConvolutionCases();
    const std::vector<ModelCase> more = deepPoolingCases();
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

class GeneralConvolutions : public testing::TestWithParam<ModelCase> {};

TEST_P(GeneralConvolutions, TrainLikeTheReference) {
    for (Isa isa : {Isa::kPortable, Isa::kAvx2, Isa::kAvx512}) {
        if (isa > supportedIsa()) continue;
        const ForcedIsa forced(wordOf(isa));
        expectTrainsLikeReference(GetParam(), makeCpuExecutor, {.fuse = true, .threads = 1, .steps = 2, .tolerance = 1e-4});
        expectTrainsLikeReference(GetParam(), makeCpuExecutor, {.fuse = false, .threads = 3, .steps = 2, .tolerance = 1e-4});
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, GeneralConvolutions, testing::ValuesIn(allConvolutionCases()),
                         [](const testing::TestParamInfo<ModelCase>& of) { return of.param.name; });

TEST(CpuExecutor, ConvolvesGeneralShapesToTheSameBytesForAnyNumberOfThreads) {
    const auto trainedBy = [](const ModelCase& c, int threads) {
        const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = c.batch});
        Variables variables(plan);
        initializeVariables(variables, c.model, 5);
        const auto executor = makeCpuExecutor(plan, variables, {.threads = threads});
        std::int64_t elements = 1;
        for (std::int64_t size : c.model.input_shape) elements *= size;
        const FakeData data(c.batch, elements, 5, 3);
        const std::vector<std::uint32_t> indices = firstIndices(static_cast<std::size_t>(c.samples));
        for (int i = 0; i < 3; ++i) executor->trainStep(data.view(indices), {.learning_rate = c.learning_rate, .iteration = i});
        std::vector<float> values;
        for (const Variables::Entry& entry : variables.entries()) values.insert(values.end(), entry.values.begin(), entry.values.end());
        return values;
    };
    for (const ModelCase& c : allConvolutionCases()) {
        const std::vector<float> one = trainedBy(c, 1);
        for (int threads : {1, 2, 3}) {
            const std::vector<float> again = trainedBy(c, threads);
            ASSERT_EQ(again.size(), one.size());
            EXPECT_EQ(std::memcmp(again.data(), one.data(), one.size() * sizeof(float)), 0) << c.name << ", " << threads << " threads";
        }
    }
}

// Stands for a group of replicas that all have this replica's gradients; reductions end only when they are awaited. Fails on demand.
class LazyCollective final : public distribute::Collective {
public:
    explicit LazyCollective(int size) : size_(size) {}
    int rank() const override { return 0; }
    int size() const override { return size_; }
    std::span<std::byte> allocateRegion(std::size_t) override { return {}; }
    void allReduceSum(std::span<float> data) override {
        for (float& value : data) value *= static_cast<float>(size_);
    }
    std::uint64_t startAllReduceSum(std::span<float> data) override {
        if (fails_at_start) throw Error(ErrorCode::kUnavailable, "worker 1: gone");
        const FakePending pending{data, ++last_ticket_};
        pending_.push_back(pending);
        return pending.ticket;
    }
    void wait(std::uint64_t ticket) override {
        if (fails_at_wait) throw Error(ErrorCode::kUnavailable, "worker 1: gone");
        for (FakePending& pending : pending_) {
            if (pending.ticket == ticket) allReduceSum(std::exchange(pending.data, {}));
        }
        awaited.push_back(ticket);
    }
    void broadcast(std::span<std::byte>, int) override {}
    void allGather(std::span<const std::byte>, std::span<std::byte>) override {}
    void barrier() override {}
    std::string describe() const override { return "lazy"; }

    bool fails_at_start = false, fails_at_wait = false;
    std::vector<std::uint64_t> awaited;

private:
    struct FakePending {
        std::span<float> data;
        std::uint64_t ticket;
    };
    int size_;
    std::uint64_t last_ticket_ = 0;
    std::vector<FakePending> pending_;
};

TEST(CpuExecutor, ReducesEachBucketOnceAndUpdatesAfterwards) {
    const ModelCase c{"tutorial", tutorialModel(), compileWith(tests::support::rows::kMomentum), 8, 8, 0.01F};
    const plan::Plan alone = plan::compile(tests::support::runOf(c), {.batch = 8});
    const plan::Plan shared = plan::compile(tests::support::runOf(c), {.batch = 8, .replicas = 2});
    ASSERT_GE(shared.buckets.size(), 2U);
    Variables expected(alone), actual(shared);
    initializeVariables(expected, c.model, 5);
    initializeVariables(actual, c.model, 5);
    LazyCollective collective(2);
    std::vector<float> region(static_cast<std::size_t>(shared.shared_bytes) / sizeof(float) + 16);
    auto* aligned = reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(region.data()) + 63) / 64 * 64);
    const auto single = makeCpuExecutor(alone, expected, {.threads = 2});
    const auto replica = makeCpuExecutor(
        shared, actual, {.threads = 3, .collective = &collective, .region = {aligned, static_cast<std::size_t>(shared.shared_bytes)}});
    const FakeData data(8, 784, 10, 3);
    const std::vector<std::uint32_t> indices = firstIndices(8);
    for (int i = 0; i < 3; ++i) {
        const StepResult want = single->trainStep(data.view(indices), {.learning_rate = 0.01F, .iteration = i});
        const StepResult got =
            replica->trainStep(data.view(indices), {.learning_rate = 0.01F, .iteration = i, .control = 2, .control_value = 0.5F});
        EXPECT_NEAR(got.loss_sum, 2 * want.loss_sum, 1e-4 * want.loss_sum);
        EXPECT_EQ(got.count, 16);
        EXPECT_EQ(got.correct, 2 * want.correct);
        EXPECT_EQ(got.control, 4);
    }
    EXPECT_EQ(collective.awaited.size(), 3 * shared.buckets.size());
    for (const Variables::Entry& entry : expected.entries()) {
        EXPECT_TRUE(tests::support::isNear(actual.values(entry.name), entry.values, 1e-5)) << entry.name;
    }
}

TEST(CpuExecutor, PassesOnWhatACollectiveThrowsAndStaysWhole) {
    const ModelCase c{"tutorial", tutorialModel(), compileWith(tests::support::rows::kMomentum), 8, 8, 0.01F};
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = 8, .replicas = 2});
    Variables variables(plan);
    LazyCollective collective(2);
    const auto executor = makeCpuExecutor(plan, variables, {.threads = 3, .collective = &collective});
    const FakeData data(8, 784, 10, 3);
    const std::vector<std::uint32_t> indices = firstIndices(8);
    for (bool LazyCollective::*failure : {&LazyCollective::fails_at_start, &LazyCollective::fails_at_wait}) {
        collective.*failure = true;
        EXPECT_THROW(executor->trainStep(data.view(indices), {}), Error);
        collective.*failure = false;
        EXPECT_EQ(executor->trainStep(data.view(indices), {}).count, 16);
    }
    EXPECT_THROW(makeCpuExecutor(plan, variables, {.threads = 1}), Error);
}

TEST(CpuExecutor, GivesTheSameBytesForAnyNumberOfThreads) {
    const std::vector<float> one = trained(1, 24, 6);
    for (int threads : {1, 2, 3, 5}) {
        const std::vector<float> several = trained(threads, 24, 6);
        ASSERT_EQ(several.size(), one.size());
        EXPECT_EQ(std::memcmp(several.data(), one.data(), one.size() * sizeof(float)), 0) << threads << " threads";
    }
}

// Allocations of some steps after the first, with two executors more for the plans that only go forward.
std::int64_t allocationsOf(const ModelCase& c, bool fuse, int threads) {
    plan::CompileTarget target{.batch = c.batch, .fuse = fuse};
    const plan::Plan training = plan::compile(tests::support::runOf(c), target);
    target.training = false;
    const plan::Plan forward = plan::compile(tests::support::runOf(c), target);
    Variables variables(training);
    initializeVariables(variables, c.model, 1);
    const auto trainer = makeCpuExecutor(training, variables, {.threads = threads});
    const auto evaluator = makeCpuExecutor(forward, variables, {.threads = threads});
    std::int64_t elements = 1;
    for (std::int64_t size : c.model.input_shape) elements *= size;
    const std::int64_t classes = forward.tensors[static_cast<std::size_t>(forward.output)].shape.back();
    const FakeData data(c.batch, elements, classes, 1);
    const std::vector<std::uint32_t> indices = firstIndices(static_cast<std::size_t>(c.samples));
    const plan::TensorDesc& output = forward.tensors[static_cast<std::size_t>(forward.output)];
    std::vector<float> predicted(indices.size() * static_cast<std::size_t>(plan::elementCount(output) / c.batch));
    std::int64_t before = 0;
    for (int i = 0; i < 3; ++i) {
        trainer->trainStep(data.view(indices), {.learning_rate = c.learning_rate, .iteration = i});
        evaluator->evaluateStep(data.view(indices));
        evaluator->predictStep(data.view(indices), predicted);
        if (i == 0) before = tests::support::allocations.load();
    }
    return tests::support::allocations.load() - before;
}

TEST(CpuExecutor, AllocatesNothingInAStep) {
    std::vector<ModelCase> cases = modelCases();
    for (const std::vector<ModelCase>& more : {largeCases(), allConvolutionCases()}) cases.insert(cases.end(), more.begin(), more.end());
    for (const ModelCase& c : cases) {
        EXPECT_EQ(allocationsOf(c, true, 3), 0) << c.name << ", fused";
        EXPECT_EQ(allocationsOf(c, false, 1), 0) << c.name << ", in single ops";
        ModelCase mixed = c;
        mixed.model.dtype_policy = "mixed_bfloat16";
        EXPECT_EQ(allocationsOf(mixed, true, 2), 0) << c.name << ", in mixed precision";
    }
}

// Allocations to make an executor of so many layers: Dense, and such within TimeDistributed.
std::int64_t allocationsToMake(std::int64_t layers, const std::string& policy) {
    std::vector<spec::LayerSpec> chain;
    for (std::int64_t i = 0; i < layers; ++i) {
        const std::string number = std::to_string(i);
        chain.push_back(tests::support::layer("Dense", "dense_of_each_time_" + number, {{"units", std::int64_t{4}}}));
        chain.push_back(tests::support::layer("TimeDistributed", "time_distributed_" + number,
                                              {{"layer", spec::ObjectBox({"Dense", {{"units", std::int64_t{4}}}})}}));
    }
    chain.push_back(tests::support::layer("Flatten", "flatten"));
    chain.push_back(tests::support::layer("Dense", "scores", {{"units", std::int64_t{10}}}));
    spec::RunSpec run;
    run.model = tests::support::model({3, 4}, std::move(chain));
    run.model.dtype_policy = policy;
    run.compile = compileWith(tests::support::rows::kAdam);
    const plan::Plan plan = plan::compile(run, {.batch = 4});
    Variables variables(plan);
    const std::int64_t before = tests::support::allocations.load();
    const auto executor = makeCpuExecutor(plan, variables, {.threads = 1});
    return tests::support::allocations.load() - before;
}

TEST(CpuExecutor, LaysGatesAndTheirGradientsWhereTheirProductsLay) {
    // True for the tensor of that name that lies where `other` does.
    const auto liesAs = [](const plan::Plan& plan, const std::string& name, const std::string& other) {
        const auto find = [&plan](const std::string& wanted) { return std::ranges::find(plan.tensors, wanted, &plan::TensorDesc::name); };
        const auto one = find(name), two = find(other);
        EXPECT_TRUE(one != plan.tensors.end() && two != plan.tensors.end()) << name << ", " << other;
        return one != plan.tensors.end() && two != plan.tensors.end() && one->offset_bytes == two->offset_bytes;
    };
    const auto planOf = [](const std::string& kind, const std::string& activation) {
        spec::RunSpec run;
        run.model =
            tests::support::model({4, 3}, {tests::support::layer(kind, "cell", {{"units", std::int64_t{5}}, {"activation", activation}}),
                                           tests::support::rows::dense("dense", 3, "linear")});
        run.compile = compileWith(tests::support::rows::kSgd);
        const plan::Plan plan = plan::compile(run, {.batch = 2});
        Variables variables(plan);
        return CpuExecutor(plan, variables, {.threads = 1}).plan();
    };
    const plan::Plan lstm = planOf("LSTM", "tanh");
    EXPECT_TRUE(liesAs(lstm, "cell:gates", "cell:bias_add"));
    EXPECT_TRUE(liesAs(lstm, "cell:bias_add:grad", "cell:gates"));
    const plan::Plan other = planOf("LSTM", "relu");  // its way back reads gates again
    EXPECT_TRUE(liesAs(other, "cell:gates", "cell:bias_add"));
    EXPECT_FALSE(liesAs(other, "cell:bias_add:grad", "cell:gates"));
    for (const auto& [kind, products] : {std::pair{"GRU", "cell:matmul"}, {"SimpleRNN", "cell:bias_add"}}) {
        const plan::Plan cell = planOf(kind, "tanh");
        EXPECT_TRUE(liesAs(cell, "cell:gates", products)) << kind;
        EXPECT_FALSE(liesAs(cell, products + std::string(":grad"), "cell:gates")) << kind;
    }
}

// An op that sees tensors in another way, items for samples or float32 for bfloat16, has no copy of all the others.
TEST(CpuExecutor, IsMadeAtACostThatGrowsAsTheLayersDo) {
    for (const char* policy : {"float32", "mixed_bfloat16"}) {
        const std::int64_t few = allocationsToMake(10, policy);
        ASSERT_GT(few, 10) << policy;
        EXPECT_LE(allocationsToMake(100, policy), 12 * few) << policy;
    }
}

TEST(CpuExecutor, PrintsTheKernelOfEachOp) {
    const ForcedIsa forced("portable");
    const ModelCase c{"tutorial", tutorialModel(), compileWith(tests::support::rows::kAdam)};
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = 64});
    Variables variables(plan);
    const auto executor = makeCpuExecutor(plan, variables, {.threads = 2});
    EXPECT_EQ(executor->describe(), "cpu (portable, 2 threads)");
    const std::string text = executor->planText();
    EXPECT_NE(text.find("{direct 3x3, pooled in registers}"), std::string::npos) << text;
    EXPECT_NE(text.find("{product by depth, 16 parts}"), std::string::npos) << text;
    EXPECT_NE(text.find("blocks of dx and dw, applied at once}"), std::string::npos) << text;
}

// Runs are of samples, also where an op takes each of their 16 frames for itself.
TEST(CpuExecutor, SumsAKernelsGradientOverNoMoreRunsThanThereAreSamples) {
    using tests::support::layer;
    const spec::ObjectSpec convolution{"Conv2D", {{"filters", std::int64_t{3}}, {"kernel_size", std::int64_t{3}}}};
    const ModelCase c{
        "frames",
        tests::support::model({16, 9, 8, 2}, {layer("TimeDistributed", "each", {{"layer", spec::ObjectBox(convolution)}}),
                                              layer("Flatten", "flatten"), tests::support::rows::dense("dense", 4, "linear")}),
        compileWith(tests::support::rows::kSgd), 4, 4};
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = 4});
    Variables variables(plan);
    const std::string text = makeCpuExecutor(plan, variables, {.threads = 2})->planText();
    EXPECT_NE(text.find("dkernel in 4 runs"), std::string::npos) << text;
}

TEST(CpuExecutor, TakesDenormalsForZeroAndLeavesTheCallerAlone) {
    volatile float tiny = 1e-39F;
    trained(2, 8, 1);
    EXPECT_GT(tiny * 0.5F, 0.0F);
}

std::string messageOf(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(CpuExecutor, NamesWhatIsWrongWithABatch) {
    const ModelCase c{"tutorial", tutorialModel(), compileWith(tests::support::rows::kAdam)};
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = 8});
    Variables variables(plan);
    const auto executor = makeCpuExecutor(plan, variables, {.threads = 2});
    const FakeData data(16, 784, 10, 1), narrow(16, 10, 10, 1), wild(16, 784, 250, 1);
    const std::vector<std::uint32_t> indices = firstIndices(8), many = firstIndices(9);
    EXPECT_EQ(messageOf([&] { executor->trainStep(data.view(many), {}); }), "batch: expected 8 samples at most, got 9");
    EXPECT_EQ(messageOf([&] { executor->trainStep(narrow.view(indices), {}); }), "batch: expected samples of 784 elements, got 10");
    EXPECT_NE(messageOf([&] { executor->trainStep(wild.view(indices), {}); }).find("expected a class from 0 to 9, got "),
              std::string::npos);
    EXPECT_EQ(messageOf([&] { executor->evaluateStep(data.view(indices)); }),
              "executor: expected a plan that runs forward only, got a training plan");
    // And it goes on.
    EXPECT_EQ(executor->trainStep(data.view(indices), {}).count, 8);
}

TEST(CpuExecutor, RefusesNumbersOfThreadsAndStripsThatNobodyCanHave) {
    const ModelCase c{"tutorial", tutorialModel(), compileWith(tests::support::rows::kAdam)};
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = 8});
    Variables variables(plan);
    EXPECT_EQ(messageOf([&] { makeCpuExecutor(plan, variables, {.threads = 0}); }), "executor: expected 1 thread or more, got 0");
    EXPECT_EQ(messageOf([&] { makeCpuExecutor(plan, variables, {.threads = 1, .strips = -1}); }),
              "executor: expected 0 strips or more, got -1");
}

TEST(CpuExecutor, ScalesEachElementOfASampleWhenAsked) {
    const ModelCase c{"tutorial", tutorialModel(), compileWith(tests::support::rows::kAdam)};
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = 8, .training = false});
    Variables variables(plan);
    initializeVariables(variables, c.model, 5);
    const auto executor = makeCpuExecutor(plan, variables, {.threads = 2});
    const FakeData data(8, 784, 10, 1);
    const std::vector<std::uint32_t> indices = firstIndices(8);
    tensor::BatchView view = data.view(indices);
    view.offset = -0.5F;
    std::vector<float> expected(80), output(80);
    executor->predictStep(view, expected);
    const std::vector<float> scales(784, view.scale), offsets(784, view.offset);
    view.scale = 7;
    view.scales = scales.data();
    view.offsets = offsets.data();
    executor->predictStep(view, output);
    EXPECT_TRUE(tests::support::isNear(output, expected, 1e-6));
}

TEST(CpuFeatures, RefusesUnknownWords) {
    const ForcedIsa forced("sse9");
    EXPECT_EQ(messageOf([] { chooseIsa(); }), "TANDEM_CPU: expected avx512, avx2 or portable, got sse9");
}

}  // namespace
}  // namespace engine::backend::cpu
