#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/cpu/cpu_executor.h"
#include "engine/backend/cpu/cpu_features.h"
#include "engine/backend/executor.h"
#include "engine/plan/compile.h"
#include "engine/spec/error.h"
#include "tests/support/model_builder.h"
#include "tests/support/model_cases.h"

namespace {

std::atomic<std::int64_t> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    const std::size_t rounded = (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
    if (void* memory = std::aligned_alloc(alignment, rounded)) return memory;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) {
    return counted(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace engine::backend::cpu {
namespace {

using tests::support::compileWith;
using tests::support::expectTrainsLikeReference;
using tests::support::FakeData;
using tests::support::ModelCase;
using tests::support::modelCases;
using tests::support::tutorialModel;

// Sets TANDEM_CPU for a scope.
class ForcedIsa {
public:
    explicit ForcedIsa(const std::string& word) {
        if (const char* before = std::getenv("TANDEM_CPU")) before_ = before;
        setenv("TANDEM_CPU", word.c_str(), 1);
    }
    ~ForcedIsa() {
        if (before_) {
            setenv("TANDEM_CPU", before_->c_str(), 1);
        } else {
            unsetenv("TANDEM_CPU");
        }
    }
    ForcedIsa(const ForcedIsa&) = delete;
    ForcedIsa& operator=(const ForcedIsa&) = delete;

private:
    std::optional<std::string> before_;
};

const char* wordOf(Isa isa) {
    return isa == Isa::kAvx512 ? "avx512" : isa == Isa::kAvx2 ? "avx2" : "portable";
}

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
                         [](const testing::TestParamInfo<Setting>& of) {
                             return std::string(wordOf(of.param.isa)) + std::to_string(of.param.threads) +
                                    (of.param.fuse ? "Fused" : "Plain") + (of.param.apply ? "Applied" : "");
                         });

TEST(CpuExecutor, GivesTheSameBytesForAnyNumberOfThreads) {
    const std::vector<float> one = trained(1, 24, 6);
    for (int threads : {1, 2, 3, 5}) {
        const std::vector<float> several = trained(threads, 24, 6);
        ASSERT_EQ(several.size(), one.size());
        EXPECT_EQ(std::memcmp(several.data(), one.data(), one.size() * sizeof(float)), 0) << threads << " threads";
    }
}

TEST(CpuExecutor, AllocatesNothingInAStep) {
    for (bool training : {true, false}) {
        const ModelCase c{"tutorial", tutorialModel(), compileWith(tests::support::rows::kAdam), 16, 16, 0.001F};
        const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = 16, .training = training});
        Variables variables(plan);
        initializeVariables(variables, c.model, 1);
        const auto executor = makeCpuExecutor(plan, variables, {.threads = 3});
        const FakeData data(16, 784, 10, 1);
        const std::vector<std::uint32_t> indices = firstIndices(16);
        const auto step = [&] {
            if (training) {
                executor->trainStep(data.view(indices), {});
            } else {
                executor->evaluateStep(data.view(indices));
            }
        };
        step();
        const std::int64_t before = allocations.load();
        for (int i = 0; i < 5; ++i) step();
        EXPECT_EQ(allocations.load(), before) << (training ? "training" : "evaluation");
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

TEST(CpuFeatures, RefusesUnknownWords) {
    const ForcedIsa forced("sse9");
    EXPECT_EQ(messageOf([] { chooseIsa(); }), "TANDEM_CPU: expected avx512, avx2 or portable, got sse9");
}

}  // namespace
}  // namespace engine::backend::cpu
