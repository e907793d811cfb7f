#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/executor.h"
#include "engine/backend/initialize.h"
#include "engine/plan/compile.h"
#include "engine/plan/lower.h"
#include "engine/plan/passes/passes.h"
#include "engine/spec/error.h"
#include "tests/support/model_builder.h"
#include "tests/support/model_cases.h"
#include "tests/support/near.h"
#include "tests/support/spawn_ranks.h"

namespace engine::backend {
namespace {

using tests::support::compileWith;
using tests::support::expectTrainsLikeReference;
using tests::support::FakeData;
using tests::support::isNear;
using tests::support::ModelCase;
using tests::support::modelCases;

// Stands for a group of replicas that all have this replica's batch.
class EchoCollective final : public distribute::Collective {
public:
    explicit EchoCollective(int size) : size_(size) {}
    int rank() const override { return 0; }
    int size() const override { return size_; }
    std::span<std::byte> allocateRegion(std::size_t bytes) override {
        region_.resize(bytes);
        return region_;
    }
    void allReduceSum(std::span<float> data) override {
        reduced_bytes.push_back(data.size_bytes());
        for (float& value : data) value *= static_cast<float>(size_);
    }
    std::uint64_t startAllReduceSum(std::span<float> data) override {
        allReduceSum(data);
        return reduced_bytes.size();
    }
    void wait(std::uint64_t) override {}
    void broadcast(std::span<std::byte>, int) override {}
    void allGather(std::span<const std::byte> mine, std::span<std::byte> all) override {
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = mine[i % mine.size()];
    }
    void barrier() override {}
    std::string describe() const override { return "echo"; }

    std::vector<std::size_t> reduced_bytes;

private:
    int size_;
    std::vector<std::byte> region_;
};

spec::RunSpec smallRun() {
    return tests::support::runOf({"small",
                                  tests::support::model({6}, {tests::support::layer("Dense", "dense", {{"units", std::int64_t{3}}})}),
                                  compileWith({"SGD", {}})});
}

TEST(ReferenceExecutor, LearnsWhatItIsShown) {
    const spec::RunSpec run = smallRun();
    const plan::Plan plan = plan::compile(run, {.batch = 4});
    Variables variables(plan);
    initializeVariables(variables, run.model, 1);
    const auto executor = makeReferenceExecutor(plan, variables, {});
    const FakeData data(4, 6, 3, 1);
    const std::vector<std::uint32_t> indices{0, 1, 2, 3};
    const double first = executor->trainStep(data.view(indices), {.learning_rate = 0.5F}).loss_sum;
    StepResult last;
    for (int step = 1; step < 300; ++step) last = executor->trainStep(data.view(indices), {.learning_rate = 0.5F, .iteration = step});
    EXPECT_LT(last.loss_sum, 0.2 * first);
    EXPECT_EQ(last.count, 4);
}

class ReferencePlans : public ::testing::TestWithParam<ModelCase> {};

TEST_P(ReferencePlans, FusedIsUnfused) {
    expectTrainsLikeReference(GetParam(), makeReferenceExecutor, {.fuse = true, .tolerance = 1e-6});
}
TEST_P(ReferencePlans, FusedWithSeparateUpdateIsUnfused) {
    expectTrainsLikeReference(GetParam(), makeReferenceExecutor, {.fuse = true, .fuse_updates_into_gradients = false, .tolerance = 1e-6});
}
INSTANTIATE_TEST_SUITE_P(Models, ReferencePlans, ::testing::ValuesIn(modelCases()), [](const auto& param) { return param.param.name; });

// Each replica clips the gradient of its own part before they are summed, as in Keras: parts of a batch train differently. Where gradients
// are accumulated their sum is clipped.
bool clips(const ModelCase& c) {
    const spec::Fields& settings = c.compile.optimizer.config;
    const auto has = [&](const char* field) { return settings.find(field) != nullptr; };
    return !has("gradient_accumulation_steps") && (has("clipnorm") || has("global_clipnorm") || has("clipvalue"));
}

TEST(ReferenceExecutor, ReplicasWithTheSameBatchTrainLikeOne) {
    for (const ModelCase& c : modelCases()) {
        if (clips(c)) continue;
        SCOPED_TRACE(c.name);
        constexpr int kReplicas = 4;  // powers of two keep the sums exact
        spec::RunSpec run = tests::support::runOf(c);
        run.strategy.bytes_per_pack = 256;
        const plan::Plan alone = plan::compile(run, {.batch = c.batch});
        const plan::Plan together = plan::compile(run, {.batch = c.batch, .replicas = kReplicas});
        ASSERT_FALSE(together.buckets.empty());
        EchoCollective group(kReplicas);
        Variables expected(alone), actual(together);
        initializeVariables(expected, c.model, 3);
        initializeVariables(actual, c.model, 3);
        const auto one = makeReferenceExecutor(alone, expected, {});
        const auto many = makeReferenceExecutor(
            together, actual, {.collective = &group, .region = group.allocateRegion(static_cast<std::size_t>(together.shared_bytes))});
        std::int64_t elements = 1;
        for (std::int64_t size : c.model.input_shape) elements *= size;
        const FakeData data(32, elements, 3, 1);
        std::vector<std::uint32_t> indices(static_cast<std::size_t>(c.samples));
        for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::uint32_t>(i);
        for (int step = 0; step < 3; ++step) {
            const StepControl control{.learning_rate = 0.01F, .iteration = step};
            const StepResult a = one->trainStep(data.view(indices), control);
            const StepResult b = many->trainStep(data.view(indices), control);
            EXPECT_NEAR(b.loss_sum, kReplicas * a.loss_sum, 1e-5 * b.loss_sum);
            EXPECT_EQ(b.correct, kReplicas * a.correct);
            EXPECT_EQ(b.count, kReplicas * a.count);
        }
        EXPECT_EQ(group.reduced_bytes.size(), 3 * together.buckets.size());
        for (const Variables::Entry& entry : expected.entries())
            EXPECT_TRUE(isNear(actual.values(entry.name), entry.values, 1e-5)) << entry.name;
    }
}

// Trains for some steps; rank r of n has the r-th part of `indices`. Returns the variables of rank 0.
std::vector<std::vector<float>> trainTogether(const ModelCase& c, const std::vector<std::vector<std::uint32_t>>& parts, int steps) {
    std::int64_t elements = 1;
    for (std::int64_t size : c.model.input_shape) elements *= size;
    const FakeData data(64, elements, 3, 1);
    std::vector<std::vector<float>> result;
    tests::support::spawnRanks(static_cast<int>(parts.size()), [&](distribute::Collective& group) {
        const std::vector<std::uint32_t>& mine = parts[static_cast<std::size_t>(group.rank())];
        const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = 64, .replicas = group.size()});
        Variables variables(plan);
        initializeVariables(variables, c.model, 3);
        ExecutorOptions options;
        if (group.size() > 1) {
            options.collective = &group;
            options.region = group.allocateRegion(static_cast<std::size_t>(plan.shared_bytes));
        }
        const auto executor = makeReferenceExecutor(plan, variables, options);
        for (int step = 0; step < steps; ++step) {
            executor->trainStep(data.view(mine), {.learning_rate = c.learning_rate, .iteration = step, .seed = 4});
        }
        if (group.rank() != 0) return;
        for (const Variables::Entry& entry : variables.entries()) result.emplace_back(entry.values.begin(), entry.values.end());
    });
    return result;
}

std::vector<std::uint32_t> range(std::uint32_t begin, std::uint32_t end) {
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = begin; i < end; ++i) indices.push_back(i);
    return indices;
}

TEST_P(ReferencePlans, WorkersWithPartsOfABatchTrainLikeOneWithAll) {
    if (GetParam().samples_meet) GTEST_SKIP() << "each worker has statistics of its own batch";
    if (clips(GetParam())) GTEST_SKIP() << "each worker clips its own gradients";
    constexpr int kSteps = 5;
    const auto one = trainTogether(GetParam(), {range(0, 12)}, kSteps);
    const auto two = trainTogether(GetParam(), {range(0, 6), range(6, 12)}, kSteps);
    const auto three = trainTogether(GetParam(), {range(0, 4), range(4, 8), range(8, 12)}, kSteps);
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_TRUE(isNear(two[i], one[i], 1e-5)) << i;
        EXPECT_TRUE(isNear(three[i], one[i], 1e-5)) << i;
    }
}

TEST(ReferenceExecutor, EveryReplicaWeighsTheSameWhateverItHas) {
    ModelCase c = modelCases().front();
    c.learning_rate = 1;
    const auto start = trainTogether(c, {{}}, 1);  // an empty batch changes nothing
    const auto first = trainTogether(c, {range(0, 3)}, 1), second = trainTogether(c, {range(3, 4)}, 1);
    const auto uneven = trainTogether(c, {range(0, 3), range(3, 4)}, 1), lonely = trainTogether(c, {range(0, 3), {}}, 1);
    for (std::size_t i = 0; i < start.size(); ++i) {
        for (std::size_t k = 0; k < start[i].size(); ++k) {
            const float step_of_first = first[i][k] - start[i][k], step_of_second = second[i][k] - start[i][k];
            EXPECT_NEAR(uneven[i][k] - start[i][k], (step_of_first + step_of_second) / 2, 1e-6);
            EXPECT_NEAR(lonely[i][k] - start[i][k], step_of_first / 2, 1e-6);
        }
    }
}

TEST(ReferenceExecutor, CarriesTheControlWordsOfTheHeader) {
    const spec::RunSpec run = smallRun();
    const plan::Plan plan = plan::compile(run, {.batch = 4, .replicas = 1});
    Variables variables(plan);
    const auto executor = makeReferenceExecutor(plan, variables, {});
    const FakeData data(4, 6, 3, 1);
    const std::vector<std::uint32_t> indices{0};
    const StepResult result = executor->trainStep(data.view(indices), {.control = 3, .control_value = 0.25F});
    EXPECT_EQ(result.control, 3);
    EXPECT_EQ(result.control_value, 0.25F);
}

TEST(ReferenceExecutor, DividesTheGradientByTheSamplesThatAreThere) {
    // Two samples in a plan of eight give the step of two samples in a plan of two.
    const spec::RunSpec run = smallRun();
    const FakeData data(4, 6, 3, 1);
    const std::vector<std::uint32_t> indices{2, 3};
    std::vector<std::vector<float>> kernels;
    for (std::int64_t batch : {8, 2}) {
        const plan::Plan plan = plan::compile(run, {.batch = batch});
        Variables variables(plan);
        initializeVariables(variables, run.model, 1);
        makeReferenceExecutor(plan, variables, {})->trainStep(data.view(indices), {.learning_rate = 1});
        const std::span<const float> kernel = variables.values("dense/kernel");
        kernels.emplace_back(kernel.begin(), kernel.end());
    }
    EXPECT_EQ(kernels[0], kernels[1]);
}

TEST(ReferenceExecutor, ReadsEveryKindOfSampleAndLabel) {
    const spec::RunSpec run = smallRun();
    const plan::Plan plan = plan::compile(run, {.batch = 1, .training = false});
    Variables variables(plan);
    initializeVariables(variables, run.model, 1);
    const auto executor = makeReferenceExecutor(plan, variables, {});
    const std::vector<std::uint32_t> indices{1};
    const std::vector<std::uint8_t> bytes{9, 9, 9, 9, 9, 9, 0, 1, 2, 3, 4, 5};
    std::vector<float> expected(3);
    tensor::BatchView view{
        .samples = reinterpret_cast<const std::byte*>(bytes.data()), .sample_elements = 6, .scale = 0.5F, .offset = -1, .indices = indices};
    executor->predictStep(view, expected);

    auto predictFrom = [&](const auto& values, tensor::DType type) {
        std::vector<float> output(3);
        view.samples = reinterpret_cast<const std::byte*>(values.data());
        view.sample_dtype = type;
        executor->predictStep(view, output);
        return output;
    };
    EXPECT_EQ(predictFrom(std::vector<float>(bytes.begin(), bytes.end()), tensor::DType::kFloat32), expected);
    EXPECT_EQ(predictFrom(std::vector<std::int32_t>(bytes.begin(), bytes.end()), tensor::DType::kInt32), expected);
    EXPECT_EQ(predictFrom(std::vector<std::int64_t>(bytes.begin(), bytes.end()), tensor::DType::kInt64), expected);
    const std::vector<std::uint16_t> bfloat16{0, 0, 0, 0, 0, 0, 0x0000, 0x3F80, 0x4000, 0x4040, 0x4080, 0x40A0};  // 0 1 2 3 4 5
    EXPECT_EQ(predictFrom(bfloat16, tensor::DType::kBFloat16), expected);

    const std::vector<float> scales(6, 0.5F), offsets(6, -1);
    view.scale = 7;
    view.scales = scales.data();
    view.offsets = offsets.data();
    EXPECT_EQ(predictFrom(bytes, tensor::DType::kUInt8), expected);
    EXPECT_EQ(predictFrom(std::vector<float>(bytes.begin(), bytes.end()), tensor::DType::kFloat32), expected);
    view.scale = 0.5F;
    view.scales = nullptr;

    view.samples = reinterpret_cast<const std::byte*>(bytes.data());
    view.sample_dtype = tensor::DType::kUInt8;
    const std::vector<std::int64_t> labels{0, 2};
    view.labels = reinterpret_cast<const std::byte*>(labels.data());
    view.label_dtype = tensor::DType::kInt64;
    EXPECT_NEAR(executor->evaluateStep(view).loss_sum,
                std::log(std::exp(expected[0]) + std::exp(expected[1]) + std::exp(expected[2])) - expected[2], 1e-5);
}

template <typename Function>
std::pair<ErrorCode, std::string> errorOf(Function&& function) {
    try {
        function();
    } catch (const Error& error) {
        return {error.code(), error.what()};
    }
    return {ErrorCode::kInternal, "no error"};
}

TEST(ReferenceExecutor, RefusesBatchesThatThePlanCannotTake) {
    const spec::RunSpec run = smallRun();
    const plan::Plan plan = plan::compile(run, {.batch = 2});
    Variables variables(plan);
    const auto executor = makeReferenceExecutor(plan, variables, {});
    const FakeData data(8, 6, 3, 1);
    const std::vector<std::uint32_t> three{0, 1, 2}, one{1};
    EXPECT_EQ(errorOf([&] { executor->trainStep(data.view(three), {}); }),
              std::make_pair(ErrorCode::kInvalidArgument, std::string("batch: expected 2 samples at most, got 3")));

    tensor::BatchView wrong = data.view(one);
    wrong.sample_elements = 5;
    EXPECT_EQ(errorOf([&] { executor->trainStep(wrong, {}); }),
              std::make_pair(ErrorCode::kInvalidArgument, std::string("batch: expected samples of 6 elements, got 5")));

    const std::vector<std::uint8_t> labels{0, 3};
    wrong = data.view(one);
    wrong.labels = reinterpret_cast<const std::byte*>(labels.data());
    EXPECT_EQ(errorOf([&] { executor->trainStep(wrong, {}); }),
              std::make_pair(ErrorCode::kOutOfRange, std::string("label of sample 1: expected a class from 0 to 2, got 3")));

    EXPECT_EQ(errorOf([&] { executor->evaluateStep(data.view(one)); }).first, ErrorCode::kFailedPrecondition);
}

TEST(ReferenceExecutor, NeedsACollectiveForSeveralReplicas) {
    const plan::Plan plan = plan::compile(smallRun(), {.batch = 2, .replicas = 2});
    Variables variables(plan);
    EXPECT_EQ(errorOf([&] { makeReferenceExecutor(plan, variables, {}); }).first, ErrorCode::kInvalidArgument);
}

TEST(ReferenceExecutor, DropoutDoesNotDependOnThePlaceInTheBatch) {
    spec::RunSpec run = smallRun();
    run.model.layers.insert(run.model.layers.begin(), tests::support::layer("Dropout", "dropout", {{"rate", 0.5}}));
    const FakeData data(8, 6, 3, 1);
    auto lossOf = [&](std::vector<std::uint32_t> indices, StepControl control) {
        const plan::Plan plan = plan::compile(run, {.batch = 4});
        Variables variables(plan);
        initializeVariables(variables, run.model, 1);
        control.learning_rate = 0;
        return makeReferenceExecutor(plan, variables, {})->trainStep(data.view(indices), control).loss_sum;
    };
    EXPECT_NEAR(lossOf({0, 1, 2, 3}, {.seed = 1}), lossOf({1, 0}, {.seed = 1}) + lossOf({3, 2}, {.seed = 1}), 1e-5);
    EXPECT_NE(lossOf({0, 1, 2, 3}, {.seed = 1}), lossOf({0, 1, 2, 3}, {.seed = 2}));
    EXPECT_NE(lossOf({0, 1, 2, 3}, {.seed = 1}), lossOf({0, 1, 2, 3}, {.iteration = 1, .seed = 1}));
    EXPECT_NE(lossOf({0, 1, 2, 3}, {.seed = 1}), lossOf({0, 1, 2, 3}, {.seed = 1, .epoch = 1}));
}

// A batch that was staged elsewhere, as mixed and decoded ones are, drops the units that its samples drop in their set.
TEST(ReferenceExecutor, DropoutGoesByTheNumbersOfStagedSamples) {
    spec::RunSpec run = smallRun();
    run.model.layers.insert(run.model.layers.begin(), tests::support::layer("Dropout", "dropout", {{"rate", 0.5}}));
    const plan::Plan plan = plan::compile(run, {.batch = 4});
    const FakeData data(8, 6, 3, 1);
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
        return makeReferenceExecutor(plan, variables, {})->trainStep(batch, {.learning_rate = 0.01F, .seed = 3}).loss_sum;
    };
    const double expected = lossOf(whole);
    EXPECT_NE(lossOf(staged), expected) << "by their places in the batch";
    staged.numbers = in_set;
    EXPECT_EQ(lossOf(staged), expected);
}

}  // namespace
}  // namespace engine::backend
