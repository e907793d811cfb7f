#include "agent/wire/task_event_convert.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/proto/task_event.pb.h"
#include "engine/spec/error.h"

namespace {

using namespace engine::spec;
using agent::convert::decodeEvent;
using agent::convert::encodeEvent;
using agent::convert::fromProto;
using agent::convert::toProto;
using agent::convert::validUtf8;

TaskEvent eventOf(EventBody body) {
    return {.sequence = 41, .time_unix_ns = 1795244725'123456789, .task = {"worker", 1}, .body = std::move(body)};
}

StepPoints threeSteps() {
    return {.step = {98, 99, 100},
            .epoch = {0, 0, 1},
            .time_unix_ns = {1795244725'000000001, 1795244725'000000002, 1795244725'000000003},
            .examples_per_step = 64,
            .aggregated = false,
            .columns = {{"loss", {2.25F, 2.125F, -0.5F}}, {"learning_rate", {1e-3F, 1e-3F, 1e-4F}}},
            .input_us = 1.5F,
            .compute_us = 2.5F,
            .wait_us = 3.5F,
            .reduce_us = 4.5F,
            .apply_us = 5.5F};
}

// Every alternative of EventBody, with no field at its default: a field forgotten on either way changes the value.
std::vector<EventBody> everyBody() {
    return {StateChanged{TaskState::kWaiting, "waiting for worker 1 at localhost:23456 for 5 s", WaitCause::kPeers, {{"worker", 1}}},
            threeSteps(),
            EpochEnd{3, 1872, 1.25, {{"accuracy", 0.98}, {"val_loss", 0.05}}},
            CheckpointSaved{"checkpoints/ckpt_4", 3, 1872, 4170000, 0.02, true},
            LogLine{LogLevel::kWarning, "한글 텍스트"},
            RunStarted{468, 12, 128, 347146, 1388584, "cpu (AVX-512, 2 threads)", "worker 0 <-> worker 1: shared memory", 936},
            ControlApplied{"learning_rate 0.0001", 77},
            TaskFinished{{{"test_accuracy", 0.986}, {"first_step_unix_ns", 1.795e18}}, "checkpoints/ckpt_12", "9f86d081"},
            TaskFailed{"killed by signal 9 (SIGKILL)", 3, 9, {"first", "", "last"}},
            Heartbeat{512, 1 << 28, 1.75},
            LayerReport{1, 500, 64, {{"conv2d", 0.5, 4, 0.25, 3, 2, 32, 5}, {"dense", 1.5, 8, 0.125, 1, 4, 64, 64}}},
            ServerLoad{1.25, 40, 10, 6653480, 6653481, {25, 0, 15}},
            WeightReport{
                .epoch = 2,
                .step = 1404,
                .weights = {{"conv2d/kernel", -0.5, 0.25, 0.125, 0.0625, 3, 2, {1, 0, 287}}, {"conv2d/bias", 1, 1, 1, 0, 5.5, 0, {32}}},
                .gradients = {{"conv2d/kernel", -1e-3, 1e-3, 1e-6, 1e-4, 0.75, 1, {5, 6}}},
                .weights_norm = 6.25,
                .gradients_norm = 0.75,
                .filters = {"conv2d/kernel", 1, 2, 1, 3, {0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F}}},
            AttemptStarted{3, 4, true, "killed by signal 9 (SIGKILL)"},
            AttemptStarted{3, 4, true, "stopped", true},
            AttemptStarted{2, 4, true, "killed", false, {{"worker", 1}}, {{{"worker", 0}, "node1"}, {{"worker", 1}, "node3"}}}};
}

TEST(TaskEventConvert, BringsEveryKindOfEventBackUnchanged) {
    std::vector<bool> seen(std::variant_size_v<EventBody>, false);
    for (const EventBody& body : everyBody()) {
        const TaskEvent event = eventOf(body);
        EXPECT_EQ(fromProto(toProto(event)), event) << "alternative " << body.index();
        EXPECT_EQ(decodeEvent(encodeEvent(event)), event) << "alternative " << body.index();
        seen[body.index()] = true;
    }
    EXPECT_EQ(seen, std::vector<bool>(seen.size(), true)) << "everyBody() lacks an alternative";
}

TEST(TaskEventConvert, BringsEveryTaskStateBack) {
    for (int i = 0; i <= static_cast<int>(TaskState::kFailed); ++i) {
        const TaskEvent event = eventOf(StateChanged{static_cast<TaskState>(i), {}});
        EXPECT_EQ(fromProto(toProto(event)), event) << i;
    }
}

TEST(TaskEventConvert, BringsEveryCauseOfWaitingBack) {
    for (int i = 0; i <= static_cast<int>(WaitCause::kSilence); ++i) {
        const TaskEvent event = eventOf(StateChanged{TaskState::kWaiting, {}, static_cast<WaitCause>(i)});
        EXPECT_EQ(fromProto(toProto(event)), event) << i;
    }
}

TEST(TaskEventConvert, BringsEveryLogLevelBack) {
    for (int i = 0; i <= static_cast<int>(LogLevel::kError); ++i) {
        const TaskEvent event = eventOf(LogLine{static_cast<LogLevel>(i), "x"});
        EXPECT_EQ(fromProto(toProto(event)), event) << i;
    }
}

TEST(TaskEventConvert, KeepsPointsWithoutAValue) {
    StepPoints points = threeSteps();
    points.columns[0].values[1] = std::numeric_limits<float>::quiet_NaN();
    points.columns[0].values[2] = std::numeric_limits<float>::infinity();
    const auto back = std::get<StepPoints>(decodeEvent(encodeEvent(eventOf(points))).body);
    EXPECT_TRUE(std::isnan(back.columns[0].values[1]));
    EXPECT_EQ(back.columns[0].values[2], std::numeric_limits<float>::infinity());
}

TEST(TaskEventConvert, PacksStepsIntoArrays) {
    StepPoints points;
    points.columns.push_back({"loss", {}});
    for (int i = 0; i < 1000; ++i) {
        points.step.push_back(i);
        points.epoch.push_back(0);
        points.time_unix_ns.push_back(1795244725'000000000 + i);
        points.columns[0].values.push_back(0.5F);
    }
    EXPECT_LT(encodeEvent(eventOf(points)).size(), 16'000U) << "8 bytes of time, 4 of loss, 2 of step and 1 of epoch a step";
}

TEST(TaskEventConvert, BringsEveryControlBack) {
    for (int i = 0; i <= static_cast<int>(ControlVerb::kSetLearningRate); ++i) {
        const Control control{static_cast<ControlVerb>(i), 0.25};
        EXPECT_EQ(fromProto(toProto(control)), control) << i;
    }
}

std::string refusal(const auto& message) {
    try {
        fromProto(message);
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kInvalidArgument);
        return error.what();
    }
    return "accepted";
}

TEST(TaskEventConvert, RefusesAnEventWithoutBody) {
    EXPECT_EQ(refusal(agent::proto::TaskEvent{}), "task event: expected a body of a known kind, got none");
}

TEST(TaskEventConvert, RefusesAnUnknownState) {
    agent::proto::TaskEvent message = toProto(eventOf(StateChanged{TaskState::kReady, {}}));
    message.mutable_state_changed()->set_state(static_cast<agent::proto::TaskState>(99));
    EXPECT_EQ(refusal(message), "task state: expected one of the known values, got 99");
}

TEST(TaskEventConvert, RefusesColumnsOfUnequalLength) {
    agent::proto::TaskEvent message = toProto(eventOf(threeSteps()));
    message.mutable_step_points()->mutable_columns(1)->add_values(1.0F);
    EXPECT_EQ(refusal(message), "step points: expected one entry of learning_rate for each of 3 steps, got 4");
}

TEST(TaskEventConvert, RefusesFiltersWithoutAllTheirValues) {
    const std::vector<EventBody> bodies = everyBody();
    const auto report =
        std::find_if(bodies.begin(), bodies.end(), [](const EventBody& body) { return std::holds_alternative<WeightReport>(body); });
    ASSERT_NE(report, bodies.end());
    agent::proto::TaskEvent message = toProto(eventOf(*report));
    message.mutable_weight_report()->mutable_filters()->set_count(4);
    EXPECT_EQ(refusal(message), "weight report: expected 4 filters of 1 x 2 x 1 values, got 6 values");
    message.mutable_weight_report()->mutable_filters()->set_count(-3);
    message.mutable_weight_report()->mutable_filters()->set_height(-1);
    EXPECT_EQ(refusal(message), "weight report: expected -3 filters of -1 x 2 x 1 values, got 6 values");
}

TEST(TaskEventConvert, RefusesALearningRateThatIsNoPositiveNumber) {
    for (const double rate : {0.0, -1.0, 1e99, 1e-99, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        EXPECT_THAT(refusal(toProto(Control{ControlVerb::kSetLearningRate, rate})),
                    ::testing::StartsWith("learning rate: expected a positive number"));
    }
}

TEST(TaskEventConvert, AnExchangeComesBackAsItWas) {
    const ExchangeState whole{.sequence = 1'234'567,
                              .bucket = 2,
                              .buckets = 5,
                              .bytes = 1 << 20,
                              .wait_s = 3.25,
                              .awaited = TaskId{"worker", 7},
                              .step_wait_s = 0.0,
                              .age_s = 0.5};
    EXPECT_EQ(fromProto(toProto(whole)), whole);
    EXPECT_EQ(fromProto(toProto(ExchangeState())), ExchangeState());
}

TEST(TaskEventConvert, AnExchangeThatMakesNoSenseIsHarmless) {
    agent::proto::ExchangeState message;
    message.set_bucket(-4);
    message.set_buckets(-1);
    message.set_bytes(-8);
    message.set_wait_s(std::numeric_limits<double>::quiet_NaN());
    message.set_step_wait_s(std::numeric_limits<double>::infinity());
    message.set_age_s(-1);
    message.mutable_awaited()->set_type(std::string(100'000, 'w'));
    ExchangeState expected;
    expected.step_wait_s = 0;
    EXPECT_EQ(fromProto(message), expected);
}

TEST(TaskEventConvert, RefusesBytesThatAreNoEvent) {
    EXPECT_THROW(decodeEvent("\xFF\xFF\xFF"), engine::Error);
}

struct Utf8Row {
    const char* name;
    std::string text;
    std::string expected;
};

TEST(TaskEventConvert, CarriesRawOutputAsValidUtf8) {
    const std::string bad = "\xEF\xBF\xBD";
    const std::vector<Utf8Row> rows{
        {"plain", "a\tb", "a\tb"},
        {"two, three and four bytes", "é한😀", "é한😀"},
        {"a lone tail", "a\x80z", "a" + bad + "z"},
        {"cut at the end", "a\xED\x95", "a" + bad + bad},
        {"overlong", "\xC0\xAF", bad + bad},
        {"surrogate", "\xED\xA0\x80", bad + bad + bad},
        {"above the last code point", "\xF4\x90\x80\x80", bad + bad + bad + bad},
        {"latin 1", "caf\xE9 au lait", "caf" + bad + " au lait"},
    };
    for (const Utf8Row& row : rows) {
        EXPECT_EQ(validUtf8(row.text), row.expected) << row.name;
        const TaskEvent back = decodeEvent(encodeEvent(eventOf(LogLine{LogLevel::kInfo, row.text})));
        EXPECT_EQ(std::get<LogLine>(back.body).text, row.expected) << row.name;
    }
}

}  // namespace
