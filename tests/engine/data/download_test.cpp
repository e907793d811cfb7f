#include "engine/data/download.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/file_server.h"
#include "tests/support/temp_dir.h"

namespace engine::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::support::FileServer;

const std::string kText = "the quick brown fox jumps over the lazy dog";
constexpr const char* kSha256 = "05c6e08f1d9fdafa03147fcb8f82f124c76d2f70e3d989dc8aadb5e7d7450bec";
constexpr const char* kMd5 = "77add1d5f41223d5582fca736a5cb335";

class Download : public testing::Test {
protected:
    Download() { setenv("no_proxy", "127.0.0.1", 1); }

    RemoteFile file(std::vector<std::string> mirrors, const std::string& hash = kSha256) const {
        return {"fox.txt", static_cast<std::int64_t>(kText.size()), hash, std::move(mirrors)};
    }
    void writePart(const std::string& text) const { std::ofstream(dir_.path() / "fox.txt.part") << text; }
    std::string fetched() const {
        std::ifstream in(dir_.path() / "fox.txt");
        return {std::istreambuf_iterator<char>(in), {}};
    }
    Error refusal(const RemoteFile& wanted, const DownloadHooks& hooks = {}) const {
        try {
            fetchFiles({wanted}, dir_.path(), hooks);
        } catch (const Error& error) {
            EXPECT_FALSE(std::filesystem::exists(dir_.path() / "fox.txt"));
            return error;
        }
        return {ErrorCode::kInternal, "no error"};
    }

    tests::support::TempDir dir_;
    FileServer server_{
        {{"/fox.txt", kText},
         {"/wrong/fox.txt", "something else of forty-three characters..."},
         {"/breaks/fox.txt", kText},
         {"/stalls/fox.txt", kText},
         {"/whole/fox.txt", kText},
         {"/long/fox.txt", std::string(1000, 'x')}},
        {.breaks_off_after = {{"/breaks/fox.txt", 20}}, .stalls_after = {{"/stalls/fox.txt", 10}}, .ignores_ranges = {"/whole/fox.txt"}}};
};

TEST_F(Download, FetchesAFileAndTellsItsProgress) {
    std::vector<DownloadProgress> told;
    fetchFiles({file({server_.address()})}, dir_.path(), {.progress = [&](const DownloadProgress& step) { told.push_back(step); }});
    EXPECT_EQ(fetched(), kText);
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told.back().done, 43);
    EXPECT_EQ(told.back().total, 43);
    fetchFiles({file({server_.address()})}, dir_.path(), {});
    EXPECT_THAT(server_.requests(), ElementsAre("GET /fox.txt from 0"));
}

TEST_F(Download, TakesTheNextMirrorWhenOneIsBroken) {
    std::vector<std::string> log;
    const std::vector<std::string> mirrors{"http://127.0.0.1:1/", server_.address() + "nowhere/", server_.address() + "wrong/",
                                           server_.address()};
    fetchFiles({file(mirrors, kMd5)}, dir_.path(), {.log = [&](const std::string& text) { log.push_back(text); }});
    EXPECT_EQ(fetched(), kText);
    EXPECT_THAT(log, ElementsAre(HasSubstr("127.0.0.1:1"), HasSubstr("404"), HasSubstr("another checksum")));
}

TEST_F(Download, ContinuesAHalfFile) {
    writePart(kText.substr(0, 20));
    fetchFiles({file({server_.address()})}, dir_.path(), {});
    EXPECT_EQ(fetched(), kText);
    EXPECT_THAT(server_.requests(), ElementsAre("GET /fox.txt from 20"));
}

TEST_F(Download, StartsAnewWhereTheHalfFileWasAnother) {
    writePart("not the beginning");
    fetchFiles({file({server_.address()})}, dir_.path(), {});
    EXPECT_EQ(fetched(), kText);
    EXPECT_THAT(server_.requests(), ElementsAre("GET /fox.txt from 17", "GET /fox.txt from 0"));
}

TEST_F(Download, GoesOnWithTheNextMirrorWhereOneBrokeOff) {
    std::vector<std::string> log;
    fetchFiles({file({server_.address() + "breaks/", server_.address()})}, dir_.path(),
               {.log = [&](const std::string& text) { log.push_back(text); }});
    EXPECT_EQ(fetched(), kText);
    EXPECT_THAT(server_.requests(), ElementsAre("GET /breaks/fox.txt from 0", "GET /fox.txt from 20"));
    EXPECT_THAT(log, ElementsAre(HasSubstr("breaks/: ")));
}

TEST_F(Download, LeavesAMirrorThatStalls) {
    fetchFiles({file({server_.address() + "stalls/", server_.address()})}, dir_.path(), {.stalled = std::chrono::seconds(3)});
    EXPECT_EQ(fetched(), kText);
    EXPECT_THAT(server_.requests(), ElementsAre("GET /stalls/fox.txt from 0", "GET /fox.txt from 10"));
}

TEST_F(Download, TakesTheWholeFromAServerThatKnowsNoRanges) {
    writePart(kText.substr(0, 20));
    fetchFiles({file({server_.address() + "whole/"})}, dir_.path(), {});
    EXPECT_EQ(fetched(), kText);
    EXPECT_THAT(server_.requests(), ElementsAre("GET /whole/fox.txt from 20"));
}

TEST_F(Download, StopsAtTheLengthThatTheFileHas) {
    const Error error = refusal(file({server_.address() + "long/"}));
    EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
    EXPECT_THAT(error.what(), HasSubstr("fox.txt: could not be downloaded"));
}

TEST_F(Download, CanBeCancelledWhileAMirrorStalls) {
    const auto begin = std::chrono::steady_clock::now();
    const Error error =
        refusal(file({server_.address() + "stalls/"}),
                {.is_cancelled = [&] { return std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(300); }});
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
    EXPECT_TRUE(std::filesystem::exists(dir_.path() / "fox.txt.part"));  // the next call goes on with it
}

TEST_F(Download, SaysThatThereIsNoRoomForTheFile) {
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit room{20, 20};
        setrlimit(RLIMIT_FSIZE, &room);
        const Error error = refusal(file({server_.address()}));
        const bool is_named = std::string(error.what()).find("fox.txt.part: cannot be written: File too large") != std::string::npos;
        _exit(error.code() == ErrorCode::kResourceExhausted && is_named ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

TEST_F(Download, KeepsNothingWithAWrongChecksum) {
    const Error error = refusal(file({server_.address() + "wrong/"}));
    EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("fox.txt"), HasSubstr("another checksum than " + std::string(kSha256))));
    EXPECT_FALSE(std::filesystem::exists(dir_.path() / "fox.txt.part"));
}

TEST_F(Download, NamesEveryMirrorThatCouldNotBeReached) {
    const Error error = refusal(file({"http://127.0.0.1:1/a/", "http://127.0.0.1:1/b/"}));
    EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("http://127.0.0.1:1/a/: "), HasSubstr("http://127.0.0.1:1/b/: ")));
    EXPECT_EQ(refusal(file({server_.address()}), {.is_cancelled = [] { return true; }}).code(), ErrorCode::kCancelled);
}

TEST_F(Download, HappensOnceForTwoProgramsThatStartTogether) {
    std::array<int, 2> gate{};
    ASSERT_EQ(pipe(gate.data()), 0);
    std::array<pid_t, 2> children{};
    for (pid_t& child : children) {
        child = fork();
        if (child == 0) {
            close(gate[1]);
            char none = 0;
            [[maybe_unused]] const ssize_t opened = read(gate[0], &none, 1);  // until the parent closes it
            try {
                fetchFiles({file({server_.address()})}, dir_.path(), {});
                _exit(0);
            } catch (const Error&) {
                _exit(1);
            }
        }
    }
    close(gate[0]);
    close(gate[1]);
    for (const pid_t child : children) {
        int status = -1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(fetched(), kText);
    EXPECT_THAT(server_.requests(), ElementsAre("GET /fox.txt from 0"));
}

}  // namespace
}  // namespace engine::data
