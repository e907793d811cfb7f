#include "engine/chaos/fault.h"

#include <gtest/gtest.h>

#include "engine/chaos/journal_line.h"

namespace {

using namespace std::chrono_literals;
using namespace engine::chaos;

const engine::spec::TaskId kWorker0{"worker", 0}, kWorker1{"worker", 1};

TEST(Fault, EveryKindIsReadAsItIsWritten) {
    for (const FaultTraits& kind : faultKinds()) {
        Fault fault = usualFault(kind.kind, kWorker1);
        if (kind.has_peer) fault.peer = kWorker0;
        EXPECT_EQ(faultProblem(fault), "") << kind.word;
        EXPECT_EQ(parseFault(toText(fault)), fault) << toText(fault);
        for (const bool is_over : {false, true}) {
            const auto line = parseJournalLine(journalLine({fault, is_over}));
            ASSERT_TRUE(line) << journalLine({fault, is_over});
            EXPECT_EQ(line->fault, fault);
            EXPECT_EQ(line->is_over, is_over);
        }
    }
    EXPECT_EQ(toText(Fault{FaultKind::kSkew, kWorker1, {}, 10s, -1500ms}), "skew worker:1 for 10s by -1500ms");
    EXPECT_EQ(journalLine({usualFault(FaultKind::kKill, {"ps", 0}), false}), "chaos: kill ps:0");
}

TEST(Fault, OtherLinesOfAJournalAreNone) {
    for (const char* text :
         {"", "chaos: ", "chaos: over: ", "chaos: kill", "chaos: kill worker:1 for 5s", "chaos: kill worker:1\n", "kill worker:1",
          "chaos: stop worker:1", "chaos: kill worker:1\nkill worker:0", "chaos: over: over: kill worker:1"}) {
        EXPECT_FALSE(parseJournalLine(text)) << text;
    }
}

TEST(Fault, TasksAndDurationsAreRead) {
    EXPECT_EQ(parseTask("chief:0"), (engine::spec::TaskId{"chief", 0}));
    EXPECT_EQ(parseTask("ps:9999"), (engine::spec::TaskId{"ps", 9999}));
    for (const char* text : {"worker", "worker:", "worker:-1", "worker:1x", "worker:10000", "Worker:1", ":1", "worker 1"}) {
        EXPECT_FALSE(parseTask(text)) << text;
    }
    EXPECT_EQ(parseDuration("20s"), 20s);
    EXPECT_EQ(parseDuration("0ms"), 0ms);
    EXPECT_EQ(parseDuration("-2m"), -2min);
    EXPECT_EQ(parseDuration("24h"), 24h);
    for (const char* text : {"", "20", "s", "20 s", "1.5s", "25h", "86400001ms", "99999999999999999999s", "--2s", "2S"}) {
        EXPECT_FALSE(parseDuration(text)) << text;
    }
    EXPECT_EQ(toText(0ms), "0s");
    EXPECT_EQ(toText(90s), "90s");
    EXPECT_EQ(toText(120s), "2m");
}

TEST(Fault, SaysWhyThereIsNoSuchFault) {
    const auto problem = [](FaultKind kind, std::chrono::milliseconds lasting, std::chrono::milliseconds amount) {
        return faultProblem({kind, kWorker1, {}, lasting, amount});
    };
    EXPECT_EQ(problem(FaultKind::kKill, 5s, 0s), "kill: expected no \"for\", since it does not last");
    EXPECT_EQ(problem(FaultKind::kStop, 0s, 0s), "stop: expected \"for\" above 0 and up to 1h, got 0s");
    EXPECT_EQ(problem(FaultKind::kStop, 2h, 0s), "stop: expected \"for\" above 0 and up to 1h, got 2h");
    EXPECT_EQ(problem(FaultKind::kStop, 5s, 1s), "stop: expected no \"by\"");
    EXPECT_EQ(problem(FaultKind::kSlow, 5s, 0s), "slow: expected \"by\" from 1ms to 10s, got 0s");
    EXPECT_EQ(problem(FaultKind::kSkew, 5s, 0s), "skew: expected \"by\" from -1h to 1h and not 0, got 0s");
    EXPECT_EQ(problem(FaultKind::kCut, 5s, 0s), "cut: expected two tasks, such as worker:1-worker:0, got one");
    EXPECT_EQ(faultProblem({FaultKind::kCut, kWorker1, kWorker1, 5s, 0s}), "cut: expected two different tasks, got worker:1 twice");
    EXPECT_EQ(faultProblem({FaultKind::kStop, kWorker1, kWorker0, 5s, 0s}), "stop: expected one task, got two");
}

}  // namespace
