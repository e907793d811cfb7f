#include "agent/server/followed/run_follower.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "agent/history/journal.h"
#include "agent/history/writer_lock.h"
#include "agent/local/control_file.h"
#include "agent/local/event_files.h"
#include "agent/local/process_mark.h"
#include "agent/proto/task_event.pb.h"
#include "agent/server/process/wall_clock.h"
#include "agent/server/runs/run_records.h"
#include "agent/wire/delimited.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"
#include "tests/agent/server/followed_run_fixture.h"

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using namespace agent::server;
using namespace engine::spec;
using engine::run::RunInfo;
using engine::run::RunState;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using tests::agent_server::FollowedRunTest;
using tests::agent_server::kSecond;

TEST_F(FollowedRunTest, IsTheRunThatItsFilesTellOfInTheOrderOfTime) {
    start(chief_, 0);
    start(other_, 0.1);
    state(chief_, 1, TaskState::kTraining);
    state(other_, 1.1, TaskState::kTraining);
    points(chief_, 2, 1);
    points(other_, 2.5, 1);
    points(chief_, 3, 2);
    const auto followed = follow();
    EXPECT_EQ(followed->record().id, "new-run");
    EXPECT_EQ(followed->record().name, "mnist");
    EXPECT_EQ(followed->record().tasks, 2);
    EXPECT_TRUE(followed->record().followed);
    EXPECT_TRUE(indexed("new-run").followed);
    EXPECT_EQ(followed->record().created_unix_ns, begin_);
    EXPECT_EQ(followed->record().state, RunState::kTraining);
    EXPECT_THAT(journal(), ElementsAre("w0 Training", "w1 Training", "w0 step 1", "w1 step 1", "w0 step 2"));

    points(chief_, 4, 3);
    state(chief_, 4.5, TaskState::kPaused);
    followed->step(now_);
    EXPECT_EQ(indexed("new-run").state, RunState::kPaused);
    tell(chief_, 5, TaskFinished{{{"test_accuracy", 0.5}}, "checkpoints/ckpt_1", "ab"});
    state(chief_, 5, TaskState::kDone);
    followed->step(now_);
    EXPECT_FALSE(followed->isOver()) << "the other one has a last word";
    state(other_, 5.1, TaskState::kDone);
    followed->step(now_);
    EXPECT_TRUE(followed->isOver());
    const RunInfo done = indexed("new-run");
    EXPECT_EQ(done.state, RunState::kDone);
    EXPECT_EQ(done.checkpoint, "checkpoints/ckpt_1");
    EXPECT_EQ(done.finished_unix_ns, begin_ + 5100000000);
    ASSERT_EQ(done.results.size(), 1U);
}

TEST_F(FollowedRunTest, ThatIsOverIsReadAtOnceAndTwiceTheSame) {
    start(chief_, 0);
    state(chief_, 1, TaskState::kTraining);
    points(chief_, 2, 1);
    state(chief_, 3, TaskState::kStopped, "on request");
    EXPECT_TRUE(follow()->isOver());
    const std::vector<std::string> before = journal();
    EXPECT_EQ(indexed("new-run").state, RunState::kStopped);
    EXPECT_EQ(indexed("new-run").detail, "on request");
    const auto again = follow(indexed("new-run"), "another-id");
    EXPECT_TRUE(again->isOver());
    EXPECT_EQ(again->record().id, "new-run");
    EXPECT_EQ(journal(), before);
}

TEST_F(FollowedRunTest, StartedAgainByItsSchedulerIsAFurtherAttempt) {
    start(chief_, 0);
    start(other_, 0);
    state(chief_, 1, TaskState::kTraining);
    state(chief_, 3, TaskState::kStopped, "on request");
    state(other_, 3, TaskState::kStopped);
    const auto followed = follow();
    ASSERT_TRUE(followed->isOver());
    start(other_, 10);
    start(chief_, 10.5);
    state(chief_, 11, TaskState::kTraining);
    followed->step(now_);
    EXPECT_FALSE(followed->isOver());
    const RunInfo run = indexed("new-run");
    EXPECT_EQ(run.attempts, 2);
    EXPECT_EQ(run.state, RunState::kTraining);
    EXPECT_EQ(run.finished_unix_ns, 0);
    EXPECT_EQ(run.idle_ns, 7 * kSecond) << "the time in the queue is none of its own";
    EXPECT_THAT(journal(), ElementsAre("w0 Training", "w0 Stopped", "w1 Stopped", "w1 attempt 2: on request", "w0 Training"));
}

TEST_F(FollowedRunTest, OfIndependentTasksOneThatComesBackBeginsNoAttempt) {
    independent_ = true;
    start(chief_, 0);
    start(other_, 0);
    state(chief_, 1, TaskState::kTraining);
    const auto followed = follow();
    start(other_, 5);
    state(other_, 6, TaskState::kTraining);
    followed->step(now_);
    EXPECT_EQ(followed->record().attempts, 1);
    EXPECT_THAT(journal(), ElementsAre("w0 Training", "w1 Training"));
}

TEST_F(FollowedRunTest, ATaskThatEndedWithoutAWordIsNamed) {
    const std::string gone = [] {  // of this computer, and of no process that lives
        std::string mark = agent::convert::ownProcessMark();
        return mark.substr(0, mark.rfind(' ')) + " 1";
    }();
    start(chief_, 0);
    start(other_, 0, gone);
    state(chief_, 1, TaskState::kTraining);
    state(other_, 1, TaskState::kTraining);
    const auto followed = follow();
    EXPECT_FALSE(followed->isOver());
    EXPECT_THAT(journal(), ElementsAre("w0 Training", "w1 Training", "w1 failed: ended without a word on node2", "w1 Failed"));
    state(chief_, 20, TaskState::kFailed, "worker 1 is gone");
    followed->step(now_);
    EXPECT_TRUE(followed->isOver());
    EXPECT_EQ(indexed("new-run").state, RunState::kFailed);
    EXPECT_EQ(indexed("new-run").detail, "worker 1: ended without a word on node2") << "the cause, not the consequence";
}

TEST_F(FollowedRunTest, TasksThatToldNoEndAreOverWithTheRun) {
    options_.chief_grace = 2s;
    start(chief_, 0);
    start(other_, 0);
    state(chief_, 1, TaskState::kTraining);
    state(other_, 4.9, TaskState::kTraining);
    state(chief_, 5, TaskState::kDone);
    const auto followed = follow();
    EXPECT_FALSE(followed->isOver()) << "the other one has a last word";
    now_ += 3s;
    followed->step(now_);
    EXPECT_TRUE(followed->isOver());
    EXPECT_EQ(indexed("new-run").state, RunState::kDone);
    EXPECT_THAT(journal(), ElementsAre("w0 Training", "w1 Training", "w0 Done", "w1 Stopped"));
    // Its file comes in sight late, such as on a shared file system.
    points(other_, 5.5, 9);
    followed->step(now_);
    EXPECT_FALSE(followed->isOver());
    state(other_, 5.6, TaskState::kDone);
    followed->step(now_);
    EXPECT_TRUE(followed->isOver());
    EXPECT_EQ(indexed("new-run").state, RunState::kDone);
    EXPECT_THAT(journal(), ElementsAre("w0 Training", "w1 Training", "w0 Done", "w1 Stopped", "w1 Training", "w1 step 9", "w1 Done"));
}

TEST_F(FollowedRunTest, AnEvaluatorIsWaitedForBehindTheEndOfItsChief) {
    const TaskId evaluator{"evaluator", 0};
    options_.chief_grace = 2s;
    start(chief_, 0);
    start(evaluator, 0);
    state(chief_, 1, TaskState::kTraining);
    state(evaluator, 4.9, TaskState::kTraining, "evaluates checkpoints/ckpt_1");
    state(chief_, 5, TaskState::kDone);
    const auto followed = follow();
    now_ += 3s;
    followed->step(now_);
    EXPECT_FALSE(followed->isOver()) << "its results are still to come";
    EXPECT_EQ(indexed("new-run").state, RunState::kTraining);
    tell(evaluator, 5.5, TaskFinished{{{"eval_accuracy", 0.5}}, "", ""});
    state(evaluator, 5.6, TaskState::kDone);
    followed->step(now_);
    EXPECT_TRUE(followed->isOver());
    EXPECT_EQ(indexed("new-run").state, RunState::kDone);
    EXPECT_EQ(indexed("new-run").results.size(), 1U);
}

TEST_F(FollowedRunTest, ATaskThatIsKilledWhenTheChiefIsDoneHasNotFailed) {
    const std::string gone = [] {  // of this computer, and of no process that lives
        std::string mark = agent::convert::ownProcessMark();
        return mark.substr(0, mark.rfind(' ')) + " 1";
    }();
    start(chief_, 0);
    start(other_, 0, gone);
    state(chief_, 1, TaskState::kTraining);
    state(other_, 1.1, TaskState::kTraining);
    state(chief_, 2, TaskState::kDone);
    EXPECT_TRUE(follow()->isOver());
    EXPECT_EQ(indexed("new-run").state, RunState::kDone);
    EXPECT_THAT(journal(), ElementsAre("w0 Training", "w1 Training", "w0 Done",
                                       "w1 ended without a word on node2; the run was done by then", "w1 Stopped"));
}

TEST_F(FollowedRunTest, ATaskElsewhereThatIsSilentIsWaitedForAndMayBeHeardAgain) {
    const std::string elsewhere = "otherboot pid:[1] 12 34";
    start(chief_, 0, elsewhere);
    state(chief_, 29, TaskState::kTraining);
    const auto followed = follow();
    EXPECT_EQ(followed->record().state, RunState::kTraining);
    now_ += 89s;
    followed->step(now_);
    EXPECT_FALSE(followed->isOver());
    now_ += 2s;
    followed->step(now_);
    EXPECT_TRUE(followed->isOver());
    EXPECT_EQ(indexed("new-run").detail, "worker 0: has told nothing for 90 s on node1");
    points(chief_, 130, 7);
    followed->step(now_);
    EXPECT_FALSE(followed->isOver());
    EXPECT_EQ(indexed("new-run").state, RunState::kTraining);
    EXPECT_EQ(indexed("new-run").attempts, 1);
    EXPECT_THAT(journal().back(), "w0 step 7");
}

TEST_F(FollowedRunTest, GoesOnUnderTheNextAgentAndTellsNothingTwice) {
    start(chief_, 0);
    state(chief_, 1, TaskState::kTraining);
    points(chief_, 2, 1);
    follow().reset();
    points(chief_, 3, 2);
    makeBook();  // of an agent that was killed and started again
    ASSERT_EQ(book_->interrupted().size(), 1U);
    const auto followed = follow(book_->interrupted().front().record);
    EXPECT_EQ(followed->record().id, "new-run");
    EXPECT_EQ(followed->record().state, RunState::kTraining);
    EXPECT_THAT(journal(), ElementsAre("w0 Training", "w0 step 1", "w0 step 2"));
    state(chief_, 4, TaskState::kDone);
    followed->step(now_);
    EXPECT_EQ(indexed("new-run").state, RunState::kDone);
}

TEST_F(FollowedRunTest, StaysTheSameRunWhenTheFileOfAnEarlierTaskComesInSightLater) {
    start(chief_, 1);
    state(chief_, 2, TaskState::kTraining);
    follow().reset();
    start(other_, 0);
    state(other_, 2.5, TaskState::kTraining);
    makeBook();
    ASSERT_EQ(book_->interrupted().size(), 1U);
    EXPECT_EQ(follow(book_->interrupted().front().record, "another")->record().id, "new-run");
    EXPECT_THAT(journal(), ElementsAre("w0 Training", "w1 Training"));
}

TEST_F(FollowedRunTest, AnotherRunInTheFolderIsAnotherRun) {
    start(chief_, 0);
    state(chief_, 1, TaskState::kTraining);
    const auto followed = follow();
    fs::remove(run() / "events" / "worker-0.events");
    start(chief_, 5);
    state(chief_, 6, TaskState::kDone);
    followed->step(now_);
    EXPECT_TRUE(followed->isGone());
    EXPECT_EQ(indexed("new-run").state, RunState::kFailed);
    EXPECT_THAT(indexed("new-run").detail, HasSubstr("another run began in it"));
    EXPECT_EQ(follow(indexed("new-run"), "second")->record().id, "second");
    EXPECT_EQ(indexed("second").state, RunState::kDone);
    EXPECT_EQ(indexed("new-run").state, RunState::kFailed) << "and keeps its journal";
    EXPECT_NO_THROW(book_->log("new-run"));
}

TEST_F(FollowedRunTest, DamageIsNamedAndTheOthersAreRead) {
    start(chief_, 0);
    start(other_, 0);
    state(other_, 1, TaskState::kTraining);
    std::ofstream(run() / "events" / "worker-1.events", std::ios::binary | std::ios::app) << "\x05not a message";
    state(chief_, 2, TaskState::kTraining);
    const auto followed = follow();
    EXPECT_EQ(followed->record().state, RunState::kTraining);
    ASSERT_FALSE(log_.empty());
    EXPECT_THAT(log_.front(), HasSubstr("worker-1.events: damaged at byte"));
    EXPECT_THAT(journal(), testing::Contains(HasSubstr("worker-1.events: damaged at byte")));
    const std::size_t before = journal().size();
    followed->step(now_);
    EXPECT_EQ(journal().size(), before) << "once";
}

TEST_F(FollowedRunTest, HalfAMessageIsWaitedFor) {
    start(chief_, 0);
    state(chief_, 1, TaskState::kTraining);
    const fs::path file = run() / "events" / "worker-0.events";
    const auto size = fs::file_size(file);
    points(chief_, 2, 1);
    std::string bytes;
    {
        std::ifstream in(file, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    fs::resize_file(file, size + 4);
    const auto followed = follow();
    EXPECT_THAT(journal(), ElementsAre("w0 Training"));
    std::ofstream(file, std::ios::binary | std::ios::app) << bytes.substr(size + 4);
    followed->step(now_);
    EXPECT_THAT(journal(), ElementsAre("w0 Training", "w0 step 1"));
}

TEST_F(FollowedRunTest, RefusesWhatIsNoFolderOfARun) {
    const auto problem = [this] {
        try {
            follow();
        } catch (const engine::Error& error) {
            return std::string(error.what());
        }
        return std::string("none");
    };
    EXPECT_THAT(problem(), HasSubstr("run: expected the folder of a run that tells its events there (events/worker-0.events), or one with "
                                     "TensorBoard's event files, got one without them"));
    std::ofstream(run() / "events" / "worker-0.events") << "text\n";
    EXPECT_NE(problem(), "none");
    fs::remove(run() / "events" / "worker-0.events");
    start(chief_, 0, "", 2);
    EXPECT_THAT(problem(), HasSubstr("expected events of version 1, got version 2, of a newer Tandem"));
    fs::remove(run() / "events" / "worker-0.events");
    fs::create_symlink("/etc/passwd", run() / "events" / "worker-0.events");
    EXPECT_NE(problem(), "none");
    EXPECT_FALSE(fs::exists(run() / agent::history::kJournalFile)) << "nothing is left behind";
}

TEST_F(FollowedRunTest, FollowsAndControlsByItsFolder) {
    start(chief_, 0);
    state(chief_, 1, TaskState::kTraining);
    RunFollower follower({}, *book_, log());
    const RunInfo run = follower.follow(this->run());
    EXPECT_EQ(follower.follow(this->run() / "").id, run.id) << "whatever it is called";
    EXPECT_EQ(follower.activeRuns(), 1);
    EXPECT_FALSE(follower.control("another", {ControlVerb::kPause, 0}));
    EXPECT_TRUE(follower.control(run.id, {ControlVerb::kSetLearningRate, 0.5}));
    const auto asked = agent::convert::readControls(engine::files::SafeFolder::open(this->run()));
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].control, (Control{ControlVerb::kSetLearningRate, 0.5}));
    EXPECT_THROW(follower.follow(dir_.path() / "nowhere"), engine::Error);
    EXPECT_THROW(book_->open(run), engine::Error) << "an agent's run has no place where another one goes on";
}

// A run's folder that two agents see, each with runs of its own, and a folder that was copied or moved.
class FollowedElsewhereTest : public FollowedRunTest {
protected:
    FollowedElsewhereTest() {
        fs::create_directories(dir_.path() / "other");
        other_book_ = std::make_unique<RunBook>(dir_.path() / "other");
    }
    static std::string there(const fs::path& folder) { return fs::canonical(folder).string(); }
    std::string followedId(RunBook& book, const fs::path& folder) {
        RunFollower follower({}, book, log());
        return follower.follow(folder).id;
    }

    std::unique_ptr<RunBook> other_book_;
};

TEST_F(FollowedElsewhereTest, ARunThatIsOverIsKnownToTheNextAgentToo) {
    start(chief_, 0);
    state(chief_, 1, TaskState::kTraining);
    state(chief_, 3, TaskState::kStopped, "on request");
    const std::string id = followedId(*book_, run());
    EXPECT_EQ(followedId(*other_book_, run()), id);
    const RunInfo known = other_book_->find(id);
    EXPECT_EQ(known.run_dir, there(run()));
    EXPECT_EQ(known.state, RunState::kStopped);
    EXPECT_THAT(journal(), ElementsAre("w0 Training", "w0 Stopped"));
    EXPECT_NO_THROW(other_book_->log(id));
}

TEST_F(FollowedElsewhereTest, ACopyIsARunOfItsOwn) {
    start(chief_, 0);
    state(chief_, 3, TaskState::kStopped, "on request");
    const std::string id = followedId(*book_, run());
    const fs::path copy = dir_.path() / "copy";
    fs::copy(run(), copy, fs::copy_options::recursive);
    const std::string copied = followedId(*book_, copy);
    EXPECT_NE(copied, id);
    EXPECT_EQ(indexed(id).run_dir, there(run()));
    EXPECT_EQ(indexed(copied).run_dir, there(copy));
    EXPECT_EQ(indexed(copied).state, RunState::kStopped);
    EXPECT_EQ(followedId(*book_, run()), id);
    EXPECT_EQ(followedId(*book_, copy), copied);
}

TEST_F(FollowedElsewhereTest, AFolderThatWasMovedHasItsRun) {
    start(chief_, 0);
    state(chief_, 3, TaskState::kStopped, "on request");
    const std::string id = followedId(*book_, run());
    const fs::path moved = dir_.path() / "moved";
    fs::rename(run(), moved);
    EXPECT_EQ(followedId(*book_, moved), id);
    EXPECT_EQ(indexed(id).run_dir, there(moved));
}

// Both have looked when nobody followed it.
TEST_F(FollowedElsewhereTest, OfTwoAgentsThatTakeItUpAtOneMomentOneHasItsNoteThere) {
    start(chief_, 0);
    state(chief_, 1, TaskState::kTraining);
    const auto first = follow();
    const auto problem = [&] {
        try {
            FollowedRun(run(), std::nullopt, "late", options_, *other_book_, log(), now_);
        } catch (const engine::Error& error) {
            return std::string(error.what());
        }
        return std::string("none");
    }();
    EXPECT_THAT(problem, HasSubstr("(process " + std::to_string(::getpid()) + " on "));
    EXPECT_TRUE(agent::convert::isFollowed(run(), "new-run")) << "the winner's note stays";
    EXPECT_THROW(other_book_->find("late"), engine::Error);
    state(chief_, 3, TaskState::kStopped, "on request");
    first->step(now_);
    EXPECT_TRUE(first->isOver());
    first->step(now_);
    EXPECT_FALSE(first->isGone());
    EXPECT_EQ(followedId(*other_book_, run()), "new-run");
    EXPECT_THAT(journal(), ElementsAre("w0 Training", "w0 Stopped"));
}

TEST_F(FollowedElsewhereTest, ARunThatGoesOnHasOneAgentAtATime) {
    start(chief_, 0);
    state(chief_, 1, TaskState::kTraining);
    const std::string id = followedId(*book_, run());
    RunFollower other({}, *other_book_, log());
    const auto problem = [&] {
        try {
            other.follow(run());
        } catch (const engine::Error& error) {
            return std::string(error.what());
        }
        return std::string("none");
    };
    EXPECT_THAT(problem(), HasSubstr("run: expected a run that no agent of another computer or user follows, got run " + id));
    EXPECT_THAT(problem(), HasSubstr("(process " + std::to_string(::getpid()) + " on "));
    EXPECT_THAT(problem(), HasSubstr("or here once that program has ended"));
    EXPECT_THROW(other_book_->find(id), engine::Error) << "it is not in the list of runs";
    const auto writeJournalAt = [this](fs::file_time_type time) {
        for (const char* file : {"journal", "journal-wal"}) {
            std::error_code none;
            fs::last_write_time(run() / file, time, none);
        }
    };
    writeJournalAt(fs::file_time_type::clock::now() - 11min);  // it is paused
    EXPECT_THAT(problem(), HasSubstr("or here once that program has ended"));

    book_.reset();
    // As an agent of a version without locks leaves it: time has to tell.
    const fs::path lock = run() / (std::string("journal") + agent::history::kWriterLockSuffix), aside = dir_.path() / "aside";
    fs::rename(lock, aside);
    writeJournalAt(fs::file_time_type::clock::now());
    EXPECT_THAT(problem(), HasSubstr("or here 10 minutes after that agent has ended"));
    writeJournalAt(fs::file_time_type::clock::now() - 9min);
    EXPECT_NE(problem(), "none");
    fs::rename(aside, lock);
    // The lock of another computer's agent is free here, and may be held there.
    const auto ofWriter = [&lock](const std::string& name) { std::ofstream(lock) << name << "\n"; };
    std::ifstream named(lock);
    std::string own;
    ASSERT_TRUE(std::getline(named, own));
    ofWriter("tandem-agent (process 7 on an.other.computer)");
    EXPECT_THAT(problem(), HasSubstr("or here 10 minutes after that agent has ended"));
    ofWriter(own);
    EXPECT_EQ(other.follow(run()).id, id) << "its writer is gone, whenever that was";
    EXPECT_EQ(other_book_->find(id).state, RunState::kTraining);
    state(chief_, 3, TaskState::kStopped, "on request");
    EXPECT_EQ(other.follow(run()).state, RunState::kStopped);
    EXPECT_EQ(other_book_->find(id).state, RunState::kStopped);
    EXPECT_THAT(journal(), ElementsAre("w0 Training", "w0 Stopped"));
}

}  // namespace
