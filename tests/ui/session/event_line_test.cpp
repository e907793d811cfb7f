// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/event_line.h"

#include <gtest/gtest.h>

namespace ui::session {
namespace {

using namespace engine::spec;

std::string lineOf(const EventBody& body) {
    const auto line = eventLine(body);
    return line ? line->text.toStdString() : "";
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

TEST(EventLine, SaysNothingOfPointsAndHeartbeats) {
    EXPECT_FALSE(eventLine(StepPoints{}).has_value());
    EXPECT_FALSE(eventLine(Heartbeat{}).has_value());
    EXPECT_FALSE(eventLine(LogLine{LogLevel::kInfo, "a line already"}).has_value());
}

}  // namespace
}  // namespace ui::session
