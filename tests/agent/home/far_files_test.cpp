#include "agent/home/far_files.h"

#include <fstream>
#include <limits>

#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace agent::home {
namespace {

using namespace std::chrono_literals;

TEST(PatienceFor, GrowsWithTheSizeOfAFile) {
    EXPECT_EQ(patienceFor(0), 60s);
    EXPECT_EQ(patienceFor(5'000'000), 160s);
    EXPECT_EQ(patienceFor(20'000'000'000), 400'060s);
    EXPECT_EQ(patienceFor(-1), 60s);
    // Whatever another computer calls a size: a deadline counts nanoseconds from 1970.
    constexpr std::chrono::nanoseconds kLast = std::chrono::nanoseconds::max();
    EXPECT_LT(patienceFor(std::numeric_limits<std::int64_t>::max()),
              std::chrono::duration_cast<std::chrono::seconds>(kLast - std::chrono::system_clock::now().time_since_epoch()));
}

TEST(FileThere, EndsWhenNobodyWaitsForItAnyMore) {
    const tests::support::TempDir dir;
    std::ofstream(dir.path() / "weights") << "weights";
    client::PartClient parts(std::make_shared<client::AgentChannel>(dir.path() / "no agent"));
    try {
        fileThere(dir.path() / "weights", parts, 1s, [] { return true; });
        ADD_FAILURE() << "no error";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kCancelled) << error.what();
    }
}

}  // namespace
}  // namespace agent::home
