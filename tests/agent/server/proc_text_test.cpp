#include "agent/load/proc_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace agent::load;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

bool everyone(int /*index*/) {
    return true;
}

constexpr const char* kStat =
    "cpu  300 0 200 3000 50 0 0 0 0 0\n"
    "cpu0 100 5 80 1000 20 3 2 7 0 0\n"
    "cpu1 200 0 120 2000 30 0 0 0 0 0\n"
    "intr 123 456\nctxt 99\nbtime 1700000000\n";

TEST(ProcText, SumsTheTicksOfEachProcessor) {
    EXPECT_EQ(parseCpuTicks(kStat, everyone), (CpuTicks{197 + 320, 1020 + 2030, 2}));
}

TEST(ProcText, LeavesOutProcessorsThatDoNotCount) {
    EXPECT_EQ(parseCpuTicks(kStat, [](int index) { return index == 1; }), (CpuTicks{320, 2030, 1}));
    EXPECT_EQ(parseCpuTicks(kStat, [](int) { return false; }), CpuTicks{});
}

TEST(ProcText, ReadsTheShortLinesOfOldKernels) {
    EXPECT_EQ(parseCpuTicks("cpu0 10 1 5 100\n", everyone), (CpuTicks{16, 100, 1}));
}

TEST(ProcText, SkipsProcessorsWhoseLineIsRubbish) {
    const char* rows[] = {"cpu0 1 2 3",  // no idle time
                          "cpu0 1 2 x 4 5",
                          "cpu0 1 2 -3 4 5",
                          "cpu0 99999999999999999999 1 1 1 1",
                          "cpu0 9223372036854775807 9223372036854775807 1 1 1",
                          "cpu0",
                          "cpuX 1 2 3 4 5",
                          "cpu99999999999 1 2 3 4 5",
                          "",
                          "\n\n\t \r\n",
                          "cpu0 1 2 3 4",
                          "cpu0\0 1"};
    for (const char* row : rows) {
        const CpuTicks ticks = parseCpuTicks(std::string(row) + "\ncpu7 1 1 1 9 1\n", everyone);
        EXPECT_GE(ticks.cores, 1) << row;
        EXPECT_LE(ticks.cores, 2) << row;
        EXPECT_GE(ticks.busy, 3) << row;
        EXPECT_LE(ticks.busy, 9) << row;
    }
}

TEST(ProcText, KnowsWhatMemoryANewProgramCouldNotGet) {
    EXPECT_EQ(parseMemory("MemTotal:       16000 kB\nMemFree:  100 kB\nMemAvailable:    12000 kB\nSwapTotal: 5 kB\n"),
              (MemoryUse{4000 * 1024, 16000 * 1024}));
}

TEST(ProcText, NoMemoryFileIsNoMemory) {
    EXPECT_EQ(parseMemory(""), MemoryUse{});
    EXPECT_EQ(parseMemory("MemTotal: many kB\nMemAvailable: 7 kB\n"), (MemoryUse{0, 0})) << "never below nothing";
    EXPECT_EQ(parseMemory("MemTotal: 9223372036854775807 kB\n"), MemoryUse{}) << "would not fit in bytes";
    EXPECT_EQ(parseMemory("XMemTotal: 5 kB\nMemTotal 5 kB\n"), MemoryUse{});
}

TEST(ProcText, CountsBytesOfEveryInterface) {
    const char* text =
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed\n"
        "    lo: 1000 10 0 0 0 0 0 0 1000 10 0 0 0 0 0 0\n"
        "  eth0:5000 50 1 2 3 4 5 6 700 7 0 0 0 0 0 0\n"
        "br-0a1b: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n";
    EXPECT_THAT(parseInterfaces(text),
                ElementsAre(InterfaceBytes{"lo", 1000, 1000}, InterfaceBytes{"eth0", 5000, 700}, InterfaceBytes{"br-0a1b", 1, 9}));
}

TEST(ProcText, SkipsInterfacesWhoseLineIsRubbish) {
    EXPECT_THAT(parseInterfaces(""), IsEmpty());
    EXPECT_THAT(parseInterfaces(":::\n: 1 2 3 4 5 6 7 8 9\neth0: 1 2 3\neth1: a 2 3 4 5 6 7 8 9\neth2: 1 2 3 4 5 6 7 8 -9\neth3 1 2\n"),
                IsEmpty());
}

// Fields 3 to 24 of a process that has a name which tries to look like them.
std::string stat(const std::string& name, const std::string& state = "S") {
    return "4711 (" + name + ") " + state + " 1 4711 4711 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 9 0 123456 999999 2048 184467\n";
}

TEST(ProcText, ReadsTimeStartAndMemoryOfAProcess) {
    for (const char* name : {"tandem-worker", "a b", "x) R 9 9 9 9 9 9 9 9 9 9 9 9 (", ""}) {
        EXPECT_EQ(parseProcess(stat(name)), (ProcessUse{123456, 300, 2048})) << name;
    }
}

TEST(ProcText, AProcessThatIsOverOrRubbishIsNone) {
    for (const std::string& text : {std::string(), std::string("4711"), std::string("4711 (x)"), std::string("4711 (x) S 1 2 3"),
                                    stat("x", "Z"), stat("x", "X"), std::string("(x) S a b c d e f g h i j k l m n o p q r s t u v w")}) {
        EXPECT_EQ(parseProcess(text), std::nullopt) << text;
    }
}

}  // namespace
