// The elementary functions of the kernels, on every instruction set that this processor has, against the C++ library in double.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/cpu/kernel_table.h"

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

}  // namespace
}  // namespace engine::backend::cpu
