#include "agent/server/runs/told_event.h"

#include <gtest/gtest.h>

#include "agent/proto/task_event.pb.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"

namespace agent::server {
namespace {

namespace spec = engine::spec;

const spec::TaskId kWorker1{"worker", 1};

spec::TaskEvent points() {
    spec::StepPoints body;
    body.step = {7, 8};
    body.epoch = {0, 0};
    body.time_unix_ns = {100, 200};
    body.examples_per_step = 64;
    body.columns = {{"loss", {0.5F, 0.25F}}};
    return {0, 300, kWorker1, body};
}

std::optional<ToldEvent> carried(const proto::TaskEvent& message) {
    return carriedPoints(message, message.SerializeAsString(), kWorker1);
}

TEST(ToldEvent, PointsStayTheBytesThatTheTaskWrote) {
    const proto::TaskEvent message = convert::toProto(points());
    const auto told = carried(message);
    ASSERT_TRUE(told);
    EXPECT_EQ(told->bytes, message.SerializeAsString());
    EXPECT_EQ(told->task, kWorker1);
    EXPECT_EQ(told->points, 2);
    EXPECT_FALSE(told->is_log_line);
}

TEST(ToldEvent, TheStampIsTheSequenceThatIsRead) {
    for (const std::uint64_t sequence : {1ull, 127ull, 128ull, 300'000ull, ~0ull}) {
        spec::TaskEvent expected = points();
        expected.sequence = sequence;
        EXPECT_EQ(convert::decodeEvent(stamped(convert::encodeEvent(points()), sequence)), expected);
        spec::TaskEvent with_another = points();
        with_another.sequence = 5;
        EXPECT_EQ(convert::decodeEvent(stamped(convert::encodeEvent(with_another), sequence)), expected);
    }
}

TEST(ToldEvent, WhatCannotStayAsItIsIsReadFirst) {
    EXPECT_FALSE(carried(convert::toProto(spec::TaskEvent{0, 1, kWorker1, spec::Heartbeat{}}))) << "no points";
    proto::TaskEvent message = convert::toProto(points());
    message.mutable_task()->set_index(0);
    EXPECT_FALSE(carried(message)) << "under another task's name";
    message = convert::toProto(points());
    message.set_time_unix_ns(0);
    EXPECT_FALSE(carried(message)) << "the agent tells the time";
    message = convert::toProto(points());
    message.mutable_step_points()->mutable_columns(0)->set_name(std::string(convert::kMaxTextBytes + 1, 'x'));
    EXPECT_FALSE(carried(message)) << "a name to be cut";
    message = convert::toProto(points());
    const std::string bytes(convert::kMaxEventBytes + 1, 'x');
    EXPECT_FALSE(carriedPoints(message, bytes, kWorker1)) << "too large";
}

TEST(ToldEvent, ColumnsOfAnotherLengthAreRefusedAsWhenTheyAreRead) {
    proto::TaskEvent message = convert::toProto(points());
    message.mutable_step_points()->mutable_columns(0)->add_values(1);
    EXPECT_THROW(carried(message), engine::Error);
    EXPECT_THROW(convert::fromProto(message), engine::Error);
}

}  // namespace
}  // namespace agent::server
