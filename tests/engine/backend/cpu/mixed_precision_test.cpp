// mixed_bfloat16 on the processor against the reference, and the kernels that it is made of.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/backend/cpu/cpu_features.h"
#include "engine/backend/cpu/kernel_table.h"
#include "engine/backend/executor.h"
#include "engine/plan/compile.h"
#include "engine/tensor/bfloat16.h"
#include "tests/support/forced_isa.h"
#include "tests/support/image_cases.h"
#include "tests/support/model_builder.h"
#include "tests/support/model_cases.h"
#include "tests/support/piecewise.h"

namespace engine::backend::cpu {
namespace {

using tensor::fromBfloat16;
using tensor::toBfloat16;
using ::testing::HasSubstr;
using ::testing::Not;
using tests::support::compileWith;
using tests::support::FakeData;
using tests::support::ForcedIsa;
using tests::support::layer;
using tests::support::makeStripwiseExecutor;
using tests::support::ModelCase;
using tests::support::tutorialModel;
using tests::support::wordOf;
namespace rows = tests::support::rows;

std::vector<Isa> supportedSets() {
    std::vector<Isa> sets;
    for (Isa isa : {Isa::kPortable, Isa::kAvx2, Isa::kAvx512}) {
        if (isa <= supportedIsa()) sets.push_back(isa);
    }
    return sets;
}

std::vector<float> someValues(std::size_t count, std::uint64_t seed) {
    const tensor::RandomStream stream({.seed = seed, .purpose = tensor::RandomPurpose::kAugmentation});
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = stream.normal(0, i);
    return values;
}

TEST(Bfloat16Kernels, RoundAsTheDefinitionDoes) {
    std::vector<float> values = someValues(1000, 1);
    for (std::uint32_t bits : {0x0000'0000U, 0x8000'0000U, 0x3F80'8000U, 0x3F81'8000U, 0x7F7F'FFFFU, 0x7F80'0000U, 0xFF80'0000U,
                               0x7F80'0001U, 0x7FC0'0000U, 0xFFFF'FFFFU, 0x0001'8000U, 0x0000'8000U}) {
        values.push_back(std::bit_cast<float>(bits));
    }
    for (Isa isa : supportedSets()) {
        const KernelTable& kernels = kernelTable(isa);
        for (std::size_t skipped : {0, 1, 3, 11}) {
            const std::size_t count = values.size() - skipped;
            std::vector<std::uint16_t> halves(count + 1, 0xABCD);
            kernels.narrow(values.data() + skipped, static_cast<std::int64_t>(count), halves.data());
            for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(halves[i], toBfloat16(values[skipped + i])) << toString(isa) << " " << i;
            EXPECT_EQ(halves[count], 0xABCD);
            std::vector<float> wide(count + 1, 5);
            kernels.widen(halves.data(), static_cast<std::int64_t>(count), wide.data());
            for (std::size_t i = 0; i < count; ++i) {
                EXPECT_EQ(std::bit_cast<std::uint32_t>(wide[i]), std::bit_cast<std::uint32_t>(fromBfloat16(halves[i])));
            }
            EXPECT_EQ(wide[count], 5);
        }
    }
}

TEST(Bfloat16Kernels, PairTwoRows) {
    const std::vector<float> low = someValues(37, 2), high = someValues(37, 3);
    const auto count = static_cast<std::int64_t>(low.size());
    for (Isa isa : supportedSets()) {
        const KernelTable& kernels = kernelTable(isa);
        std::vector<std::uint16_t> a(low.size()), b(low.size());
        kernels.narrow(low.data(), count, a.data());
        kernels.narrow(high.data(), count, b.data());
        std::vector<float> of_halves(low.size()), of_floats(low.size()), alone(low.size());
        kernels.pairRows(a.data(), b.data(), count, of_halves.data());
        kernels.narrowPairs(low.data(), high.data(), count, of_floats.data());
        kernels.narrowPairs(low.data(), nullptr, count, alone.data());
        for (std::size_t i = 0; i < low.size(); ++i) {
            const std::uint32_t expected = std::uint32_t{toBfloat16(high[i])} << 16 | toBfloat16(low[i]);
            EXPECT_EQ(std::bit_cast<std::uint32_t>(of_halves[i]), expected) << toString(isa);
            EXPECT_EQ(std::bit_cast<std::uint32_t>(of_floats[i]), expected) << toString(isa);
            EXPECT_EQ(std::bit_cast<std::uint32_t>(alone[i]), expected & 0xFFFF) << toString(isa);
        }
    }
}

TEST(Bfloat16Kernels, MultiplyPairs) {
    const PairProducts* products = pairProducts(supportedIsa());
    if (products == nullptr) GTEST_SKIP() << "this processor has no AVX-512 BF16";
    for (std::int64_t columns : {1, 16, 37, 64, 70}) {
        constexpr std::int64_t kRows = 13, kCount = 9;  // pairs
        const std::vector<float> a = someValues(kRows * kCount * 2, 4), b = someValues(static_cast<std::size_t>(kCount * 2 * columns), 5);
        const KernelTable& kernels = kernelTable(supportedIsa());
        std::vector<std::uint16_t> low_a(a.size());
        kernels.narrow(a.data(), static_cast<std::int64_t>(a.size()), low_a.data());
        std::vector<float> paired_b(static_cast<std::size_t>(kCount * columns));
        for (std::int64_t k = 0; k < kCount; ++k) {
            kernels.narrowPairs(b.data() + 2 * k * columns, b.data() + (2 * k + 1) * columns, columns, paired_b.data() + k * columns);
        }
        std::vector<float> c(static_cast<std::size_t>(kRows * columns));
        products->product({.a = reinterpret_cast<const float*>(low_a.data()),
                           .a_row = kCount,
                           .b = paired_b.data(),
                           .b_row = columns,
                           .c = c.data(),
                           .c_row = columns,
                           .rows = kRows,
                           .columns = columns,
                           .count = kCount});
        for (std::int64_t r = 0; r < kRows; ++r) {
            for (std::int64_t j = 0; j < columns; ++j) {
                double sum = 0;
                for (std::int64_t k = 0; k < 2 * kCount; ++k) {
                    sum += static_cast<double>(fromBfloat16(toBfloat16(a[static_cast<std::size_t>(r * 2 * kCount + k)]))) *
                           fromBfloat16(toBfloat16(b[static_cast<std::size_t>(k * columns + j)]));
                }
                EXPECT_NEAR(c[static_cast<std::size_t>(r * columns + j)], sum, 1e-4);
            }
        }
    }
}

// What a model's weights changed by in some steps, as one list; all layers in mixed_bfloat16 unless the case says more.
struct Training {
    std::vector<float> before, after;
    double loss_sum = 0;
    std::string plan_text, description;
};

enum class Policy { kFloat32, kMixed };

Training train(ModelCase c, Policy policy, const tests::support::ExecutorFactory& make, int threads, int steps, bool fuse = true) {
    if (policy == Policy::kMixed) c.model.dtype_policy = "mixed_bfloat16";
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = c.batch, .fuse = fuse});
    const plan::Plan forward = plan::compile(tests::support::runOf(c), {.batch = c.batch, .training = false});
    Variables variables(plan);
    initializeVariables(variables, c.model, 7);
    const auto executor = make(plan, variables, {.threads = threads});
    const auto values = [&variables] {
        std::vector<float> all;
        for (const Variables::Entry& entry : variables.entries()) {
            if (!entry.is_slot) all.insert(all.end(), entry.values.begin(), entry.values.end());
        }
        return all;
    };
    Training training{.before = values(), .plan_text = executor->planText(), .description = executor->describe()};
    std::int64_t elements = 1;
    for (std::int64_t size : c.model.input_shape) elements *= size;
    const FakeData data(64, elements, forward.tensors[static_cast<std::size_t>(forward.output)].shape.back(), 3);
    std::vector<std::uint32_t> indices(static_cast<std::size_t>(c.samples));
    for (int step = 0; step < steps; ++step) {
        for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::uint32_t>((step * 7 + i * 5) % 64);
        const StepResult result =
            executor->trainStep(data.view(indices), {.learning_rate = c.learning_rate, .iteration = step, .seed = 11, .epoch = 2});
        training.loss_sum = result.loss_sum;
    }
    training.after = values();
    return training;
}

// |change - expected change| / |expected change|.
double distance(const Training& actual, const Training& expected) {
    double error = 0, size = 1e-12;
    for (std::size_t i = 0; i < expected.after.size(); ++i) {
        const double change = static_cast<double>(expected.after[i]) - expected.before[i];
        error += std::pow(static_cast<double>(actual.after[i]) - expected.after[i], 2);
        size += change * change;
    }
    return std::sqrt(error / size);
}

std::vector<ModelCase> mixedCases() {
    std::vector<ModelCase> cases = tests::support::modelCases();
    // Products of pairs in every way: even sizes, bands, runs of samples of odd length, panels with parts of vectors.
    cases.push_back({"WideConvolutions",
                     tests::support::model({20, 18, 3}, {rows::conv("conv2d", 24, 3, rows::kRelu), layer("MaxPooling2D", "pool"),
                                                         rows::conv("conv2d_1", 70, 3, {{"padding", rows::s("same")}}),
                                                         rows::conv("conv2d_2", 18, 3, rows::kRelu), layer("MaxPooling2D", "pool_1"),
                                                         layer("Flatten", "flatten"), rows::dense("dense", 100, "relu"),
                                                         rows::dense("dense_1", 6, "linear")}),
                     compileWith(rows::kSgd), 21, 21});
    cases.push_back({"DeepDense", tests::support::model({2310}, {rows::dense("dense", 38, "relu"), rows::dense("dense_1", 10, "linear")}),
                     compileWith(rows::kSgd), 19, 19});
    cases.push_back({"WideDense", tests::support::model({1100}, {rows::dense("dense", 300, "relu"), rows::dense("dense_1", 10, "linear")}),
                     compileWith(rows::kSgd), 33, 33});
    cases.push_back({"StridedEvenChannels",
                     tests::support::model({11, 12, 4}, {rows::conv("conv2d", 6, 3, {{"strides", rows::n(2)}, {"groups", rows::n(2)}}),
                                                         rows::conv("conv2d_1", 8, 2, {{"dilation_rate", rows::n(2)}}),
                                                         layer("Flatten", "flatten"), rows::dense("dense", 4, "linear")}),
                     compileWith(rows::kSgd), 7, 5});
    // Adam turns the least difference of a small gradient into a whole step.
    for (ModelCase& c : cases) {
        c.compile.optimizer = rows::kSgd;
        c.learning_rate = 0.05F;
    }
    return cases;
}

class MixedPrecisionOnCpu : public testing::TestWithParam<std::pair<Isa, int>> {};

// The same plan, the same roundings; sums in another order now and then round to a neighbour, and a maximum that moves so is a percent or
// two.
TEST_P(MixedPrecisionOnCpu, TrainsLikeReference) {
    const auto [isa, threads] = GetParam();
    if (isa > supportedIsa()) GTEST_SKIP() << "this processor has no " << toString(isa);
    const ForcedIsa forced(wordOf(isa));
    for (const ModelCase& c : mixedCases()) {
        SCOPED_TRACE(c.name);
        for (bool fuse : {true, false}) {
            if (!fuse && isa != Isa::kAvx512) continue;
            const Training expected = train(c, Policy::kMixed, makeReferenceExecutor, 1, 2, fuse);
            const Training actual = train(c, Policy::kMixed, makeCpuExecutor, threads, 2, fuse);
            EXPECT_LT(distance(actual, expected), 0.03) << (fuse ? "fused" : "plain");
            EXPECT_NEAR(actual.loss_sum, expected.loss_sum, 0.01 * std::max(1.0, std::abs(expected.loss_sum)));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, MixedPrecisionOnCpu,
                         testing::Values(std::pair(Isa::kPortable, 1), std::pair(Isa::kAvx2, 2), std::pair(Isa::kAvx512, 1),
                                         std::pair(Isa::kAvx512, 3)),
                         [](const auto& of) { return std::string(wordOf(of.param.first)) + std::to_string(of.param.second); });

// Layers of images, sequences and volumes.
TEST(MixedPrecision, TrainsLayersOfImagesLikeReference) {
    for (ModelCase c : tests::support::imageCases()) {
        SCOPED_TRACE(c.name);
        c.compile.optimizer = rows::kSgd;
        const Training expected = train(c, Policy::kMixed, makeReferenceExecutor, 1, 2),
                       actual = train(c, Policy::kMixed, makeCpuExecutor, 2, 2);
        EXPECT_LT(distance(actual, expected), 0.05);
        EXPECT_NEAR(actual.loss_sum, expected.loss_sum, 0.02 * std::max(1.0, std::abs(expected.loss_sum)));
    }
}

// Near what float32 makes, and not the same.
TEST(MixedPrecision, StaysNearFloat32) {
    const ModelCase c{"tutorial", tutorialModel(), compileWith(rows::kSgd), 32, 32, 0.05F};
    const Training wide = train(c, Policy::kFloat32, makeCpuExecutor, 1, 5), low = train(c, Policy::kMixed, makeCpuExecutor, 1, 5);
    EXPECT_LT(distance(low, wide), 0.15);
    EXPECT_GT(distance(low, wide), 1e-4);
}

TEST(MixedPrecision, IsTheSameWithAnyNumberOfThreads) {
    const ModelCase c{"tutorial", tutorialModel(), compileWith(rows::kAdam), 32, 32, 0.001F};
    const Training one = train(c, Policy::kMixed, makeCpuExecutor, 1, 4);
    EXPECT_EQ(train(c, Policy::kMixed, makeCpuExecutor, 2, 4).after, one.after);
    EXPECT_EQ(train(c, Policy::kMixed, makeCpuExecutor, 3, 4).after, one.after);
    EXPECT_EQ(train(c, Policy::kMixed, makeStripwiseExecutor, 2, 4).after, one.after);
}

TEST(MixedPrecision, IsTheSameInStripsOnEveryModelOfTheTable) {
    for (const ModelCase& c : mixedCases()) {
        EXPECT_EQ(train(c, Policy::kMixed, makeStripwiseExecutor, 2, 2).after, train(c, Policy::kMixed, makeCpuExecutor, 2, 2).after)
            << c.name;
    }
}

TEST(MixedPrecision, NamesWhatComputesInWhichType) {
    const ModelCase c{"tutorial", tutorialModel(), compileWith(rows::kSgd), 32, 32};
    const Training chosen = train(c, Policy::kMixed, makeCpuExecutor, 1, 1);
    EXPECT_THAT(chosen.plan_text, HasSubstr("pooled in registers, in float32}"));
    if (pairProducts(chooseIsa()) != nullptr) {
        EXPECT_THAT(chosen.plan_text, HasSubstr(", products of bfloat16}"));
        EXPECT_THAT(chosen.description, HasSubstr("mixed_bfloat16: 4 of 6 products in bfloat16, the others in float32 on rounded values"));
    }
    const ForcedIsa forced("portable");
    const Training portable = train(c, Policy::kMixed, makeCpuExecutor, 1, 1);
    EXPECT_THAT(portable.plan_text, Not(HasSubstr("products of bfloat16")));
    EXPECT_THAT(portable.description, HasSubstr("mixed_bfloat16: 0 of 6 products in bfloat16"));
    EXPECT_THAT(train(c, Policy::kFloat32, makeCpuExecutor, 1, 1).description, Not(HasSubstr("bfloat16")));
}

}  // namespace
}  // namespace engine::backend::cpu
