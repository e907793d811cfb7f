#include "engine/train/fit/run_controls.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/spawn_ranks.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using spec::Control;
using spec::ControlVerb;
using std::chrono::milliseconds;
using tests::support::quarterRun;
using tests::support::RecordingObserver;
using tests::support::replica;

class RunControlsTest : public testing::Test {
protected:
    const spec::TaskPlan chief_ = replica(quarterRun(), 0, 2), other_ = replica(quarterRun(), 1, 2);
    RecordingObserver observer_;
    RunControls controls_{chief_, observer_};
};

TEST_F(RunControlsTest, PausesAndResumes) {
    EXPECT_TRUE(controls_.goesOn());
    controls_.hear({ControlVerb::kPause, 0});
    EXPECT_TRUE(controls_.isPaused());
    EXPECT_TRUE(controls_.wantsOneStep());
    controls_.hear({ControlVerb::kResume, 0});
    EXPECT_FALSE(controls_.isPaused());
    EXPECT_FALSE(controls_.wantsOneStep());
}

TEST_F(RunControlsTest, PausesAfterTheOneStepThatWasAskedFor) {
    controls_.hear({ControlVerb::kPause, 0});
    controls_.hear({ControlVerb::kStep, 0});
    EXPECT_FALSE(controls_.isPaused());
    EXPECT_TRUE(controls_.wantsOneStep());
    controls_.stepsDone();
    EXPECT_TRUE(controls_.isPaused());
    controls_.hear({ControlVerb::kResume, 0});
    controls_.stepsDone();
    EXPECT_FALSE(controls_.isPaused());
}

TEST_F(RunControlsTest, TheChiefHandsOnEveryVerbAndAnotherReplicaItsWishToLeaveAlone) {
    RunControls other(other_, observer_);
    observer_.askBeforeStep(1, {ControlVerb::kSetLearningRate, 0.25});
    EXPECT_EQ(controls_.ask(milliseconds(0)), encodeControl({ControlVerb::kSetLearningRate, 0.25}));
    EXPECT_EQ(controls_.ask(milliseconds(0)), ControlWord{});
    observer_.askBeforeStep(3, {ControlVerb::kSetLearningRate, 0.25});
    EXPECT_EQ(other.ask(milliseconds(0)), ControlWord{});
    observer_.askBeforeStep(4, {ControlVerb::kStop, 0});
    EXPECT_EQ(other.ask(milliseconds(0)), (ControlWord{kLeave, 0}));
}

TEST_F(RunControlsTest, EndsForTheUserAtOnceAndForACallbackAfterTheEpoch) {
    controls_.endByCallback();
    EXPECT_FALSE(controls_.goesOn());
    EXPECT_EQ(controls_.flow(), Flow::kContinue);
    controls_.hear({ControlVerb::kStopNow, 0});
    EXPECT_EQ(controls_.flow(), Flow::kStopNow);
}

// All replicas hear the same controls, though the chief alone is told.
TEST_F(RunControlsTest, WhilePausedTheReplicasMeetUntilTheChiefIsTold) {
    std::vector<std::vector<ControlVerb>> heard(2);
    tests::support::spawnRanks(2, [&](distribute::Collective& collective) {
        const auto rank = static_cast<std::size_t>(collective.rank());
        RecordingObserver observer;
        if (rank == 0) {
            observer.askBeforeStep(3, {ControlVerb::kResume, 0});
        }
        RunControls controls(rank == 0 ? chief_ : other_, observer);
        controls.hear({ControlVerb::kPause, 0});
        controls.waitWhilePaused(&collective, milliseconds(1), [&](const Control& control) {
            heard[rank].push_back(control.verb);
            controls.hear(control);
        });
        EXPECT_FALSE(controls.isPaused());
    });
    EXPECT_THAT(heard[0], testing::ElementsAre(ControlVerb::kResume));
    EXPECT_EQ(heard[1], heard[0]);
}

}  // namespace
}  // namespace engine::train
