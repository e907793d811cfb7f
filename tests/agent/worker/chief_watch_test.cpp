#include "agent/worker/evaluator/chief_watch.h"

#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/local/event_files.h"
#include "agent/local/folder_claim.h"
#include "engine/spec/events/checkpoint_list.h"
#include "tests/support/temp_dir.h"

namespace agent::worker {
namespace {

using namespace std::chrono_literals;
using engine::files::SafeFolder;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::chrono::seconds kAway{30}, kComes{100};

// A folder and a clock that the test sets.
class ChiefWatchTest : public testing::Test {
protected:
    ChiefWatchTest() : folder(std::make_shared<const SafeFolder>(SafeFolder::open(dir.path()))) {}

    ChiefWatch watch() {
        ChiefWatchOptions options{.folder = folder, .chief = "worker 0 at node1:2222", .away_at_most = kAway, .comes_within = kComes};
        options.says = [this](engine::spec::LogLevel, const std::string& text) { said.push_back(text); };
        options.now = [this] { return now; };
        return ChiefWatch(std::move(options));
    }
    // Looks every second. Returns after how many seconds the chief was given up; that many and one where it was not.
    int secondsUntilLost(ChiefWatch& watch, int most) {
        for (int second = 1; second <= most; ++second) {
            now += 1s;
            if ((why = watch.lost().value_or("")) != "") return second;
        }
        return most + 1;
    }
    void grow(const std::filesystem::path& file) const {
        std::filesystem::create_directories((dir.path() / file).parent_path());
        std::ofstream(dir.path() / file, std::ios::app) << "more\n";
    }
    std::filesystem::path eventsOf(const std::string& type, int index) const {
        return std::filesystem::path(convert::kEventFolder) / convert::eventFileName({type, index});
    }

    tests::support::TempDir dir;
    std::shared_ptr<const SafeFolder> folder;
    std::chrono::steady_clock::time_point now{1h};
    std::vector<std::string> said;
    std::string why;
};

TEST_F(ChiefWatchTest, WaitsLongerForOneThatWasNotThereYet) {
    ChiefWatch chief = watch();
    EXPECT_EQ(chief.lost(), std::nullopt);
    EXPECT_EQ(secondsUntilLost(chief, 200), 100);
    EXPECT_EQ(why, "gave up waiting for worker 0 at node1:2222 to begin after 100 s: found no sign of it in " + dir.path().string() +
                       "; cluster.start_timeout_s sets how long it is waited for");
    EXPECT_THAT(said, ElementsAre("no sign of worker 0 at node1:2222 in " + dir.path().string() + "; it may begin within 100 s"));
}

TEST_F(ChiefWatchTest, TakesOneThatComesLate) {
    ChiefWatch chief = watch();
    chief.lost();
    EXPECT_EQ(secondsUntilLost(chief, 99), 100) << "not yet";
    const auto claim = convert::FolderClaim::take(dir.path(), "tandem-worker");
    EXPECT_EQ(secondsUntilLost(chief, 1000), 1001) << "whatever it does";
    EXPECT_EQ(said.back(), "worker 0 at node1:2222 is there");
}

TEST_F(ChiefWatchTest, NamesOneThatIsGone) {
    ChiefWatch chief = watch();
    {
        const auto claim = convert::FolderClaim::take(dir.path(), "tandem-worker");
        EXPECT_EQ(chief.lost(), std::nullopt);
    }
    EXPECT_EQ(secondsUntilLost(chief, 200), 30);
    EXPECT_EQ(why, "worker 0 at node1:2222 is gone: expected it back within 30 s, found no sign of life in " + dir.path().string());
    EXPECT_THAT(said, ElementsAre("worker 0 at node1:2222 is gone; it may come back within 30 s"));
    EXPECT_NE(chief.lost(), std::nullopt) << "asked again at once";
    const auto claim = convert::FolderClaim::take(dir.path(), "tandem-worker");
    EXPECT_EQ(secondsUntilLost(chief, 100), 101) << "it is back after all";
}

// As on a file system without locks.
TEST_F(ChiefWatchTest, SeesItInTheFilesThatGrow) {
    for (const std::filesystem::path& file :
         {eventsOf("worker", 0), eventsOf("chief", 0), std::filesystem::path(engine::spec::kCheckpointListFile)}) {
        SCOPED_TRACE(file.string());
        ChiefWatch chief = watch();
        grow(file);
        EXPECT_EQ(chief.lost(), std::nullopt);
        EXPECT_EQ(secondsUntilLost(chief, 25), 26);
        for (int round = 0; round < 10; ++round) {
            grow(file);
            EXPECT_EQ(secondsUntilLost(chief, 25), 26) << round;
        }
        EXPECT_EQ(secondsUntilLost(chief, 25), 6) << "24 seconds of silence lie behind";
        EXPECT_THAT(why, HasSubstr("is gone: expected it back within 30 s"));
        grow(file);
        now += 1s;
        EXPECT_EQ(chief.lost(), std::nullopt);
    }
}

TEST_F(ChiefWatchTest, SeesAFileThatIsMadeAnew) {
    ChiefWatch chief = watch();
    grow(eventsOf("worker", 0));
    chief.lost();
    EXPECT_EQ(secondsUntilLost(chief, 60), 61);
    std::filesystem::remove(dir.path() / eventsOf("worker", 0));
    EXPECT_EQ(secondsUntilLost(chief, 1), 2);
    EXPECT_EQ(secondsUntilLost(chief, 60), 30) << "it was seen";
}

TEST_F(ChiefWatchTest, TakesNoOtherTaskForIt) {
    ChiefWatch chief = watch();
    chief.lost();
    for (int second = 1; second < 100; ++second) {
        grow(eventsOf("evaluator", 0));
        grow(eventsOf("ps", 0));
        grow("logs/eval/events.out.tfevents.1");
        now += 1s;
        ASSERT_EQ(chief.lost(), std::nullopt);
    }
    now += 1s;
    EXPECT_THAT(chief.lost().value_or(""), HasSubstr("gave up waiting for worker 0"));
}

// An evaluation may take longer than a chief may be away.
TEST_F(ChiefWatchTest, CountsNoTimeInWhichNobodyLooks) {
    ChiefWatch chief = watch();
    {
        const auto claim = convert::FolderClaim::take(dir.path(), "tandem-worker");
        EXPECT_EQ(chief.lost(), std::nullopt);
    }
    now += 10h;
    EXPECT_EQ(chief.lost(), std::nullopt);
    EXPECT_EQ(secondsUntilLost(chief, 100), 25) << "five seconds lie behind";
}

}  // namespace
}  // namespace agent::worker
