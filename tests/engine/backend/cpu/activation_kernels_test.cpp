// The elementary functions of the kernels, on every instruction set that this processor has, against the C++ library in double.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/cpu/kernel_table.h"
#include "engine/backend/executor.h"
#include "engine/backend/initialize.h"
#include "engine/plan/compile.h"
#include "tests/support/model_builder.h"

namespace engine::backend::cpu {
namespace {

using plan::Activation;

std::vector<const KernelTable*> tables() {
    std::vector<const KernelTable*> all;
    for (const Isa isa : {Isa::kPortable, Isa::kAvx2, Isa::kAvx512}) {
        if (isa <= supportedIsa()) all.push_back(&kernelTable(isa));
    }
    return all;
}

std::vector<float> apply(const KernelTable& kernels, Activation function, const std::vector<float>& x) {
    std::vector<float> y(x.size());
    kernels.activate({.function = function,
                      .limit = std::numeric_limits<float>::infinity(),
                      .x = x.data(),
                      .y = y.data(),
                      .count = static_cast<std::int64_t>(x.size())});
    return y;
}

struct Row {
    const char* name;
    Activation function;
    std::function<double(double)> exact;
    float from, to;
    double error;  // relative
};
void PrintTo(const Row& row, std::ostream* out) {
    *out << row.name;
}
class ActivationKernel : public ::testing::TestWithParam<Row> {};

TEST_P(ActivationKernel, IsAsExactAsFloatsAllow) {
    std::vector<float> x;
    constexpr int kPoints = 20011;
    for (int i = 0; i < kPoints; ++i)
        x.push_back(GetParam().from + (GetParam().to - GetParam().from) * static_cast<float>(i) / (kPoints - 1));
    for (const KernelTable* kernels : tables()) {
        const std::vector<float> y = apply(*kernels, GetParam().function, x);
        double worst = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double exact = GetParam().exact(x[i]);
            if (exact != 0) worst = std::max(worst, std::abs(y[i] - exact) / std::abs(exact));
        }
        EXPECT_LE(worst, GetParam().error) << toString(kernels->isa);
    }
}

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}
INSTANTIATE_TEST_SUITE_P(
    Functions, ActivationKernel,
    ::testing::Values(Row{"Exponential", Activation::kExponential, [](double x) { return std::exp(x); }, -86, 88, 2e-7},
                      Row{"ExponentialLess1", Activation::kElu, [](double x) { return std::expm1(x); }, -15, -1e-4F, 2e-7},
                      Row{"Tanh", Activation::kTanh, [](double x) { return std::tanh(x); }, -12, 12, 3e-7},
                      Row{"Sigmoid", Activation::kSigmoid, sigmoid, -80, 80, 2e-7},
                      Row{"Softplus", Activation::kSoftplus, [](double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); },
                          -80, 80, 3e-7},
                      Row{"Gelu", Activation::kGelu, [](double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }, -5, 20, 2e-6}),
    [](const auto& row) { return row.param.name; });

TEST(ActivationKernels, KeepWhatIsNoNumberAndReachTheEnds) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const KernelTable* kernels : tables()) {
        for (const Activation function :
             {Activation::kRelu, Activation::kRampRelu, Activation::kElu, Activation::kGelu, Activation::kSigmoid, Activation::kTanh,
              Activation::kSoftplus, Activation::kMish, Activation::kExponential}) {
            EXPECT_TRUE(std::isnan(apply(*kernels, function, {nan})[0])) << toString(function);
        }
        EXPECT_EQ(apply(*kernels, Activation::kExponential, {-kInfinity, -200, 200, kInfinity}),
                  (std::vector<float>{0, 0, kInfinity, kInfinity}));
        EXPECT_EQ(apply(*kernels, Activation::kTanh, {-kInfinity, -30, 30, kInfinity}), (std::vector<float>{-1, -1, 1, 1}));
        EXPECT_EQ(apply(*kernels, Activation::kSigmoid, {-kInfinity, 30, kInfinity}), (std::vector<float>{0, 1, 1}));
    }
}

// The slope at the place where a function bends, which a layer of zeros meets everywhere: Keras' (numbers of Keras 3.15). The output is 0
// and the label 1, so that the offset becomes twice the slope.
TEST(Activations, HaveKerasSlopeWhereTheyBend) {
    using tests::support::layer;
    const spec::ObjectBox zeros({"Zeros", {}}), quarter({"Constant", {{"value", 0.25}}});
    const std::vector<std::pair<spec::LayerSpec, float>> rows{
        {layer("LeakyReLU", "a"), 0.3F},
        {layer("ReLU", "a"), 0.0F},
        {layer("ReLU", "a", {{"negative_slope", 0.2}}), 0.2F},
        {layer("ReLU", "a", {{"max_value", 1.0}}), 0.0F},
        {layer("ELU", "a", {{"alpha", 0.5}}), 0.5F},
        {layer("PReLU", "a", {{"alpha_initializer", quarter}}), 0.0F},
        {layer("Activation", "a", {{"activation", "relu6"}}), 0.0F},
        {layer("Activation", "a", {{"activation", "leaky_relu"}}), 0.2F},
    };
    using Make = std::unique_ptr<Executor> (*)(const plan::Plan&, Variables&, const ExecutorOptions&);
    for (const Make make : {Make{makeCpuExecutor}, Make{makeReferenceExecutor}}) {
        for (const auto& [function, slope] : rows) {
            spec::RunSpec run;
            run.model = tests::support::model(
                {1}, {layer("Dense", "dense", {{"units", std::int64_t{1}}, {"kernel_initializer", zeros}}), function});
            run.compile = {.optimizer = {"SGD", {}}, .loss = {"MeanSquaredError", {}}, .metrics = {}};
            const plan::Plan plan = plan::compile(run, {.batch = 1});
            Variables variables(plan);
            initializeVariables(variables, run.model, 1);
            const auto executor = make(plan, variables, {});
            executor->reloadVariables();
            const std::vector<float> input{3}, labels{1};
            const std::vector<std::uint32_t> indices{0};
            executor->trainStep({.samples = reinterpret_cast<const std::byte*>(input.data()),
                                 .sample_dtype = tensor::DType::kFloat32,
                                 .sample_elements = 1,
                                 .labels = reinterpret_cast<const std::byte*>(labels.data()),
                                 .label_dtype = tensor::DType::kFloat32,
                                 .label_elements = 1,
                                 .indices = indices},
                                {.learning_rate = 1});
            executor->syncVariables();
            EXPECT_FLOAT_EQ(variables.values("dense/bias")[0], 2 * slope) << function.class_name;
        }
    }
}

}  // namespace
}  // namespace engine::backend::cpu
