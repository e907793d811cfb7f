#include "engine/backend/cuda/update_rules.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "tests/support/cuda_orders.h"

#include <gtest/gtest.h>

#include "engine/plan/compile.h"
#include "engine/spec/error.h"
#include "tests/support/model_cases.h"

namespace engine::backend::cuda {
namespace {

using namespace tests::support::rows;

plan::Plan planWith(const spec::ObjectSpec& optimizer) {
    const tests::support::ModelCase c{"two", tests::support::model({6}, {dense("dense", 4, "relu"), dense("dense_1", 3, "linear")}),
                                      tests::support::compileWith(optimizer)};
    return plan::compile(tests::support::runOf(c), {.batch = 4, .devices = {"GPU:0"}});
}

// An op for each optimizer.
plan::Plan planOf(const std::vector<spec::ObjectSpec>& optimizers) {
    plan::Plan plan;
    for (const spec::ObjectSpec& optimizer : optimizers) {
        plan::Op op;
        op.kind = plan::OpKind::kUpdate;
        op.attributes = plan::OptimizerAttributes{optimizer};
        plan.ops.push_back(std::move(op));
    }
    return plan;
}

spec::ObjectSpec momentum(double value) {
    return {"SGD", {{"momentum", value}}};
}

TEST(UpdateRules, EqualOptimizersHaveOneNumber) {
    const plan::Plan plan = planOf({momentum(0.5), momentum(0.25), momentum(0.5)});
    const UpdateRules rules(plan);
    EXPECT_EQ(rules.count(), 2U);
    EXPECT_EQ(rules.numberOf(plan.ops[0]), 0U);
    EXPECT_EQ(rules.numberOf(plan.ops[1]), 1U);
    EXPECT_EQ(rules.numberOf(plan.ops[2]), 0U);
    EXPECT_EQ(rules.numberOf(plan::Op{}), 2U) << "it has none";
}

TEST(UpdateRules, ThoseOfACompiledPlanAreFound) {
    const plan::Plan plan = planWith(kAdam);
    const UpdateRules rules(plan);
    EXPECT_EQ(rules.count(), 1U);
    for (const plan::Op& op : plan.ops) EXPECT_EQ(rules.numberOf(op), plan::optimizerOf(op) == nullptr ? 1U : 0U);
}

TEST(UpdateRules, AStepBringsTheFactorsOfEach) {
    const UpdateRules rules(planOf({momentum(0.5), kAdam}));
    const auto factors = rules.factorsOf(0.25F, 7);
    EXPECT_EQ(factors[0].step_size, 0.25F);
    EXPECT_EQ(factors[1].step_size, plan::stepFactors(plan::updateRule(kAdam), 0.25F, 7).step_size);
    EXPECT_EQ(factors[2].step_size, 0.0F);
}

TEST(UpdateRules, RefusesMoreThanAStepHasRoomFor) {
    std::vector<spec::ObjectSpec> optimizers;
    for (std::size_t i = 0; i < kMaxRules; ++i) optimizers.push_back(momentum(0.1 * static_cast<double>(i)));
    EXPECT_EQ(UpdateRules(planOf(optimizers)).count(), kMaxRules);
    optimizers.push_back(kAdam);
    try {
        const UpdateRules rules(planOf(optimizers));
        FAIL() << "a step has no room for them";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kUnimplemented);
        EXPECT_STREQ(error.what(), "executor: expected 8 different optimizers at most");
    }
}

}  // namespace
}  // namespace engine::backend::cuda
