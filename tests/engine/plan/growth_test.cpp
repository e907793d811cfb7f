// What making a plan costs grows as the model does: it is counted, not timed, by the looks of searches (engine/plan/index/looks.h).
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/plan/compile.h"
#include "engine/plan/cost.h"
#include "engine/plan/index/looks.h"
#include "engine/plan/index/plan_index.h"
#include "engine/plan/strategies/parameter_server.h"
#include "engine/plan/variable_parts.h"
#include "tests/support/model_builder.h"

namespace engine::plan {
namespace {

using tests::support::layer;

constexpr std::int64_t kFew = 50, kTimes = 10;
// The looks may grow by the logarithm beside: a place in memory is found in a tree. Squares would be a hundred times as many.
constexpr std::int64_t kMost = 2 * kTimes;

// Dense layers of two widths, each with a penalty and a constraint.
spec::RunSpec chainOf(std::int64_t layers) {
    std::vector<spec::LayerSpec> chain;
    for (std::int64_t i = 0; i < layers; ++i) {
        chain.push_back(layer("Dense", "dense_" + std::to_string(i),
                              {{"units", i % 2 == 0 ? std::int64_t{4} : std::int64_t{40}},
                               {"activation", std::string("relu")},
                               {"kernel_regularizer", std::string("L2")},
                               {"bias_constraint", std::string("non_neg")}}));
    }
    chain.push_back(layer("Dense", "last", {{"units", std::int64_t{10}}}));
    spec::RunSpec run;
    run.model = tests::support::model({4}, std::move(chain));
    run.compile = tests::support::compileWith({"Adam", {{"use_ema", true}}});
    run.strategy.bytes_per_pack = 1024;  // so that the buckets grow with the layers
    return run;
}

struct GrowthCase {
    std::string name;
    CompileTarget target;
    std::string policy = "float32";
};

std::ostream& operator<<(std::ostream& out, const GrowthCase& c) {
    return out << c.name;
}

class PlanGrowth : public ::testing::TestWithParam<GrowthCase> {};

std::int64_t looksToCompile(const GrowthCase& c, std::int64_t layers) {
    spec::RunSpec run = chainOf(layers);
    run.model.dtype_policy = c.policy;
    const std::int64_t before = looksOfThisThread();
    const Plan plan = compile(run, c.target);
    cost(plan);
    return looksOfThisThread() - before;
}

TEST_P(PlanGrowth, TenTimesTheLayersAreTenTimesTheSearches) {
    const std::int64_t few = looksToCompile(GetParam(), kFew);
    ASSERT_GT(few, kFew);
    EXPECT_LE(looksToCompile(GetParam(), kTimes * kFew), kMost * few);
}

INSTANTIATE_TEST_SUITE_P(Plans, PlanGrowth,
                         ::testing::Values(GrowthCase{"alone", {.batch = 8}}, GrowthCase{"forward_only", {.batch = 8, .training = false}},
                                           GrowthCase{"in_single_ops", {.batch = 8, .fuse = false}},
                                           GrowthCase{"of_three_workers", {.batch = 8, .replicas = 3}},
                                           GrowthCase{"in_mixed_precision", {.batch = 8}, "mixed_bfloat16"},
                                           GrowthCase{"with_a_server", {.batch = 8, .servers = 1}}),
                         [](const auto& one) { return one.param.name; });

TEST(ServerPlanGrowth, TenTimesTheVariablesAreTenTimesTheSearches) {
    const auto looks = [](std::int64_t layers) {
        spec::RunSpec run = chainOf(layers);
        run.strategy.bytes_per_pack = 1 << 30;  // one bucket: the plan of each holds all variables of the server
        const CompileTarget target{.batch = 8, .servers = 2};
        const Plan whole = compileWhole(run, target);
        const std::int64_t before = looksOfThisThread();
        const std::vector<VariablePart> parts = variableParts(whole, run.strategy, 2);
        EXPECT_FALSE(serverPlans(whole, parts, 0, "CPU:0").empty());
        return looksOfThisThread() - before;
    };
    EXPECT_LE(looks(kTimes * kFew), kMost * looks(kFew));
}

TEST(PlanIndex, AnswersAsSearchesDo) {
    Plan plan = compile(chainOf(5), {.batch = 8, .replicas = 2});
    const SlotIndex slots(plan);
    const BucketIndex buckets(plan);
    NameIndex names(plan);
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
        const auto id = static_cast<TensorId>(i);
        EXPECT_EQ(slots.of(id), slotsOf(plan, id)) << plan.tensors[i].name;
        EXPECT_EQ(buckets.of(id), bucketOf(plan, id)) << plan.tensors[i].name;
        EXPECT_EQ(names.find(plan.tensors[i].name), findTensor(plan, plan.tensors[i].name));
    }
    EXPECT_EQ(names.find("none"), kNoTensor);
    plan.tensors.push_back({.name = "late"});
    EXPECT_EQ(names.find("late"), static_cast<TensorId>(plan.tensors.size() - 1)) << "the plan has grown";
    names.forgetLast();
    plan.tensors.back().name = "later";
    EXPECT_EQ(names.find("late"), kNoTensor);
    EXPECT_EQ(names.find("later"), static_cast<TensorId>(plan.tensors.size() - 1)) << "another in the place of the last";
}

}  // namespace
}  // namespace engine::plan
