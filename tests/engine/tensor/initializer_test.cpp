#include "engine/tensor/initializer.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace engine::tensor {
namespace {

std::vector<float> fill(const spec::ObjectSpec& initializer, const spec::Shape& shape) {
    std::int64_t count = 1;
    for (std::int64_t size : shape) count *= size;
    std::vector<float> values(static_cast<std::size_t>(count), -9.0F);
    initialize(initializer, shape, {.seed = 1}, values);
    return values;
}

double deviationOf(const std::vector<float>& values) {
    double mean = 0, square = 0;
    for (float value : values) mean += value / static_cast<double>(values.size());
    for (float value : values) square += (value - mean) * (value - mean) / static_cast<double>(values.size());
    return std::sqrt(square);
}

// Of columns, or of rows where there are fewer.
double largestErrorOfRightAngles(const std::vector<float>& values, std::size_t rows, std::size_t columns, double gain) {
    const bool by_rows = rows < columns;
    const std::size_t count = std::min(rows, columns), length = std::max(rows, columns);
    const auto at = [&](std::size_t v, std::size_t i) {
        return static_cast<double>(by_rows ? values[v * columns + i] : values[i * columns + v]);
    };
    double largest = 0;
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = 0; b < count; ++b) {
            double dot = 0;
            for (std::size_t i = 0; i < length; ++i) dot += at(a, i) * at(b, i);
            largest = std::max(largest, std::abs(dot - (a == b ? gain * gain : 0)));
        }
    return largest;
}

TEST(Initializer, OrthogonalHasRightAngles) {
    EXPECT_LT(largestErrorOfRightAngles(fill({"Orthogonal", {}}, {20, 7}), 20, 7, 1), 1e-6);
    EXPECT_LT(largestErrorOfRightAngles(fill({"orthogonal", {{"gain", 2.0}}}, {6, 24}), 6, 24, 2), 1e-6);
    EXPECT_LT(largestErrorOfRightAngles(fill({"Orthogonal", {}}, {3, 2, 5}), 6, 5, 1), 1e-6);
}

TEST(Initializer, IdentityIsOneOnTheDiagonal) {
    EXPECT_EQ(fill({"Identity", {{"gain", 3.0}}}, {2, 3}), (std::vector<float>{3, 0, 0, 0, 3, 0}));
    EXPECT_THROW(fill({"Identity", {}}, {4}), Error);
}

TEST(Initializer, VarianceScalingTakesModeAndDistribution) {
    const spec::ObjectSpec out{"VarianceScaling",
                               {{"scale", 3.0}, {"mode", std::string("fan_out")}, {"distribution", std::string("uniform")}}};
    EXPECT_NEAR(deviationOf(fill(out, {200, 100})), std::sqrt(3.0 / 100), 0.02 * std::sqrt(3.0 / 100));
    const spec::ObjectSpec average{"VarianceScaling",
                                   {{"mode", std::string("fan_avg")}, {"distribution", std::string("untruncated_normal")}}};
    EXPECT_NEAR(deviationOf(fill(average, {200, 100})), std::sqrt(1.0 / 150), 0.02 * std::sqrt(1.0 / 150));
    EXPECT_THROW(fill({"VarianceScaling", {{"mode", std::string("fan")}}}, {4, 4}), Error);
}

TEST(Initializer, CountsInputsAndOutputsThatTheShapeDoesNotTell) {
    std::vector<float> kernel(30 * 4 * 5);
    initialize({"GlorotUniform", {}}, {30, 4, 5}, {.seed = 1}, kernel, {30, 20});
    const double largest = *std::max_element(kernel.begin(), kernel.end()), limit = std::sqrt(6.0 / (30 + 20));
    EXPECT_LE(largest, limit);
    EXPECT_GT(largest, 0.95 * limit);
}

TEST(Initializer, GlorotUniformStaysWithinItsLimit) {
    const std::vector<float> kernel = fill({"GlorotUniform", {}}, {3, 3, 16, 32});
    const double limit = std::sqrt(6.0 / (9 * 16 + 9 * 32));
    EXPECT_LE(*std::max_element(kernel.begin(), kernel.end()), limit);
    EXPECT_GE(*std::min_element(kernel.begin(), kernel.end()), -limit);
    EXPECT_NEAR(deviationOf(kernel), limit / std::sqrt(3.0), 0.02 * limit);
}

struct DeviationRow {
    std::string name;
    double deviation;  // of a (200, 100) kernel: fan_in 200, fan_out 100
};
void PrintTo(const DeviationRow& row, std::ostream* out) {
    *out << row.name;
}
class InitializerDeviation : public ::testing::TestWithParam<DeviationRow> {};

TEST_P(InitializerDeviation, IsKerasFormula) {
    EXPECT_NEAR(deviationOf(fill({GetParam().name, {}}, {200, 100})), GetParam().deviation, 0.02 * GetParam().deviation);
}
INSTANTIATE_TEST_SUITE_P(Names, InitializerDeviation,
                         ::testing::Values(DeviationRow{"GlorotUniform", std::sqrt(1 / 150.0)},
                                           DeviationRow{"glorot_normal", std::sqrt(1 / 150.0)},
                                           DeviationRow{"HeUniform", std::sqrt(2 / 200.0)}, DeviationRow{"he_normal", std::sqrt(2 / 200.0)},
                                           DeviationRow{"LecunUniform", std::sqrt(1 / 200.0)},
                                           DeviationRow{"lecun_normal", std::sqrt(1 / 200.0)}, DeviationRow{"RandomNormal", 0.05},
                                           DeviationRow{"RandomUniform", 0.05 / std::sqrt(3.0)},
                                           DeviationRow{"TruncatedNormal", 0.05 * 0.87962566103423978}));

TEST(Initializer, ConstantsAreWhatTheySay) {
    EXPECT_EQ(fill({"Zeros", {}}, {2}), (std::vector<float>{0, 0}));
    EXPECT_EQ(fill({"ones", {}}, {2}), (std::vector<float>{1, 1}));
    EXPECT_EQ(fill({"Constant", {{"value", 0.5}}}, {2}), (std::vector<float>{0.5F, 0.5F}));
}

TEST(Initializer, ItsOwnSeedReplacesTheRuns) {
    std::vector<float> a(8), b(8), c(8);
    initialize({"GlorotUniform", {{"seed", std::int64_t{3}}}}, {2, 4}, {.seed = 1}, a);
    initialize({"GlorotUniform", {{"seed", std::int64_t{3}}}}, {2, 4}, {.seed = 2}, b);
    initialize({"GlorotUniform", {}}, {2, 4}, {.seed = 2}, c);
    EXPECT_EQ(a, b);
    EXPECT_NE(b, c);
}

TEST(Initializer, NamesOneThatItDoesNotKnow) {
    std::vector<float> values(4);
    try {
        initialize({"Diagonal", {}}, {2, 2}, {}, values);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kUnimplemented);
        EXPECT_STREQ(error.what(), "initializer: Diagonal is not supported");
    }
}

}  // namespace
}  // namespace engine::tensor
