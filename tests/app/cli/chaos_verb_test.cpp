// Faults on purpose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/chaos/journal_line.h"
#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"
#include "verbs_fixture.h"

namespace app::cli {
namespace {

// A journal that tells what a fault does within a second of it.
spec::TaskEvent afterNow(double seconds, const spec::TaskId& task, spec::EventBody body) {
    const auto now = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch());
    return {0, now.count() + static_cast<std::int64_t>(seconds * 1e9), task, std::move(body)};
}

std::vector<spec::TaskEvent> killAndReturn(const engine::chaos::Fault& fault) {
    const std::string reason = "killed by signal 9 (SIGKILL)";
    spec::StepPoints points{.step = {41}, .epoch = {0}, .time_unix_ns = {}};
    points.time_unix_ns = {afterNow(0.75, {}, spec::LogLine{}).time_unix_ns};
    return {afterNow(0, fault.task, spec::LogLine{spec::LogLevel::kWarning, engine::chaos::journalLine({fault, false})}),
            afterNow(0.25, fault.task, spec::StateChanged{spec::TaskState::kFailed, reason}),
            afterNow(0.5, fault.task, spec::AttemptStarted{2, 4, true, reason}), afterNow(0.75, {"worker", 0}, points)};
}

TEST_F(Verbs, PutsFaultsIntoARunAndSaysWhatBecameOfThem) {
    agent.runs.push_back({.id = "20261121-100000-0001", .state = RunState::kTraining, .run_dir = "/runs/1"});
    agent.on_fault = killAndReturn;
    spec::StepPoints points{.step = {40}, .epoch = {0}, .time_unix_ns = {1}};
    agent.events = {{0, 1, {"worker", 0}, points},
                    // Of an earlier command.
                    {0, 2, {"worker", 1}, spec::LogLine{spec::LogLevel::kWarning, "chaos: kill worker:1"}}};
    EXPECT_EQ(run({"chaos", "20261121", "--kill", "worker:1", "--at-step", "40"}), kDone) << err.str();
    EXPECT_EQ(agent.faults, (std::vector<engine::chaos::Fault>{{engine::chaos::FaultKind::kKill, {"worker", 1}}}));
    EXPECT_THAT(out.str(), testing::MatchesRegex("kill worker:1\n"
                                                 "  named after 0.2[0-9] s: worker 1: killed by signal 9 .SIGKILL.\n"
                                                 "  healed after 0.7[0-9] s: step 41 was done\n"));
    out.str("");
    EXPECT_EQ(run({"chaos", "--kill", "worker:1", "--json"}), kDone) << err.str();
    std::vector<std::string> kinds;
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) kinds.push_back(nlohmann::json::parse(line)["event"]);
    EXPECT_EQ(kinds, (std::vector<std::string>{"fault", "named", "healed", "finished"})) << out.str();
}

TEST_F(Verbs, SaysWhichFaultsWereRefusedOrDidNotHeal) {
    agent.runs.push_back({.id = "20261121-100000-0001", .state = RunState::kTraining, .run_dir = "/runs/1"});
    agent.on_fault = killAndReturn;
    agent.failure = engine::Error(engine::ErrorCode::kNotFound, "run 20261121-100000-0001: has no task worker:7");
    EXPECT_EQ(run({"chaos", "--kill", "worker:7"}), kFailed);
    EXPECT_EQ(err.str(), "error: kill worker:7: run 20261121-100000-0001: has no task worker:7\n");
    // One that may be done in a moment is tried as long as patience lasts.
    agent.failure = engine::Error(engine::ErrorCode::kAborted, "worker 1 has no process yet");
    err.str("");
    EXPECT_EQ(run({"chaos", "--kill", "worker:1", "--patience", "1ms"}), kFailed);
    EXPECT_EQ(err.str(), "error: kill worker:1: worker 1 has no process yet\n");
    agent.failure.reset();
    agent.over = true;
    agent.end_state = RunState::kFailed;
    agent.on_fault = [](const auto& fault) { return std::vector{killAndReturn(fault).front()}; };
    out.str("");
    EXPECT_EQ(run({"chaos", "--kill", "worker:1"}), kFailed);
    EXPECT_EQ(out.str(), "kill worker:1\n  not healed: the run is over: Failed\n");
    presses = 0;
    agent.over = false;
    EXPECT_EQ(run({"chaos", "--kill", "worker:1", "--after", "1h"}), kInterrupted);
}

TEST_F(Verbs, ReadsAndWritesScriptsOfFaults) {
    const tests::support::TempDir dir;
    const std::string file = dir.path() / "faults.txt";
    const std::vector<std::string> faults{"chaos", "--kill",    "worker:1", "--after", "20s",      "--stop",   "worker:0",       "--for",
                                          "2s",    "--at-step", "500",      "--skew",  "worker:1", "--by=-2s", "--write-script", file};
    EXPECT_EQ(run(faults), kDone) << err.str();
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    EXPECT_EQ(text.str(), "kill worker:1 after 20s\nstop worker:0 for 2s at-step 500\nskew worker:1 for 10s by -2s\n");
    std::ofstream(file) << "kill worker:1\nexplode worker:1\n";
    EXPECT_EQ(run({"chaos", "--script", file}), kUsage);
    EXPECT_EQ(err.str(), "error: " + file + ", line 2: expected kill, stop, slow, cut, fill-disk or skew, got \"explode\"\n");
    for (const auto& [arguments, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"chaos"}, "error: expected a fault, such as --kill worker:1, or --script FILE, got none\n"},
             {{"chaos", "--after", "5s"}, "error: --after: expected a fault such as --kill worker:1 before it, got none\n"},
             {{"chaos", "--kill", "node1"}, "error: --kill: expected a task such as worker:1, got \"node1\"\n"},
             {{"chaos", "--kill", "worker:1 for"}, "error: --kill: expected one word, got \"worker:1 for\"\n"},
             {{"chaos", "--kill", "worker:1", "--patience", "long"}, "error: --patience: expected a time such as 5m, got \"long\"\n"},
         }) {
        err.str("");
        EXPECT_EQ(run(arguments), kUsage);
        EXPECT_EQ(err.str(), message);
    }
    EXPECT_TRUE(agent.faults.empty());
}

}  // namespace
}  // namespace app::cli
