#include "engine/spec/events/event_line.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace engine::spec {
namespace {

std::string lineOf(const EventBody& body) {
    const auto line = eventLine(body);
    return line ? line->text : "";
}

TEST(EventLine, TellsWhatTheChartsMark) {
    EXPECT_EQ(lineOf(EpochEnd{
                  .epoch = 6, .step = 3283, .seconds = 1, .logs = {{"loss", 0.03021}, {"val_accuracy", 0.9881}, {"learning_rate", 1e-4}}}),
              "epoch 7 ended after step 3283 · loss 0.0302 · val_accuracy 0.9881 · learning_rate 0.0001");
    EXPECT_EQ(lineOf(CheckpointSaved{.prefix = "checkpoints/ckpt_7", .bytes = 1363149, .seconds = 0.009, .best = true}),
              "checkpoint saved: checkpoints/ckpt_7 (1.3 MB, 9 ms, best so far)");
    EXPECT_EQ(lineOf(ControlApplied{.what = "learning_rate 0.0001", .step = 3284}), "learning_rate 0.0001 at step 3284");
    EXPECT_EQ(lineOf(StateChanged{TaskState::kTraining, ""}), "Training");
}

TEST(EventLine, WarnsOfWaitingAndFailure) {
    EXPECT_EQ(eventLine(StateChanged{TaskState::kWaiting, "no heartbeat for 4 s"})->level, LogLevel::kWarning);
    EXPECT_EQ(eventLine(TaskFailed{.reason = "killed by signal 9 (SIGKILL)"})->level, LogLevel::kError);
    EXPECT_EQ(lineOf(TaskFailed{.reason = "killed by signal 9 (SIGKILL)"}), "failed: killed by signal 9 (SIGKILL)");
}

TEST(EventLine, SaysWhereANewAttemptBegins) {
    const AttemptStarted attempt{.attempt = 2, .attempts = 4, .from_backup = true, .reason = "killed by signal 9 (SIGKILL)"};
    EXPECT_EQ(lineOf(attempt), "killed by signal 9 (SIGKILL); restarting from the backup (attempt 2 of 4)");
    EXPECT_EQ(eventLine(attempt)->level, LogLevel::kWarning);
    EXPECT_EQ(lineOf(AttemptStarted{.attempt = 3, .attempts = 3, .reason = "no heartbeat for 10 s"}),
              "no heartbeat for 10 s; restarting from the first step (attempt 3 of 3)");
    AttemptStarted by_hand{.attempt = 2, .attempts = 5, .from_backup = true, .reason = "failed: worker 1: killed", .by_hand = true};
    EXPECT_EQ(lineOf(by_hand), "started again by hand from the backup (attempt 2); the one before: failed: worker 1: killed");
    EXPECT_EQ(eventLine(by_hand)->level, LogLevel::kInfo) << "it was asked for";
}

TEST(EventLine, SaysNothingOfPointsAndHeartbeats) {
    EXPECT_FALSE(eventLine(AttemptStarted{.attempt = 1, .reason = {}, .hosts = {{{"worker", 0}, "node1"}}}).has_value())
        << "the first attempt is no news";
    EXPECT_FALSE(eventLine(StepPoints{}).has_value());
    EXPECT_FALSE(eventLine(Heartbeat{}).has_value());
    EXPECT_FALSE(eventLine(WeightReport{}).has_value());
}

TEST(EventLine, LeavesALogLineAsItIs) {
    const LogLine line{LogLevel::kDebug, "a line already"};
    EXPECT_EQ(eventLine(line), line);
}

TEST(EventLine, TellsWhatARunIsAboutToDoAndHowItEnded) {
    RunStarted started;
    started.epochs = 12;
    started.steps_per_epoch = 469;
    started.global_batch_size = 128;
    started.parameters = 347210;
    started.executor = "cpu (AVX-512, 2 threads)";
    EXPECT_EQ(lineOf(started), "12 epochs of 469 steps, global batch 128, 347210 parameters, cpu (AVX-512, 2 threads)");
    started.transport = "worker 0 <-> worker 1: gRPC\nworker 1 <-> worker 2: shared memory";
    EXPECT_EQ(
        lineOf(started),
        "12 epochs of 469 steps, global batch 128, 347210 parameters, cpu (AVX-512, 2 threads) · worker 0 <-> worker 1: gRPC, worker 1 "
        "<-> worker 2: shared memory");
    TaskFinished finished;
    finished.results = {{"test_loss", 0.03125}, {"images_per_s", 9000}, {"test_accuracy", 0.9875}};
    EXPECT_EQ(lineOf(finished), "finished · test_loss 0.0312 · test_accuracy 0.9875");
}

TEST(EventLine, WritesNumbersOfAnySize) {
    EXPECT_EQ(lineOf(EpochEnd{.epoch = 0, .step = 1, .seconds = 1, .logs = {{"loss", std::numeric_limits<double>::quiet_NaN()}}}),
              "epoch 1 ended after step 1 · loss nan");
    const std::string largest =
        lineOf(EpochEnd{.epoch = 0, .step = 1, .seconds = 1, .logs = {{"loss", std::numeric_limits<double>::max()}}});
    EXPECT_TRUE(largest.ends_with("858368.0000")) << largest;
}

}  // namespace
}  // namespace engine::spec
