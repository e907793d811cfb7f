// Constraints within whole steps on both executors: after the update, whatever is fused or reduced.
#include "tests/support/constraint_cases.h"
#include "tests/support/piecewise.h"

namespace engine::backend {
namespace {

INSTANTIATE_TEST_SUITE_P(Executors, Constraints,
                         ::testing::Values(Backend{"Reference", makeReferenceExecutor}, Backend{"Cpu", makeCpuExecutor},
                                           Backend{"CpuInPieces", tests::support::makePiecewiseExecutor}),
                         [](const auto& param) { return param.param.name; });

TEST(ConstraintsOfAPlan, ComeLastUnderEveryStrategy) {
    for (const int replicas : {1, 2}) {
        const plan::Plan plan = plan::compile(run(), {.batch = 1, .replicas = replicas});
        ASSERT_GE(plan.ops.size(), 2U);
        EXPECT_EQ(plan.ops[plan.ops.size() - 1].kind, plan::OpKind::kConstrain);
        EXPECT_EQ(plan.ops[plan.ops.size() - 2].kind, plan::OpKind::kConstrain);
    }
}

}  // namespace
}  // namespace engine::backend
