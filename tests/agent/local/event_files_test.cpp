#include "agent/local/event_files.h"

#include <csignal>
#include <filesystem>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/local/process_mark.h"
#include "tests/support/temp_dir.h"

namespace agent::convert {
namespace {

TEST(EventFiles, HaveTheNamesOfTheirTasks) {
    EXPECT_EQ(eventFileName({"worker", 12}), "worker-12.events");
    EXPECT_EQ(taskOfEventFile("worker-12.events"), (engine::spec::TaskId{"worker", 12}));
    EXPECT_EQ(taskOfEventFile("ps-0.events"), (engine::spec::TaskId{"ps", 0}));
    for (const char* name : {"worker-12", "worker.events", "worker-.events", "worker-1x.events", "worker--1.events", "worker-01.events",
                             "-1.events", "Worker-1.events", "../a-1.events", "worker-99999999999.events", ".events", ""}) {
        EXPECT_FALSE(taskOfEventFile(name)) << name;
    }
}

TEST(EventFiles, SayWhichRunIsFollowed) {
    const tests::support::TempDir dir;
    EXPECT_FALSE(isFollowed(dir.path(), "run-1"));
    noteFollowed(engine::files::SafeFolder::open(dir.path()), "run-1");
    EXPECT_TRUE(isFollowed(dir.path(), "run-1"));
    EXPECT_FALSE(isFollowed(dir.path(), "run-2")) << "another one has the folder now";
    EXPECT_FALSE(isFollowed(dir.path() / "gone", "run-1"));
    noteFollowed(engine::files::SafeFolder::open(dir.path()), "run-2");
    EXPECT_TRUE(isFollowed(dir.path(), "run-2"));
    noteFollowed(engine::files::SafeFolder::open(dir.path()), "run-1");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1) << "the note alone";
    forgetFollowed(dir.path());
    forgetFollowed(dir.path());
    EXPECT_FALSE(isFollowed(dir.path(), "run-1")) << "an agent trains there now";
}

TEST(ProcessMark, KnowsWhoIsGone) {
    EXPECT_EQ(lifeOf(ownProcessMark()), ProcessLife::kAlive);
    int ready[2] = {-1, -1};
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const std::string mark = ownProcessMark();
        const ssize_t written = ::write(ready[1], mark.data(), mark.size());
        ::pause();
        ::_exit(written > 0 ? 0 : 1);
    }
    char text[256];
    const ssize_t got = ::read(ready[0], text, sizeof text);
    ASSERT_GT(got, 0);
    const std::string mark(text, static_cast<std::size_t>(got));
    EXPECT_NE(mark, ownProcessMark());
    EXPECT_EQ(lifeOf(mark), ProcessLife::kAlive);
    ::kill(child, SIGKILL);
    siginfo_t ended{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
    EXPECT_EQ(lifeOf(mark), ProcessLife::kGone) << "before its parent has asked how it ended";
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(lifeOf(mark), ProcessLife::kGone);
    ::close(ready[0]);
    ::close(ready[1]);
}

TEST(ProcessMark, OfAnotherComputerSaysNothing) {
    std::string mark = ownProcessMark();
    mark.front() = mark.front() == 'a' ? 'b' : 'a';
    EXPECT_EQ(lifeOf(mark), ProcessLife::kUnknown);
    for (const char* text : {"", "x", "boot pid:[1] 7", "boot pid:[1] ../1 9"}) EXPECT_EQ(lifeOf(text), ProcessLife::kUnknown) << text;
}

}  // namespace
}  // namespace agent::convert
