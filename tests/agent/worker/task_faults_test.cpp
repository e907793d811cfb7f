#include "agent/worker/task_faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "agent/worker/sinks/event_sink.h"
#include "agent/worker/task_observer.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace std::chrono_literals;
using namespace engine::spec;
using agent::worker::TaskFaults;
using engine::chaos::Fault;
using engine::chaos::FaultKind;

const TaskId kWorker0{"worker", 0}, kWorker1{"worker", 1};

struct KeptEvents : agent::worker::EventSink {
    void send(const TaskEvent& event) override { events.push_back(event); }
    bool confirmKept(std::chrono::milliseconds) override { return true; }
    std::vector<TaskEvent> events;
};

TEST(TaskFaults, GoToTheLinksAndToTheClock) {
    TaskFaults faults({kWorker0, kWorker1});
    std::vector<std::chrono::milliseconds> skews;
    std::vector<std::string> lines;
    const TaskFaults::Effects effects{.skew =
                                          [&](auto by, auto lasting) {
                                              skews = {by, lasting};
                                          },
                                      .log = [&](const LogLine& line) { lines.push_back(line.text); }};
    faults.take({FaultKind::kSkew, kWorker0, {}, 10s, -2s}, effects);
    EXPECT_THAT(skews, testing::ElementsAre(-2s, 10s));
    EXPECT_FALSE(faults.links().any());
    faults.take({FaultKind::kCut, kWorker0, kWorker1, 1h, {}}, effects);
    EXPECT_TRUE(faults.links().cutSince(1));
    EXPECT_FALSE(faults.links().cutSince(0));
    EXPECT_TRUE(lines.empty());
    faults.take({FaultKind::kCut, kWorker0, TaskId{"ps", 0}, 1h, {}}, effects);
    EXPECT_THAT(lines, testing::ElementsAre(
                           "\"cut worker:0-ps:0 for 1h\" was not done: expected one of the tasks that sum with this one, got another"));
}

// The limit is this whole process': it goes with the task.
TEST(TaskFaults, AFullDiskTakesNothingUntilItIsOver) {
    const tests::support::TempDir dir;
    const auto grows = [&dir] {
        std::ofstream file(dir.path() / "checkpoint", std::ios::app);
        file << "weights" << std::flush;
        return file.good();
    };
    EXPECT_TRUE(grows());
    {
        TaskFaults faults({kWorker0});
        std::vector<std::string> lines;
        faults.take({FaultKind::kFillDisk, kWorker0, {}, 1h},
                    {.skew = {}, .log = [&](const LogLine& line) { lines.push_back(line.text); }});
        EXPECT_THAT(lines, testing::IsEmpty());
        EXPECT_FALSE(grows());
        EXPECT_EQ(std::filesystem::file_size(dir.path() / "checkpoint"), 7U) << "what is there stays";
        faults.take({FaultKind::kFillDisk, kWorker0, {}, 1ms}, {.skew = {}, .log = {}});
        const auto deadline = std::chrono::steady_clock::now() + 60s;
        while (!grows()) ASSERT_LT(std::chrono::steady_clock::now(), deadline);
        faults.take({FaultKind::kFillDisk, kWorker0, {}, 1h}, {.skew = {}, .log = {}});
        EXPECT_FALSE(grows());
    }
    EXPECT_TRUE(grows());
}

TEST(TaskFaults, ASkewedClockMovesTheTimesOfEventsAndOfSteps) {
    KeptEvents sink;
    agent::worker::TaskObserver observer(kWorker0, sink, {});
    observer.report(LogLine{LogLevel::kInfo, "before"});
    observer.skewClock(-1h, 1h);
    StepPoints points{.step = {1}, .epoch = {0}, .time_unix_ns = {std::chrono::nanoseconds(2h).count()}};
    observer.report(points);
    observer.skewClock(1h, 0s);
    observer.report(LogLine{LogLevel::kInfo, "it is over"});
    ASSERT_EQ(sink.events.size(), 3U);
    const auto hour = std::chrono::nanoseconds(1h).count();
    EXPECT_EQ(std::get<StepPoints>(sink.events[1].body).time_unix_ns.front(), hour);
    EXPECT_LT(sink.events[1].time_unix_ns, sink.events[0].time_unix_ns);
    EXPECT_GE(sink.events[2].time_unix_ns, sink.events[0].time_unix_ns);
    EXPECT_LT(sink.events[2].time_unix_ns, sink.events[0].time_unix_ns + hour);
}

}  // namespace
