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
        initialize({"Orthogonal", {}}, {2, 2}, {}, values);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kUnimplemented);
        EXPECT_STREQ(error.what(), "initializer: Orthogonal is not supported");
    }
}

}  // namespace
}  // namespace engine::tensor
