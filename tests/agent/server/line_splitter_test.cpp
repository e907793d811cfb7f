#include "agent/server/runs/line_splitter.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using agent::server::LineSplitter;
using ::testing::ElementsAre;

std::vector<std::string> split(const std::vector<std::string>& parts) {
    LineSplitter splitter;
    std::vector<std::string> lines;
    const auto sink = [&](std::string line) { lines.push_back(std::move(line)); };
    for (const std::string& part : parts) {
        splitter.feed(part, sink);
    }
    splitter.flush(sink);
    return lines;
}

TEST(LineSplitter, MakesLinesOfWhateverPiecesArrive) {
    EXPECT_THAT(split({"fir", "st\nsec", "ond\n", "third"}), ElementsAre("first", "second", "third"));
}

TEST(LineSplitter, EndsALineAtACarriageReturnToo) {
    EXPECT_THAT(split({"10%\r20%\r\ndone\n"}), ElementsAre("10%", "20%", "done"));
}

TEST(LineSplitter, LeavesOutEmptyLines) {
    EXPECT_THAT(split({"\n\n\na\n\n"}), ElementsAre("a"));
}

TEST(LineSplitter, CutsALineWithoutEnd) {
    const std::size_t limit = LineSplitter::kMaxLineBytes;
    const auto lines = split({std::string(2 * limit + 1, 'x'), std::string(1, 'y') + "\n"});
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0].size(), limit);
    EXPECT_EQ(lines[1].size(), limit);
    EXPECT_EQ(lines[2], "xy");
}

}  // namespace
