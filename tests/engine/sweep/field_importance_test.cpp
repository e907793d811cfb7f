#include "engine/sweep/field_importance.h"

#include <cmath>
#include <cstdlib>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/sweep/regression_tree.h"

namespace engine::sweep {
namespace {

// The sweep with all of its trials told.
Sweep toldBy(std::initializer_list<const char*> fields, const std::function<double(const Configuration&)>& value) {
    SweepSettings settings{.method = Method::kGrid, .fields = {}, .objective = {}, .trials = 0};
    for (const char* field : fields) settings.fields.push_back(parseField(field));
    Sweep sweep(settings, 1);
    while (const auto job = sweep.next()) {
        sweep.told(*job, 1, value(sweep.trials()[static_cast<std::size_t>(job->trial)].configuration));
    }
    return sweep;
}

double number(const std::string& text) {
    return std::atof(text.c_str());
}

TEST(FieldImportance, TheFieldThatDecidesHasAll) {
    const Sweep sweep = toldBy({"rate=log:1e-3..1e-1:3", "units=1,2,3", "width=1,2,3"},
                               [](const Configuration& one) { return std::abs(std::log10(number(one[0])) + 2); });
    const auto importance = importanceOf(sweep);
    ASSERT_TRUE(importance);
    EXPECT_EQ(importance->trials, 27);
    EXPECT_GT(importance->alone[0], 0.95);
    EXPECT_LT(importance->alone[1] + importance->alone[2], 0.05);
}

TEST(FieldImportance, PartsVarianceAmongFieldsThatAdd) {
    const Sweep sweep = toldBy({"a=0,1,2,3", "b=0,1,2,3"}, [](const Configuration& one) { return 2 * number(one[0]) + number(one[1]); });
    const auto importance = importanceOf(sweep);
    ASSERT_TRUE(importance);
    EXPECT_NEAR(importance->alone[0], 0.8, 0.1) << "four parts of five: variances of 2a and of b";
    EXPECT_NEAR(importance->alone[1], 0.2, 0.1);
}

TEST(FieldImportance, SaysWhatFieldsDoOnlyTogether) {
    const Sweep sweep = toldBy({"a=0,1", "b=0,1", "c=0,1,2,3"}, [](const Configuration& one) { return one[0] == one[1] ? 1.0 : 0.0; });
    const auto importance = importanceOf(sweep);
    ASSERT_TRUE(importance);
    EXPECT_GT(importance->together, 0.6);
}

TEST(FieldImportance, IsSilentOfTooFewTrialsAndOfNothing) {
    EXPECT_FALSE(importanceOf(toldBy({"a=1,2,3,4,5"}, [](const Configuration& one) { return number(one[0]); })));
    EXPECT_FALSE(importanceOf(toldBy({"a=1,2,3,4,5,6,7"}, [](const Configuration&) { return 0.5; })));
    EXPECT_FALSE(importanceOf(toldBy({"a=1,2,3,4,5,6,7"}, [](const Configuration&) { return kNoValue; })));
}

TEST(RegressionTree, TakesItsVarianceApart) {
    // Four quarters of the unit square: a counts 2, b counts 1, so that their variances are 1 and 1/4.
    const RegressionTree tree({{{0.25, 0.25}, 0}, {{0.25, 0.75}, 1}, {{0.75, 0.25}, 2}, {{0.75, 0.75}, 3}});
    EXPECT_NEAR(tree.variance(), 1.25, 1e-12);
    EXPECT_NEAR(tree.varianceOf(0), 1, 1e-12);
    EXPECT_NEAR(tree.varianceOf(1), 0.25, 1e-12);
}

}  // namespace
}  // namespace engine::sweep
