#include "agent/wire/size_limits.h"

#include <string>
#include <utility>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "agent/wire/status.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"

namespace {

using namespace agent::convert;
using namespace engine::spec;
using ::testing::EndsWith;
using ::testing::StartsWith;

TaskEvent eventOf(std::uint64_t sequence, EventBody body) {
    TaskEvent event;
    event.sequence = sequence;
    event.time_unix_ns = 2;
    event.task.type = "worker";
    event.body = std::move(body);
    return event;
}

TEST(SizeLimits, ShortensTextsBetweenTheirCharacters) {
    EXPECT_EQ(shortened("short", 100), "short");
    const std::string text = shortened(std::string(1000, 'x'), 100);
    EXPECT_EQ(text.size(), 100U);
    EXPECT_THAT(text, StartsWith("xxx"));
    EXPECT_THAT(text, EndsWith("… (1000 bytes in all)"));
    std::string korean;
    for (int i = 0; i < 1000; ++i) {
        korean += "한";
    }
    for (std::size_t most = 60; most < 70; ++most) {
        EXPECT_EQ(validUtf8(shortened(korean, most)), shortened(korean, most)) << most;
        EXPECT_LE(shortened(korean, most).size(), most);
    }
}

TEST(SizeLimits, NameObjectExpectationAndFact) {
    EXPECT_NO_THROW(requireSize("project", 10, 10));
    try {
        requireSize("project", 3000213, 1048576);
        ADD_FAILURE() << "accepted";
    } catch (const engine::Error& error) {
        EXPECT_STREQ(error.what(), "project: expected at most 1048576 bytes, got 3000213");
    }
}

TEST(SizeLimits, ShortenTheTextsOfEvents) {
    const TaskEvent line = bounded(eventOf(1, LogLine{LogLevel::kError, std::string(5'000'000, 'x')}));
    EXPECT_EQ(std::get<LogLine>(line.body).text.size(), kMaxTextBytes);
    EXPECT_EQ(line.sequence, 1U);
    const TaskEvent state = bounded(eventOf(1, StateChanged{TaskState::kFailed, std::string(5'000'000, 'x')}));
    EXPECT_EQ(std::get<StateChanged>(state.body).detail.size(), kMaxTextBytes);
    const TaskEvent failed =
        bounded(eventOf(1, TaskFailed{std::string(9'000, 'x'), 1, 0, std::vector<std::string>(50, std::string(90'000, 'y'))}));
    EXPECT_LT(encodeEvent(failed).size(), kMaxEventBytes);
    EXPECT_EQ(std::get<TaskFailed>(failed.body).last_lines.size(), 50U);
}

TEST(SizeLimits, ReplaceAnEventThatCannotBeMadeSmall) {
    WeightReport report;
    report.filters = {.name = "conv2d/kernel", .height = 1000, .width = 2000, .channels = 1, .count = 1, .values = {}};
    report.filters.values.assign(2'000'000, 1.0F);
    const TaskEvent event = bounded(eventOf(7, std::move(report)));
    EXPECT_THAT(std::get<LogLine>(event.body).text, StartsWith("an event was left out: expected at most 1048576 bytes, got 80"));
    EXPECT_EQ(event.sequence, 7U);
}

TEST(SizeLimits, LeaveWhatIsSmallAsItIs) {
    StepPoints points;
    for (int i = 0; i < 4096; ++i) {
        points.step.push_back(i);
        points.epoch.push_back(0);
        points.time_unix_ns.push_back(1'700'000'000'000'000'000 + i);
    }
    points.columns.assign(10, {"loss", std::vector<float>(4096, 1.0F)});
    const TaskEvent event = eventOf(1, points);
    EXPECT_EQ(bounded(event), event) << "a whole pack of points";
    EXPECT_EQ(boundedEncoded(encodeEvent(event)), encodeEvent(event));
    EXPECT_EQ(boundedProject(R"({"name": "a"})"), R"({"name": "a"})");
}

TEST(SizeLimits, ShortenWhatAnEarlierVersionStored) {
    const TaskEvent old = eventOf(5, LogLine{LogLevel::kInfo, std::string(6'000'000, 'x')});
    const TaskEvent told = decodeEvent(boundedEncoded(encodeEvent(old)));
    EXPECT_EQ(told.sequence, 5U);
    EXPECT_EQ(std::get<LogLine>(told.body).text.size(), kMaxTextBytes);
    const nlohmann::json project{{"name", std::string(9'000'000, 'n')}, {"version", 1}};
    const nlohmann::json bound = nlohmann::json::parse(boundedProject(project.dump()));
    EXPECT_EQ(bound["version"], 1);
    EXPECT_EQ(bound["name"].get<std::string>().size(), kMaxTextBytes);
    EXPECT_EQ(boundedProject(std::string(9'000'000, '{')), "{}") << "no JSON";
    EXPECT_EQ(boundedProject(nlohmann::json(std::vector<int>(5'000'000, 7)).dump()), "{}") << "large without a long text";
}

TEST(SizeLimits, HoldForRefusalsThatTravelAmongHeaders) {
    const grpc::Status status = toStatus(engine::Error(engine::ErrorCode::kInvalidArgument, std::string(100'000, 'x')));
    EXPECT_EQ(status.error_message().size(), kMaxMessageText);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

}  // namespace
