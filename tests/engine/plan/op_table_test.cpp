// What is known of each kind of op.
#include "engine/plan/op_table.h"

#include <cstddef>
#include <set>
#include <string_view>

#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace engine::plan {
namespace {

// x (2, 4) times w (4, 3).
Plan productPlan() {
    Plan plan;
    plan.batch = 2;
    plan.tensors = {
        {.name = "x", .shape = {2, 4}}, {.name = "w", .role = TensorRole::kParameter, .shape = {4, 3}}, {.name = "y", .shape = {2, 3}}};
    plan.ops = {{.kind = OpKind::kMatMul, .name = "dense/MatMul", .inputs = {0, 1}, .outputs = {2}}};
    return plan;
}

TEST(OpTable, TellsNameFamilyAndWorkOfAKind) {
    const Plan plan = productPlan();
    const OpRow& row = rowOf(plan.ops.front().kind);
    EXPECT_EQ(row.name, "MatMul");
    EXPECT_EQ(row.family, OpFamily::kDense);
    EXPECT_EQ(row.work(plan, plan.ops.front()), 2 * 4 * 3);
    EXPECT_EQ(row.text, nullptr);
    EXPECT_EQ(toString(OpKind::kFusedDenseBack), "FusedDenseBack");
}

TEST(OpTable, EveryKindHasANameOfItsOwn) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < opTable().size(); ++i) {
        EXPECT_EQ(&rowOf(static_cast<OpKind>(i)), &opTable()[i]);
        EXPECT_FALSE(opTable()[i].name.empty());
        EXPECT_TRUE(names.insert(opTable()[i].name).second) << opTable()[i].name;
    }
}

TEST(OpTable, PrintsAttributesAsThePlanShowsThem) {
    const Op pool{.kind = OpKind::kMaxPool2D, .attributes = Window2D{.kernel_h = 2, .kernel_w = 3, .stride_h = 2, .stride_w = 1}};
    EXPECT_EQ(rowOf(pool.kind).text(pool), "2x3/2x1");
    const Op ramp{.kind = OpKind::kActivation, .attributes = ActivationAttributes{Activation::kElu, {.alpha = 0.5F}}};
    EXPECT_EQ(rowOf(ramp.kind).text(ramp), std::string(toString(Activation::kElu)) + ", alpha 0.5");
}

TEST(OpTable, RefusesAnOpWithTheAttributesOfAnother) {
    Plan plan = productPlan();
    EXPECT_NO_THROW(checkAttributes(plan));
    plan.ops.front().attributes = DropoutAttributes{.rate = 0.5};
    EXPECT_THROW(checkAttributes(plan), Error);
    plan.ops.front() = {.kind = OpKind::kDropout, .name = "dropout/Dropout"};
    EXPECT_THROW(checkAttributes(plan), Error);
    plan.ops.front() = {.kind = OpKind::kAllReduce, .name = "bucket0/AllReduce"};  // the tasks' own way
    EXPECT_NO_THROW(checkAttributes(plan));
}

}  // namespace
}  // namespace engine::plan
