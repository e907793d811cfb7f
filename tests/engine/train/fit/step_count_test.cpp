#include "engine/train/fit/step_count.h"

#include <gtest/gtest.h>

#include "engine/spec/catalog/dtype_policy.h"
#include "engine/train/task_plans.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using tests::support::quarterRun;
using tests::support::replica;

const spec::ObjectSpec kPlain{"SGD", {{"learning_rate", 0.5}}};

spec::ObjectSpec halving() {
    const spec::ObjectSpec schedule{"PiecewiseConstantDecay",
                                    {{"boundaries", std::vector<double>{9, 19}}, {"values", std::vector<double>{0.5, 0.25, 0.125}}}};
    return {"SGD", {{"learning_rate", spec::ObjectBox(schedule)}}};
}

// With a loss scale, whose variables count the steps that were left out.
backend::Variables scaled() {
    spec::RunSpec run = quarterRun();
    run.model.dtype_policy = "mixed_float16";
    return backend::Variables(trainingPlan(run, replica(run), 0, 16));
}

TEST(StepCount, CountsStepsAndThoseThatWereApplied) {
    const LearningRate rate(kPlain);
    StepCount steps(rate);
    const backend::Variables variables = scaled();
    for (int i = 0; i < 5; ++i) {
        steps.addOne();
    }
    variables.values(spec::kStepsLeftOut)[0] = 2;
    EXPECT_EQ(steps.applied(), 5);
    steps.lookAt(variables);
    EXPECT_EQ(steps.done(), 5);
    EXPECT_EQ(steps.applied(), 3);
    steps.goOnAfter(40);
    EXPECT_EQ(steps.done(), 40);
    EXPECT_EQ(steps.applied(), 40);
}

TEST(StepCount, APlainRateNeedsNoFollowing) {
    const LearningRate rate(kPlain);
    StepCount steps(rate);
    steps.lookAt(scaled());
    EXPECT_FALSE(steps.hasToBeFollowed());
    EXPECT_FALSE(steps.hasToBeFollowedClosely());
}

TEST(StepCount, AScheduleGoesByTheStepsThatWereApplied) {
    const LearningRate rate(halving());
    StepCount steps(rate);
    const backend::Variables variables = scaled();
    steps.goOnAfter(12);
    EXPECT_EQ(steps.rateAfter(12), 0.25F);
    variables.values(spec::kStepsLeftOut)[0] = 4;
    steps.lookAt(variables);
    EXPECT_EQ(steps.rateAfter(12), 0.5F);
}

TEST(StepCount, AScheduleIsFollowedCloselyUntilNoStepWasLeftOutForAWhile) {
    const LearningRate rate(halving());
    StepCount steps(rate);
    const backend::Variables variables = scaled();
    steps.lookAt(variables);
    EXPECT_TRUE(steps.hasToBeFollowed());
    EXPECT_TRUE(steps.hasToBeFollowedClosely());
    for (int i = 0; i < 32; ++i) {
        steps.addOne();
    }
    EXPECT_FALSE(steps.hasToBeFollowedClosely());
    variables.values(spec::kStepsLeftOut)[0] = 1;
    steps.lookAt(variables);
    EXPECT_TRUE(steps.hasToBeFollowedClosely());
}

TEST(StepCount, WithoutALossScaleNoStepIsLeftOut) {
    const LearningRate rate(halving());
    StepCount steps(rate);
    const spec::RunSpec run = quarterRun();
    steps.addOne();
    steps.lookAt(backend::Variables(trainingPlan(run, replica(run), 0, 16)));
    EXPECT_FALSE(steps.hasToBeFollowed());
    EXPECT_EQ(steps.applied(), 1);
}

}  // namespace
}  // namespace engine::train
