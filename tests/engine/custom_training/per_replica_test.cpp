#include "engine/custom_training/per_replica.h"

#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace engine::custom_training {
namespace {

// The values that TensorFlow gives.
TEST(PerReplica, IsReducedAsTensorFlowDoes) {
    const PerReplica<float> scalars{{1, 2}};
    EXPECT_EQ(reduce(ReduceOp::kSum, scalars), 3.0F);
    EXPECT_EQ(reduce(ReduceOp::kMean, scalars), 1.5F);
    const PerReplica<std::vector<float>> uneven{{{1, 2}, {6}}};
    EXPECT_EQ(reduceFirstAxis(ReduceOp::kSum, uneven), 9.0F);
    EXPECT_EQ(reduceFirstAxis(ReduceOp::kMean, uneven), 3.0F);
    const PerReplica<std::vector<float>> even{{{1, 2}, {3, 6}}};
    EXPECT_EQ(reduce(ReduceOp::kSum, even), (std::vector<float>{4, 8}));
    EXPECT_EQ(reduce(ReduceOp::kMean, even), (std::vector<float>{2, 4}));
    EXPECT_EQ(localResults(even)[1], (std::vector<float>{3, 6}));
}

TEST(PerReplica, MayHoldNothing) {
    EXPECT_EQ(reduceFirstAxis(ReduceOp::kMean, {{{}, {}}}), 0.0F);
    EXPECT_TRUE(reduce(ReduceOp::kSum, PerReplica<std::vector<float>>{{{}, {}}}).empty());
}

TEST(PerReplica, NeedsEqualSizesToReduceOverReplicasAlone) {
    EXPECT_THROW(reduce(ReduceOp::kSum, PerReplica<std::vector<float>>{{{1, 2}, {6}}}), Error);
}

}  // namespace
}  // namespace engine::custom_training
