#include "agent/local/program_output.h"

#include <functional>
#include <optional>

#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace agent::convert {
namespace {

using namespace std::chrono_literals;
using engine::ErrorCode;

std::optional<ErrorCode> codeOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const engine::Error& error) {
        return error.code();
    }
    return std::nullopt;
}

TEST(ProgramOutput, IsWhatTheProgramWroteAndHowItEnded) {
    const ProgramEnd end = runProgram({"sh", "-c", "echo one; echo two >&2; exit 3"}, 60s);
    EXPECT_EQ(end, (ProgramEnd{.exit_code = 3, .output = "one\n", .errors = "two\n"}));
    EXPECT_EQ(runProgram({"pwd"}, 60s, "/").output, "/\n");
    EXPECT_EQ(runProgram({"sh", "-c", "kill -9 $$"}, 60s).exit_code, -1);
    EXPECT_EQ(runProgram({"cat"}, 60s).output, "") << "there is nothing to read";
}

TEST(ProgramOutput, IsKeptUpToItsLimit) {
    const ProgramEnd end = runProgram({"head", "-c", "9000000", "/dev/zero"}, 60s);
    EXPECT_EQ(end.exit_code, 0);
    EXPECT_EQ(end.output.size(), 4u << 20);
}

TEST(ProgramOutput, EndsAtItsDeadline) {
    EXPECT_EQ(codeOf([] { runProgram({"sleep", "1000"}, 50ms); }), ErrorCode::kDeadlineExceeded);
    EXPECT_EQ(codeOf([] {
                  runProgram({"sh", "-c", "exec >&- 2>&-; sleep 1000"}, 50ms);
              }),
              ErrorCode::kDeadlineExceeded)
        << "also without its outputs";
    EXPECT_EQ(codeOf([] { runProgram({"no-such-program-here"}, 1s); }), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace agent::convert
