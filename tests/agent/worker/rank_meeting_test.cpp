#include "agent/worker/rank_meeting.h"

#include <fstream>
#include <future>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace agent::worker {
namespace {

using engine::Error;
using engine::ErrorCode;
namespace fs = std::filesystem;
using ::testing::HasSubstr;

class RankMeetingTest : public testing::Test {
protected:
    MeetingOptions rank(std::size_t rank, std::size_t size, std::chrono::milliseconds deadline = std::chrono::hours(1)) const {
        return {.folder = dir_.path() / "meeting", .rank = rank, .size = size, .host = "node" + std::to_string(rank), .deadline = deadline};
    }
    static std::pair<ErrorCode, std::string> refusal(const MeetingOptions& options) {
        try {
            const RankMeeting meeting(options);
            return {ErrorCode::kInternal, "no refusal"};
        } catch (const Error& error) {
            return {error.code(), error.what()};
        }
    }
    tests::support::TempDir dir_;
};

TEST_F(RankMeetingTest, EachLearnsTheHostsOfAll) {
    std::vector<std::future<std::unique_ptr<RankMeeting>>> coming;
    for (std::size_t own : {2U, 0U, 1U}) {
        coming.push_back(std::async(std::launch::async, [this, own] { return std::make_unique<RankMeeting>(rank(own, 3)); }));
    }
    std::vector<std::unique_ptr<RankMeeting>> there;
    for (auto& one : coming) there.push_back(one.get());
    for (const auto& meeting : there) EXPECT_EQ(meeting->hosts(), (std::vector<std::string>{"node0", "node1", "node2"}));
    there.pop_back();
    EXPECT_TRUE(fs::exists(dir_.path() / "meeting"));
    there.clear();
    EXPECT_FALSE(fs::exists(dir_.path() / "meeting")) << "the last one takes it along";
}

TEST_F(RankMeetingTest, NamesTheRanksThatDidNotCome) {
    const auto [code, text] = refusal(rank(1, 3, std::chrono::milliseconds(0)));
    EXPECT_EQ(code, ErrorCode::kDeadlineExceeded);
    EXPECT_EQ(text, (dir_.path() / "meeting").string() +
                        ": expected all 3 ranks there within 0 s, got none of 0, 2; --meet must be a folder that every rank sees");
    EXPECT_FALSE(fs::exists(dir_.path() / "meeting"));
    EXPECT_THAT(refusal(rank(0, 20, std::chrono::milliseconds(0))).second, HasSubstr("got none of 1, 2, 3, 4, 5, 6, 7, 8 and 11 more; "));
}

TEST_F(RankMeetingTest, EndsWhenItIsToldTo) {
    MeetingOptions options = rank(0, 2);
    options.is_cancelled = [] { return true; };
    EXPECT_EQ(refusal(options).first, ErrorCode::kCancelled);
}

TEST_F(RankMeetingTest, AFolderOfAnotherStartIsRefused) {
    fs::create_directory(dir_.path() / "meeting");
    std::ofstream(dir_.path() / "meeting/rank-0") << "elsewhere\n";
    const auto [code, text] = refusal(rank(0, 2));
    EXPECT_EQ(code, ErrorCode::kAlreadyExists);
    EXPECT_THAT(text, HasSubstr("expected no rank 0 there yet, got the file of another"));
    EXPECT_TRUE(fs::exists(dir_.path() / "meeting/rank-0")) << "it is not this rank's to remove";
}

TEST_F(RankMeetingTest, WhatIsNoNameIsRefused) {
    fs::create_directory(dir_.path() / "meeting");
    for (const std::string& text : {std::string("a b\n"), std::string("\n"), std::string("half"), std::string(300, 'a') + "\n"}) {
        std::ofstream(dir_.path() / "meeting/rank-1") << text;
        const auto [code, message] = refusal(rank(0, 2));
        EXPECT_EQ(code, ErrorCode::kInvalidArgument) << text;
        EXPECT_THAT(message, HasSubstr("rank-1: expected the name of a host, as a rank leaves it, got something else"));
    }
}

TEST_F(RankMeetingTest, AFolderThatCannotBeMadeIsNamed) {
    MeetingOptions options = rank(0, 2);
    options.folder = dir_.path() / "no/such";
    EXPECT_THAT(refusal(options).second, HasSubstr("no/such: expected a folder that every rank sees: No such file or directory"));
}

}  // namespace
}  // namespace agent::worker
