#include "agent/worker/sinks/event_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <semaphore>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/local/control_file.h"
#include "agent/wire/delimited.h"
#include "agent/wire/run_convert.h"
#include "agent/wire/task_event_convert.h"
#include "agent/worker/control_watch.h"
#include "engine/spec/error.h"
#include "tests/support/small_disk.h"
#include "tests/support/temp_dir.h"

namespace agent::worker {
namespace {

namespace fs = std::filesystem;
namespace spec = engine::spec;
using namespace std::chrono_literals;
using engine::files::SafeFolder;

spec::TaskId theTask() {
    return {"worker", 1};
}

spec::TaskEvent line(const std::string& text) {
    return {.sequence = 0, .time_unix_ns = 5, .task = theTask(), .body = spec::LogLine{spec::LogLevel::kInfo, text}};
}

spec::TaskEvent points(std::int64_t first, int steps) {
    spec::StepPoints pack;
    for (int i = 0; i < steps; ++i) {
        pack.step.push_back(first + i);
        pack.epoch.push_back(0);
        pack.time_unix_ns.push_back(first + i);
    }
    pack.columns.push_back({"loss", std::vector<float>(static_cast<std::size_t>(steps), 0.5F)});
    return {.sequence = 0, .time_unix_ns = 5, .task = theTask(), .body = pack};
}

std::vector<proto::TaskEvent> messagesIn(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::string_view rest = bytes;
    std::vector<proto::TaskEvent> messages;
    while (const auto found = convert::firstDelimited(rest)) {
        EXPECT_TRUE(messages.emplace_back().ParseFromArray(found->data(), static_cast<int>(found->size())));
        rest.remove_prefix(static_cast<std::size_t>(found->data() + found->size() - rest.data()));
    }
    EXPECT_TRUE(rest.empty()) << rest.size() << " bytes are no whole message";
    return messages;
}

proto::TaskStart start(const std::string& name) {
    proto::TaskStart out;
    out.set_version(1);
    out.set_run_name(name);
    return out;
}

TEST(EventFile, TellsItsStartFirstAndThenWhatWaitedForIt) {
    const tests::support::TempDir dir;
    EventFile file;
    file.send(line("before"));
    EXPECT_TRUE(file.confirmKept(1s)) << "a task without a folder relies on none";
    file.open(SafeFolder::open(dir.path()), EventFile::Begin::kGoOn, theTask(), start("mnist"));
    file.sendLive({.sequence = 0, .time_unix_ns = 6, .task = theTask(), .body = spec::Heartbeat{3, 4, 0.5}},
                  {.exchange = spec::ExchangeState{}, .host = {}});
    EXPECT_TRUE(file.confirmKept(1s));
    const auto messages = messagesIn(dir.path() / "events" / "worker-1.events");
    ASSERT_EQ(messages.size(), 3U);
    EXPECT_EQ(messages[0].start().run_name(), "mnist");
    EXPECT_GT(messages[0].time_unix_ns(), 0);
    EXPECT_EQ(messages[1].log_line().text(), "before");
    EXPECT_TRUE(messages[2].heartbeat().has_exchange());
}

TEST(EventFile, TellsWhatTheComputerUsesInFewBytes) {
    const tests::support::TempDir dir;
    const fs::path name = dir.path() / "events" / "worker-1.events";
    EventFile file;
    file.open(SafeFolder::open(dir.path()), EventFile::Begin::kGoOn, theTask(), start("mnist"));
    const spec::TaskEvent beat{.sequence = 0, .time_unix_ns = 6, .task = theTask(), .body = spec::Heartbeat{100'000, 4LL << 30, 0.5}};
    const auto before = fs::file_size(name);
    file.send(beat);
    const auto alone = fs::file_size(name) - before;
    const spec::HostLoad load{.time_unix_ns = 1'800'000'000'000'000'000,
                              .interval_s = 10.0001,
                              .cpu_cores = 63.7,
                              .cores = 64,
                              .memory_used_bytes = 400LL << 30,
                              .memory_bytes = 512LL << 30,
                              .received_bytes_per_s = 1.1e9,
                              .sent_bytes_per_s = 1.2e9,
                              .loopback_bytes_per_s = 1.3e7,
                              .tasks = {},
                              .gpus = {{"NVIDIA H200", 0.97, 100LL << 30, 140LL << 30}}};
    file.sendLive(beat, {.exchange = {}, .host = load});
    constexpr std::uintmax_t kReadingsOfADay = 600 + (86'400 - 600) / 10, kMost = 2u << 20;
    EXPECT_LT((fs::file_size(name) - before - 2 * alone) * kReadingsOfADay, kMost);
    const auto messages = messagesIn(name);
    ASSERT_EQ(messages.size(), 3U);
    EXPECT_FALSE(messages[1].heartbeat().has_host());
    spec::HostLoad told = convert::fromProto(messages[2].heartbeat().host());
    told.time_unix_ns = load.time_unix_ns;  // the heartbeat's is told
    EXPECT_EQ(told, load);
}

TEST(EventFile, GoesOnBehindAnEarlierStartThatWasKilledInAMessage) {
    const tests::support::TempDir dir;
    const fs::path name = dir.path() / "events" / "worker-1.events";
    {
        EventFile file;
        file.open(SafeFolder::open(dir.path()), EventFile::Begin::kGoOn, theTask(), start("first"));
        file.send(line(std::string(3000, 'x')));
    }
    fs::resize_file(name, fs::file_size(name) - 7);
    EventFile file;
    file.open(SafeFolder::open(dir.path()), EventFile::Begin::kGoOn, theTask(), start("second"));
    file.send(line("on"));
    const auto messages = messagesIn(name);
    ASSERT_EQ(messages.size(), 3U);
    EXPECT_EQ(messages[1].start().run_name(), "second");
    EXPECT_EQ(messages[2].log_line().text(), "on");

    EventFile anew;
    anew.open(SafeFolder::open(dir.path()), EventFile::Begin::kAnew, theTask(), start("third"));
    EXPECT_EQ(messagesIn(name).size(), 1U);
}

TEST(EventFile, WhileTheDiskIsFullPointsAreLeftOutAndCountedAndNothingElse) {
    const tests::support::TempDir dir;
    std::optional<tests::support::SmallDisk> disk(1u << 20);
    EventFile file;
    file.open(SafeFolder::open(dir.path()), EventFile::Begin::kGoOn, theTask(), start("run"));
    constexpr int kPacks = 4000, kSteps = 200;  // far above what the disk and the memory that waits take
    file.send(line("first"));
    for (int i = 0; i < kPacks; ++i) file.send(points(1 + i * kSteps, kSteps));
    EXPECT_FALSE(file.confirmKept(1s)) << "the disk is full";
    file.send(line("in between"));
    disk.reset();
    file.send(line("last"));
    EXPECT_TRUE(file.confirmKept(1s));

    std::int64_t kept = 0;
    std::vector<std::string> texts;
    for (const proto::TaskEvent& message : messagesIn(dir.path() / "events" / "worker-1.events")) {
        kept += message.step_points().step_size();
        if (message.has_log_line()) texts.push_back(message.log_line().text());
    }
    EXPECT_LT(kept, std::int64_t{kPacks} * kSteps);
    EXPECT_THAT(texts, testing::ElementsAre("first",
                                            "events: the points of " + std::to_string(std::int64_t{kPacks} * kSteps - kept) +
                                                " steps are left out, for the disk had no room for them",
                                            "in between", "last"));
}

TEST(ControlWatch, ObeysWhatIsAskedAfterItsStartAndSaysOnceWhatItCannotRead) {
    const tests::support::TempDir dir;
    const auto folder = std::make_shared<const SafeFolder>(SafeFolder::open(dir.path()));
    convert::addControl(*folder, {spec::ControlVerb::kStop, 0});  // of an earlier start
    // Written by the watch's thread.
    std::mutex mutex;
    std::vector<spec::ControlVerb> heard;
    std::vector<std::string> problems;
    std::counting_semaphore told(0);
    const auto wait = [&] { return told.try_acquire_for(60s); };
    ControlWatch watch(folder,
                       {.control =
                            [&](const spec::Control& control) {
                                const std::lock_guard lock(mutex);
                                heard.push_back(control.verb);
                                told.release();
                            },
                        .problem =
                            [&](const std::string& text) {
                                const std::lock_guard lock(mutex);
                                problems.push_back(text);
                                told.release();
                            }},
                       1ms);
    convert::addControl(*folder, {spec::ControlVerb::kPause, 0});
    convert::addControl(*folder, {spec::ControlVerb::kResume, 0});
    ASSERT_TRUE(wait() && wait());
    const auto allHeard = [&] {
        const std::lock_guard lock(mutex);
        return heard;
    };
    const auto allProblems = [&] {
        const std::lock_guard lock(mutex);
        return problems;
    };
    EXPECT_THAT(allHeard(), testing::ElementsAre(spec::ControlVerb::kPause, spec::ControlVerb::kResume));
    std::ofstream(dir.path() / convert::kControlFile) << "{";
    ASSERT_TRUE(wait());
    EXPECT_THAT(allProblems(), testing::ElementsAre(testing::HasSubstr("control.json: expected a JSON object")));
    convert::addControl(*folder, {spec::ControlVerb::kStep, 0});
    ASSERT_TRUE(wait());
    EXPECT_EQ(allHeard().back(), spec::ControlVerb::kStep);
    EXPECT_EQ(allProblems().size(), 1U) << "the same mistake is told once";
}

}  // namespace
}  // namespace agent::worker
