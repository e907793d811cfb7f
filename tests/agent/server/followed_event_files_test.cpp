#include "agent/server/followed/followed_event_files.h"

#include <chrono>
#include <limits>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/history/journal.h"
#include "agent/server/followed/run_follower.h"
#include "agent/server/process/wall_clock.h"
#include "agent/server/runs/run_records.h"
#include "agent/wire/task_event_convert.h"
#include "engine/run/run_history.h"
#include "engine/spec/error.h"
#include "tests/engine/event_files/event_bytes.h"
#include "tests/support/eventually.h"
#include "tests/support/temp_dir.h"

namespace agent::server {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using engine::run::RunHistory;
using engine::run::RunInfo;
using engine::run::RunState;
using testing::ElementsAre;
using testing::HasSubstr;
using tests::event_files::append;
using tests::event_files::record;
using tests::event_files::simple;
using tests::support::eventually;

// A folder of event files, and an agent's book of runs.
class FollowedEventFilesTest : public testing::Test {
protected:
    FollowedEventFilesTest() {
        fs::create_directories(runs());
        makeBook();
    }
    fs::path runs() const { return dir_.path() / "runs"; }
    fs::path logs() const { return dir_.path() / "logs"; }
    void makeBook() {
        book_.reset();
        book_ = std::make_unique<RunBook>(runs(), RunBookOptions{.may_go_on = [](const RunInfo& run) { return run.followed; }});
    }
    void write(const std::string& run, std::int64_t from, std::int64_t to, float value = 1) {
        std::string bytes;
        for (std::int64_t step = from; step <= to; ++step) bytes += record(simple("loss", step, value, 1000.0 + static_cast<double>(step)));
        append(logs() / run / "events.out.tfevents.1", bytes);
    }
    std::unique_ptr<FollowedEventFiles> follow(std::optional<RunInfo> known = std::nullopt) {
        return std::make_unique<FollowedEventFiles>(
            engine::event_files::eventFoldersBelow(logs()).front(), std::move(known), runs(), options_, *book_,
            [](auto, const std::string&) {}, now_);
    }
    void pass(FollowedEventFiles& run, std::chrono::milliseconds time) {
        now_ += time;
        do run.step(now_);
        while (run.hasMore());
    }
    // As whoever watches the run has it.
    RunHistory history(const RunInfo& run) const {
        RunHistory history(run);
        const history::Journal journal(journalOf(run), history::Journal::Access::kReadOnly);
        std::vector<engine::spec::TaskEvent> events;
        for (const auto& entry : journal.read(1, 10000, 64u << 20)) events.push_back(convert::decodeEvent(entry.event));
        history.add(events);
        return history;
    }
    std::vector<double> steps(const RunInfo& run) const { return history(run).global().step; }

    const tests::support::TempDir dir_;
    std::unique_ptr<RunBook> book_;
    EventFilesOptions options_;
    std::chrono::steady_clock::time_point now_ = std::chrono::steady_clock::now();
};

TEST_F(FollowedEventFilesTest, MakesARunOfTheFilesAndLeavesTheirFolderAlone) {
    write("sgd", 1, 3);
    const auto run = follow();
    pass(*run, 2s);
    EXPECT_EQ(run->record().name, "sgd");
    EXPECT_EQ(run->record().imported_from, (logs() / "sgd").string());
    EXPECT_TRUE(run->record().followed);
    EXPECT_EQ(run->record().state, RunState::kTraining);
    EXPECT_EQ(run->record().created_unix_ns, 1'001'000'000'000);
    EXPECT_EQ(fs::path(run->record().run_dir).parent_path(), runs());
    EXPECT_THAT(steps(run->record()), ElementsAre(1, 2, 3));
    EXPECT_EQ(std::distance(fs::directory_iterator(logs() / "sgd"), {}), 1);
    EXPECT_EQ(book_->find(run->record().id), run->record());
}

TEST_F(FollowedEventFilesTest, FollowsThemWhileTheyGrowAndEndsWhenTheyDoNot) {
    write("sgd", 1, 2);
    const auto run = follow();
    write("sgd", 3, 4);
    pass(*run, 500ms);
    pass(*run, 2s);
    EXPECT_THAT(steps(run->record()), ElementsAre(1, 2, 3, 4));
    pass(*run, options_.silence);
    EXPECT_TRUE(run->isOver());
    EXPECT_EQ(run->record().state, RunState::kDone);
    EXPECT_EQ(run->record().finished_unix_ns, 1'004'000'000'000);
    EXPECT_THAT(run->record().results, testing::Contains(testing::Pair("loss", 1)));

    write("sgd", 5, 5);
    pass(*run, 1s);
    EXPECT_FALSE(run->isOver());
    pass(*run, 2s);
    EXPECT_THAT(steps(run->record()), ElementsAre(1, 2, 3, 4, 5));
}

TEST_F(FollowedEventFilesTest, EndsAtOnceWhereTheFilesAreOld) {
    write("sgd", 1, 2);
    fs::last_write_time(logs() / "sgd" / "events.out.tfevents.1", fs::file_time_type::clock::now() - 1h);
    const auto run = follow();
    EXPECT_TRUE(run->isOver());
    EXPECT_THAT(steps(run->record()), ElementsAre(1, 2));
}

TEST_F(FollowedEventFilesTest, EndsWhenTheSessionSaysSo) {
    using namespace tests::event_files;
    write("sgd", 1, 2);
    const std::string end = part(4, number(1, 2));
    append(logs() / "sgd" / "events.out.tfevents.1",
           record(event(0, 1005, summary(part(1, "_hparams_/session_end_info") + metadata("hparams", end)))));
    const auto run = follow();
    pass(*run, 2s);
    EXPECT_TRUE(run->isOver());
    EXPECT_EQ(run->record().state, RunState::kFailed);
}

TEST_F(FollowedEventFilesTest, IsFollowedOnByTheNextAgent) {
    write("sgd", 1, 2);
    RunInfo before;
    {
        const auto run = follow();
        pass(*run, 2s);
        before = run->record();
    }
    makeBook();
    ASSERT_EQ(book_->interrupted().size(), 1U);
    const auto same = follow(book_->interrupted().front().record);
    pass(*same, 2s);
    EXPECT_EQ(same->record().attempts, 1) << "nothing is told again that was told";
    EXPECT_THAT(steps(same->record()), ElementsAre(1, 2));
    write("sgd", 3, 3);
    pass(*same, 2s);
    pass(*same, 2s);
    EXPECT_EQ(same->record().id, before.id);
    EXPECT_EQ(same->record().attempts, 2);
    EXPECT_THAT(steps(same->record()), ElementsAre(1, 2, 3));
}

// The trainer was killed while it wrote.
TEST_F(FollowedEventFilesTest, AHalfRecordAtTheEndIsNoGrowthForTheNextAgent) {
    using namespace tests::event_files;
    const std::string last = record(simple("loss", 3, 1, 1003));
    write("sgd", 1, 2);
    append(logs() / "sgd" / "events.out.tfevents.1", last.substr(0, 20));
    pass(*follow(), 2s);
    for (int agent = 0; agent < 2; ++agent) {
        makeBook();
        const auto same = follow(book_->interrupted().front().record);
        pass(*same, 2s);
        EXPECT_EQ(same->record().attempts, 1) << agent;
    }
    makeBook();
    const auto same = follow(book_->interrupted().front().record);
    append(logs() / "sgd" / "events.out.tfevents.1", last.substr(20));
    pass(*same, 2s);
    pass(*same, 2s);
    EXPECT_EQ(same->record().attempts, 2);
    EXPECT_THAT(steps(same->record()), ElementsAre(1, 2, 3));
}

TEST_F(FollowedEventFilesTest, AHalfRecordThatComesAloneIsNotedBeforeTheEnd) {
    write("sgd", 1, 2);
    const auto run = follow();
    pass(*run, 2s);
    append(logs() / "sgd" / "events.out.tfevents.1", record(simple("loss", 3, 1)).substr(0, 20));
    pass(*run, options_.silence);
    ASSERT_TRUE(run->isOver());
    const auto same = follow(run->record());
    EXPECT_TRUE(same->isOver());
    EXPECT_EQ(same->record().attempts, 1);
}

TEST_F(FollowedEventFilesTest, BeginsWithASmallPieceOfLargeFiles) {
    write("sgd", 1, 40000);
    const auto run = follow();
    EXPECT_TRUE(run->hasMore());
    EXPECT_LT(steps(run->record()).size(), 30000U);
    pass(*run, 2s);
    pass(*run, 2s);
    EXPECT_EQ(steps(run->record()).size(), 40000U);
}

TEST_F(FollowedEventFilesTest, TakesNoControl) {
    write("sgd", 1, 2);
    const auto run = follow();
    try {
        run->control({});
        FAIL() << "expected an error";
    } catch (const engine::Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("its event files are only read"));
    }
}

TEST_F(FollowedEventFilesTest, FollowsEveryRunBelowAFolderAndThoseThatBeginLater) {
    write("sgd", 1, 2);
    fs::last_write_time(logs() / "sgd" / "events.out.tfevents.1", fs::file_time_type::clock::now() - 10s);
    write("adam", 1, 3);
    RunFollower follower(
        {.interval = 10ms, .interval_of_ended = 20ms, .runs_dir = runs(), .event_files = {.settling = 10ms, .search = 10ms}}, *book_,
        [](auto, const std::string&) {});
    const RunInfo newest = follower.follow(logs());
    EXPECT_EQ(newest.name, "adam");
    EXPECT_EQ(follower.follow(logs()).id, newest.id) << "a second time it is the same run";
    write("later/run", 1, 1);
    const auto names = [&] {
        std::vector<std::string> all;
        for (const RunInfo& run : book_->listBehind(std::numeric_limits<std::int64_t>::max(), "", 100)) all.push_back(run.name);
        return all;
    };
    EXPECT_TRUE(eventually([&] { return names().size() == 3; }));
    EXPECT_THAT(names(), testing::UnorderedElementsAre("adam", "later/run", "sgd"));
    EXPECT_TRUE(eventually([&] { return steps(newest).size() == 3; }));
    write("adam", 4, 4);
    EXPECT_TRUE(eventually([&] { return steps(newest).size() == 4; }));
}

// Keras makes the folder of the validation at the end of the first epoch.
TEST_F(FollowedEventFilesTest, IsOneRunWithTheValidationThatComesLater) {
    const auto idOfAll = [&] {
        std::vector<std::string> ids;
        for (const RunInfo& run : book_->listBehind(std::numeric_limits<std::int64_t>::max(), "", 100)) ids.push_back(run.id);
        return ids;
    };
    const FollowerOptions options{
        .interval = 10ms, .interval_of_ended = 20ms, .runs_dir = runs(), .event_files = {.settling = 10ms, .search = 10ms}};
    write("train", 0, 1);
    RunInfo run;
    {
        RunFollower follower(options, *book_, [](auto, const std::string&) {});
        run = follower.follow(logs());
        EXPECT_EQ(run.name, "train");
        write("validation", 0, 0, 8);
        EXPECT_TRUE(eventually([&] { return book_->find(run.id).name == "logs"; }));
        EXPECT_TRUE(eventually([&] { return history(run).epochs().size() == 1; }));
        write("train", 2, 2);
        write("validation", 1, 1, 4);
        EXPECT_TRUE(eventually([&] { return steps(run).size() == 3 && history(run).epochs().size() == 2; }));
        EXPECT_EQ(history(run).epochs()[1].log("val_loss"), 4);
        EXPECT_EQ(book_->find(run.id).imported_from, fs::canonical(logs()).string());
        EXPECT_EQ(book_->find(run.id).attempts, 2);
        EXPECT_EQ(follower.follow(logs() / "train").id, run.id) << "the same files are one run, wherever they were opened";
        EXPECT_EQ(follower.follow(logs()).id, run.id);
    }
    makeBook();
    RunFollower next(options, *book_, [](auto, const std::string&) {});
    EXPECT_EQ(next.follow(logs() / "train").id, run.id);
    EXPECT_EQ(next.follow(logs()).id, run.id);
    EXPECT_THAT(idOfAll(), ElementsAre(run.id));
    EXPECT_EQ(book_->find(run.id).name, "logs");
}

TEST_F(FollowedEventFilesTest, TheNextAgentFindsTheValidationOfARunThatIsOver) {
    write("mnist/train", 0, 1);
    fs::last_write_time(logs() / "mnist" / "train" / "events.out.tfevents.1", fs::file_time_type::clock::now() - 1h);
    RunInfo before;
    {
        RunFollower follower({.runs_dir = runs()}, *book_, [](auto, const std::string&) {});
        before = follower.follow(logs());
    }
    EXPECT_EQ(before.state, RunState::kDone);
    EXPECT_EQ(before.name, "mnist/train");
    makeBook();
    write("mnist/validation", 0, 1, 8);
    RunFollower follower({.interval = 10ms, .runs_dir = runs()}, *book_, [](auto, const std::string&) {});
    const RunInfo same = follower.follow(logs());
    EXPECT_EQ(same.id, before.id);
    EXPECT_EQ(same.name, "mnist");
    EXPECT_EQ(same.state, RunState::kTraining);
    EXPECT_EQ(same.attempts, 2);
    EXPECT_TRUE(eventually([&] { return steps(same).size() == 2 && history(same).epochs().size() == 2; }));
}

TEST_F(FollowedEventFilesTest, KeepsARunBesideItsSubfoldersApart) {
    append(logs() / "events.out.tfevents.1", record(simple("loss", 0, 1)));
    write("train", 0, 2);
    RunFollower follower({.interval = 10ms, .interval_of_ended = 20ms, .runs_dir = runs()}, *book_, [](auto, const std::string&) {});
    const RunInfo largest = follower.follow(logs());
    EXPECT_EQ(largest.name, "train");
    write("validation", 0, 0);
    EXPECT_TRUE(eventually([&] { return history(largest).epochs().size() == 1; }));
    EXPECT_EQ(book_->listBehind(std::numeric_limits<std::int64_t>::max(), "", 100).size(), 2U);
}

TEST_F(FollowedEventFilesTest, RefusesAFolderWithoutAny) {
    fs::create_directories(logs());
    RunFollower follower({.runs_dir = runs()}, *book_, [](auto, const std::string&) {});
    EXPECT_THROW(follower.follow(logs()), engine::Error);
}

}  // namespace
}  // namespace agent::server
