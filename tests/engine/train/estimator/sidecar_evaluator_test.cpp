#include "engine/train/estimator/sidecar_evaluator.h"

#include <gtest/gtest.h>

#include "engine/distribute/peer_lost.h"
#include "engine/spec/error.h"
#include "tests/support/fake_training_context.h"

namespace engine::train::estimator {
namespace {

using spec::ListedCheckpoint;

// A run whose checkpoints come one with each wait.
class SidecarEvaluator : public testing::Test, public CheckpointEvaluator {
protected:
    void restore(const ListedCheckpoint& checkpoint) override {
        if (checkpoint.file == gone) throw Error(ErrorCode::kNotFound, checkpoint.file + ": is gone");
        restored.push_back(checkpoint.file);
    }
    TrainingContext& context() override { return fake; }

    SidecarOutcome follow() {
        const CheckpointSource source{.latest = [this] { return written == 0 ? std::nullopt : std::optional(all.at(written - 1)); },
                                      .is_over = [this] { return over; },
                                      .is_cancelled = [this] { return cancelled; },
                                      .wait = [this](std::chrono::milliseconds) { proceed(); },
                                      .lost = [this] { return waits >= gone_after ? std::optional<std::string>(why) : std::nullopt; }};
        return followCheckpoints(run, source, *this, [this](spec::EventBody body) {
            if (const auto* change = std::get_if<spec::StateChanged>(&body)) states.push_back(change->detail);
        });
    }
    void proceed() {
        ++waits;
        if (written < all.size()) {
            ++written;
        } else {
            over = ends;
        }
    }

    spec::RunSpec run = tests::support::quarterRun();
    tests::support::FakeContext fake;
    std::vector<ListedCheckpoint> all{{"checkpoints/ckpt_1", 1, 10}, {"checkpoints/ckpt_2", 2, 20}, {"checkpoints/ckpt_3", 3, 30}};
    std::size_t written = 0;
    bool over = false, cancelled = false, ends = true;
    int waits = 0, gone_after = 1000;
    const std::string why = "worker 0 is gone";
    std::string gone;
    std::vector<std::string> restored, states;
};

TEST_F(SidecarEvaluator, EvaluatesEachCheckpointAsItComes) {
    const SidecarOutcome outcome = follow();
    EXPECT_EQ(outcome.state, spec::TaskState::kDone);
    EXPECT_EQ(restored, (std::vector<std::string>{"checkpoints/ckpt_1", "checkpoints/ckpt_2", "checkpoints/ckpt_3"}));
    EXPECT_EQ(outcome.checkpoint, "checkpoints/ckpt_3");
    EXPECT_EQ(*findLog(outcome.last, "global_step"), 30);
    EXPECT_EQ(states.front(), "waiting for a checkpoint");
}

TEST_F(SidecarEvaluator, EvaluatesAFileThatIsWrittenAgainAndAgain) {
    all = {{"checkpoints/best", 1, 10}, {"checkpoints/best", 2, 20}, {"checkpoints/best", 3, 30}};
    const SidecarOutcome outcome = follow();
    EXPECT_EQ(restored.size(), 3U);
    EXPECT_EQ(*findLog(outcome.last, "global_step"), 30);
}

TEST_F(SidecarEvaluator, WaitsForTheThrottleOnlyWhileOthersTrain) {
    run.estimator.emplace().eval_spec.start_delay_secs = 3600;
    const SidecarOutcome outcome = follow();
    EXPECT_EQ(restored, std::vector<std::string>{"checkpoints/ckpt_3"}) << "the last one, since the run is over";
    EXPECT_EQ(outcome.state, spec::TaskState::kDone);
}

TEST_F(SidecarEvaluator, PassesOverACheckpointThatWentMeanwhile) {
    gone = "checkpoints/ckpt_1";
    follow();
    EXPECT_EQ(restored, (std::vector<std::string>{"checkpoints/ckpt_2", "checkpoints/ckpt_3"}));
}

TEST_F(SidecarEvaluator, RefusesToEndWithoutTheLastOne) {
    gone = "checkpoints/ckpt_3";
    written = all.size();
    over = true;
    EXPECT_THROW(follow(), Error);
}

TEST_F(SidecarEvaluator, EndsWithoutCheckpointsWhereThereAreNone) {
    all.clear();
    const SidecarOutcome outcome = follow();
    EXPECT_EQ(outcome.state, spec::TaskState::kDone);
    EXPECT_TRUE(outcome.last.empty());
}

// Of a chief that died before it wrote all, or anything.
TEST_F(SidecarEvaluator, EndsWhenWhoWritesIsGone) {
    ends = false;
    gone_after = 9;
    try {
        follow();
        FAIL() << "expected an error";
    } catch (const distribute::PeerLost& lost) {
        EXPECT_EQ(lost.what(), why);
    }
    EXPECT_EQ(restored, (std::vector<std::string>{"checkpoints/ckpt_1", "checkpoints/ckpt_2", "checkpoints/ckpt_3"}));
    all.clear();
    written = 0;
    restored.clear();
    EXPECT_THROW(follow(), distribute::PeerLost);
    EXPECT_TRUE(restored.empty());
}

TEST_F(SidecarEvaluator, EvaluatesTheLastCheckpointOfOneThatIsGone) {
    run.estimator.emplace().eval_spec.start_delay_secs = 3600;
    ends = false;
    gone_after = 9;
    EXPECT_THROW(follow(), distribute::PeerLost);
    EXPECT_EQ(restored, std::vector<std::string>{"checkpoints/ckpt_3"}) << "its time comes no more";
    EXPECT_EQ(waits, 9);
}

TEST_F(SidecarEvaluator, AsksForNobodyWhenTheRunIsOver) {
    gone_after = 0;
    over = true;
    written = all.size();
    EXPECT_EQ(follow().state, spec::TaskState::kDone);
    EXPECT_EQ(restored, std::vector<std::string>{"checkpoints/ckpt_3"});
}

TEST_F(SidecarEvaluator, StopsWhenItIsTold) {
    cancelled = true;
    EXPECT_EQ(follow().state, spec::TaskState::kStopped);
    EXPECT_TRUE(restored.empty());
}

}  // namespace
}  // namespace engine::train::estimator
