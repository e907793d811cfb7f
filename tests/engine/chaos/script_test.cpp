#include "engine/chaos/script.h"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using namespace engine::chaos;

const engine::spec::TaskId kWorker0{"worker", 0}, kWorker1{"worker", 1};

TEST(ChaosScript, IsAFaultALineWithItsMoment) {
    const ReadScript read = readScript(
        "# what is to happen\n"
        "kill worker:1 after 20s\n"
        "\n"
        "  stop worker:0 for 2s at-step 500   # then it goes on\r\n"
        "slow worker:1\n"
        "cut worker:1-worker:0 after 1m for 30s\n"
        "skew worker:0 by -2s");
    EXPECT_TRUE(read.problems.empty()) << toString(read.problems.front());
    const std::vector<Step> expected{
        {{FaultKind::kKill, kWorker1}, 20s, 0},
        {{FaultKind::kStop, kWorker0, {}, 2s}, 0s, 500},
        {{FaultKind::kSlow, kWorker1, {}, 10s, 20ms}, 0s, 0},
        {{FaultKind::kCut, kWorker1, kWorker0, 30s}, 1min, 0},
        {{FaultKind::kSkew, kWorker0, {}, 10s, -2s}, 0s, 0},
    };
    EXPECT_EQ(read.steps, expected);
    EXPECT_EQ(readScript(toText(expected)).steps, expected) << toText(expected);
    EXPECT_EQ(toText(expected),
              "kill worker:1 after 20s\nstop worker:0 for 2s at-step 500\nslow worker:1 for 10s by 20ms\n"
              "cut worker:1-worker:0 for 30s after 1m\nskew worker:0 for 10s by -2s\n");
}

TEST(ChaosScript, NothingIsAScriptWithoutFaults) {
    for (const char* text : {"", "\n\n", "# nothing\n", " \t"}) {
        EXPECT_TRUE(readScript(text).steps.empty()) << text;
        EXPECT_TRUE(readScript(text).problems.empty()) << text;
    }
}

TEST(ChaosScript, NamesLineExpectationAndFactOfEveryProblem) {
    struct Row {
        const char* text;
        const char* message;
    };
    for (const Row& row : std::initializer_list<Row>{
             {"explode worker:1", "expected kill, stop, slow, cut, fill-disk or skew, got \"explode\""},
             {"kill", "kill: expected a task behind it, such as worker:1, got nothing"},
             {"kill node1", "kill: expected a task such as worker:1, got \"node1\""},
             {"cut worker:1-node", "cut: expected two tasks such as worker:1-worker:0, got \"worker:1-node\""},
             {"cut worker:1", "cut: expected two tasks, such as worker:1-worker:0, got one"},
             {"kill worker:1 soon", "kill: expected after, at-step, for or by, got \"soon\""},
             {"kill worker:1 after", "after: expected a time such as 20s or 500ms, up to a day, got nothing"},
             {"kill worker:1 after 20", "after: expected a time such as 20s or 500ms, up to a day, got \"20\""},
             {"kill worker:1 after -1s", "after: expected a time such as 20s or 500ms, up to a day, got \"-1s\""},
             {"kill worker:1 at-step 0", "at-step: expected the number of a step, from 1, got \"0\""},
             {"kill worker:1 at-step", "at-step: expected the number of a step, from 1, got nothing"},
             {"kill worker:1 after 1s after 2s", "kill: expected after once, got it twice"},
             {"kill worker:1 after 1s at-step 5", "kill: expected after or at-step, got both"},
             {"kill worker:1 for 5s", "kill: expected no \"for\", since it does not last"},
             {"stop worker:1 for 0s", "stop: expected \"for\" above 0 and up to 1h, got 0s"},
         }) {
        const ReadScript read = readScript(std::string("# first\n") + row.text + "\nkill worker:0\n");
        ASSERT_EQ(read.problems.size(), 1U) << row.text;
        EXPECT_EQ(read.problems[0].path, "line 2");
        EXPECT_EQ(read.problems[0].message, row.message);
        EXPECT_EQ(read.steps.size(), 1U) << "the other line is read";
    }
}

TEST(ChaosScript, HasAnEnd) {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += "kill worker:1\n";
    const ReadScript read = readScript(text);
    EXPECT_EQ(read.steps.size(), kMostSteps);
    ASSERT_EQ(read.problems.size(), 1U);
    EXPECT_EQ(toString(read.problems[0]), "error: line 1001: expected up to 1000 faults, got more");
}

}  // namespace
