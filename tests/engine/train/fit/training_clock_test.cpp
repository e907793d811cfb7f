#include "engine/train/fit/training_clock.h"

#include <gtest/gtest.h>

namespace engine::train {
namespace {

using std::chrono::seconds;

TrainingClock::Time at(int second) {
    return TrainingClock::Time{} + seconds(1000 + second);
}

TEST(TrainingClock, MeasuresFromTheEndOfTheFirstEpochWithoutWhatIsNoTraining) {
    TrainingClock clock;
    clock.leaveOut(seconds(50));  // in the first epoch, which does not count
    clock.warm(at(100), 10);
    clock.leaveOut(seconds(3));
    clock.leaveOutPause(seconds(2));
    clock.warm(at(110), 20);
    clock.end(at(125));  // 20 seconds of training after the first epoch
    EXPECT_EQ(clock.samplesPerSecond(30, 64), 64.0);
    EXPECT_EQ(clock.paused(), seconds(2));
}

TEST(TrainingClock, HasNoSpeedWithoutAStepAfterTheFirstEpoch) {
    TrainingClock clock;
    EXPECT_EQ(clock.samplesPerSecond(5, 64), std::nullopt);
    clock.warm(at(1), 5);
    clock.end(at(2));
    EXPECT_EQ(clock.samplesPerSecond(5, 64), std::nullopt);
    EXPECT_EQ(clock.samplesPerSecond(6, 64), 64.0);
}

TEST(TrainingClock, HasTheSpeedZeroWhereNoTimeWentBy) {
    TrainingClock clock;
    clock.warm(at(1), 5);
    clock.end(at(1));
    EXPECT_EQ(clock.samplesPerSecond(6, 64), 0.0);
}

TEST(TrainingClock, KnowsTheFirstStepOfAll) {
    TrainingClock clock;
    EXPECT_EQ(clock.firstStepUnixNs(), 0);
    EXPECT_TRUE(clock.stepDone(77));
    EXPECT_FALSE(clock.stepDone(78));
    EXPECT_EQ(clock.firstStepUnixNs(), 77);
}

}  // namespace
}  // namespace engine::train
