#include "agent/server/runs/run_book.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/history/writer_lock.h"
#include "agent/server/runs/run_records.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"
#include "tests/support/small_disk.h"
#include "tests/support/temp_dir.h"

namespace {

namespace fs = std::filesystem;
using namespace agent::server;
using namespace engine::spec;
using agent::convert::FolderClaim;
using engine::run::RunInfo;
using engine::run::RunState;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class RunBookTest : public ::testing::Test {
protected:
    RunBookTest() { fs::create_directory(runs()); }
    fs::path runs() const { return dir_.path() / "runs"; }
    fs::path index() const { return runs() / agent::history::kIndexFile; }
    void reopen() {
        book_.reset(), book_ = std::make_unique<RunBook>(
                           runs(), RunBookOptions{{}, [this](LogLevel, const std::string& text) { log_.push_back(text); }});
    }
    RunBook& book() {
        if (!book_) {
            reopen();
        }
        return *book_;
    }

    static RunInfo record(const std::string& id, const fs::path& folder, std::int64_t created = 1) {
        RunInfo run;
        run.id = id;
        run.name = "name of " + id;
        run.created_unix_ns = created;
        run.run_dir = folder.string();
        run.project_json = toProjectJson(RunSpec{});
        return run;
    }
    // Returns the sequence of the last line.
    static std::uint64_t say(EventLog& log, const std::vector<std::string>& lines, std::int64_t time_unix_ns = 0) {
        std::vector<TaskEvent> events;
        for (const std::string& line : lines) {
            TaskEvent& event = events.emplace_back();
            event.time_unix_ns = time_unix_ns;
            event.task.type = "worker";
            event.body = LogLine{LogLevel::kInfo, line};
        }
        return log.publish(agent::server::toldEvents(events));
    }
    // A run whose log says `lines`, done unless `killed`.
    void train(const std::string& id, const fs::path& folder, const std::vector<std::string>& lines, bool killed = false) {
        fs::create_directories(folder);
        RunInfo run = record(id, folder, ++created_);
        const std::shared_ptr<EventLog> log = book().open(run, FolderClaim::take(folder, "run " + id));
        say(*log, lines);
        if (!killed) {
            run.state = RunState::kDone;
            run.results = {{"loss", 0.25}};
            run.finished_unix_ns = 9;
            book().close(run);
        }
    }
    std::vector<std::string> linesOf(const std::string& id) {
        std::vector<std::string> lines;
        const auto watch = book().log(id)->subscribe(1, [] {});
        for (auto batch = watch->next(); !batch.events.empty(); batch = watch->next()) {
            for (const std::string& bytes : batch.events) {
                lines.push_back(std::get<LogLine>(agent::convert::decodeEvent(bytes).body).text);
            }
        }
        return lines;
    }
    std::vector<std::string> ids() {
        std::vector<std::string> all;
        for (const RunInfo& run : book().listBehind(std::numeric_limits<std::int64_t>::max(), {}, 100)) {
            all.push_back(run.id);
        }
        return all;
    }
    void removeIndex() {
        book_.reset();
        for (const char* suffix : {"", "-wal", "-shm"}) {
            fs::remove(index().string() + suffix);
        }
    }

    tests::support::TempDir dir_;
    std::vector<std::string> log_;
    std::int64_t created_ = 0;
    std::unique_ptr<RunBook> book_;
};

TEST_F(RunBookTest, AFoldersEarlierRunsKeepTheirPoints) {
    train("A", runs() / "x", {"a1", "a2"});
    train("B", runs() / "x", {"b1"});
    train("C", runs() / "x" / "", {"c1"});
    EXPECT_THAT(linesOf("A"), ElementsAre("a1", "a2"));
    EXPECT_THAT(linesOf("B"), ElementsAre("b1"));
    EXPECT_THAT(linesOf("C"), ElementsAre("c1"));
    reopen();
    EXPECT_THAT(linesOf("B"), ElementsAre("b1"));
    EXPECT_EQ(book().lastRunIn(runs() / "x" / "")->id, "C");
}

TEST_F(RunBookTest, ANoteIsLeftByWhoeverHasTheJournalBeforeAnybodyLearnsOfTheRun) {
    const fs::path folder = dir_.path() / "shared";
    fs::create_directories(folder);
    fs::create_directories(dir_.path() / "other");
    RunBook other(dir_.path() / "other");
    int notes = 0;
    const std::shared_ptr<EventLog> log = book().open(record("first", folder), {}, [&] {
        ++notes;
        EXPECT_EQ(agent::history::writerOf(folder / agent::history::kJournalFile).state, agent::history::JournalWriter::State::kWrites);
        EXPECT_THROW(book().find("first"), engine::Error);
        EXPECT_FALSE(other.lastRunIn(folder));
    });
    EXPECT_EQ(notes, 1);
    EXPECT_EQ(book().find("first").id, "first");
    EXPECT_THROW(other.open(record("second", folder), {}, [&] { ++notes; }), engine::Error);
    EXPECT_EQ(notes, 1) << "who has no right to the journal leaves none";
    const fs::path full = dir_.path() / "full";
    fs::create_directories(full);
    const auto fails = [] { throw engine::Error(engine::ErrorCode::kResourceExhausted, "no room"); };
    EXPECT_THROW(book().open(record("third", full), {}, fails), engine::Error);
    EXPECT_THROW(book().find("third"), engine::Error);
    EXPECT_NO_THROW(book().open(record("fourth", full)));
}

// The first run's agent kept another index: its run comes into this one, with every point.
TEST_F(RunBookTest, ARunGoesOnInItsOwnJournal) {
    train("A", runs() / "x", {"a1", "a2"});
    std::optional<RunInfo> run = book().runToGoOn(runs() / "x");
    ASSERT_TRUE(run);
    EXPECT_EQ(run->id, "A");
    run->state = RunState::kStarting;
    run->attempts = 2;
    const std::shared_ptr<EventLog> log = book().reopen(*run, FolderClaim::take(run->run_dir, "run A"));
    EXPECT_FALSE(book().runToGoOn(runs() / "x")) << "it is going on";
    EXPECT_EQ(say(*log, {"a3"}), 3U);
    run->state = RunState::kDone;
    book().close(*run);
    EXPECT_THAT(linesOf("A"), ElementsAre("a1", "a2", "a3"));
    EXPECT_THAT(ids(), ElementsAre("A"));
    reopen();
    EXPECT_EQ(book().find("A").attempts, 2);
    EXPECT_EQ(recordInJournal(runs() / "x" / "journal"), book().find("A"));
    EXPECT_FALSE(fs::exists(runs() / "x" / "journal-A")) << "nothing was put aside";
}

TEST_F(RunBookTest, ACopyOfAFolderIsNoPlaceOfTheRunThatItWasCopiedFrom) {
    train("A", runs() / "x", {"a1"});
    fs::copy(runs() / "x", runs() / "copy");
    EXPECT_FALSE(book().runToGoOn(runs() / "copy"));
    EXPECT_TRUE(book().runToGoOn(runs() / "x"));
    fs::rename(runs() / "x", runs() / "moved");
    const std::optional<RunInfo> moved = book().runToGoOn(runs() / "moved");
    ASSERT_TRUE(moved) << "it lies there now";
    EXPECT_EQ(moved->run_dir, (runs() / "moved").string());
}

TEST_F(RunBookTest, WithoutAReadableJournalNoRunGoesOn) {
    train("A", runs() / "x", {"a1"});
    std::ofstream(runs() / "x" / "journal") << "no database at all";
    EXPECT_FALSE(book().runToGoOn(runs() / "x"));
    EXPECT_FALSE(book().runToGoOn(runs() / "nowhere"));
    train("a/../b", runs() / "y", {"y1"});
    EXPECT_FALSE(book().runToGoOn(runs() / "y")) << "an id names files";
}

TEST_F(RunBookTest, ARunOfAKilledAgentEndedWithItsLastWord) {
    train("A", runs() / "a", {"a1"}, true);
    say(*book().log("A"), {"the last"}, 88);
    reopen();
    EXPECT_EQ(book().find("A").finished_unix_ns, 88);
    EXPECT_EQ(recordInJournal(runs() / "a" / "journal"), book().find("A"));
}

TEST_F(RunBookTest, AFolderThatAnotherIndexKnowsLosesNothing) {
    const fs::path folder = dir_.path() / "out";
    train("A", folder, {"a1", "a2"}, true);
    book_.reset();
    fs::rename(runs(), dir_.path() / "other runs");
    fs::create_directory(runs());
    train("B", folder, {"b1"});
    EXPECT_THAT(ids(), UnorderedElementsAre("A", "B"));
    EXPECT_THAT(linesOf("A"), ElementsAre("a1", "a2"));
    EXPECT_EQ(book().find("A").state, RunState::kFailed) << "it was not over";
    EXPECT_THAT(linesOf("B"), ElementsAre("b1"));
}

TEST_F(RunBookTest, AJournalThatNobodyKnowsIsPutAside) {
    const fs::path folder = dir_.path() / "out";
    fs::create_directory(folder);
    std::ofstream(folder / "journal") << "something";
    train("A", folder, {"a1"});
    int kept = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().filename().string().starts_with("journal-unknown-")) {
            std::string text;
            std::ifstream(entry.path()) >> text;
            EXPECT_EQ(text, "something");
            ++kept;
        }
    }
    EXPECT_EQ(kept, 1);
}

TEST_F(RunBookTest, ADamagedIndexIsPutAsideAndBuiltAgain) {
    train("A", runs() / "a", {"a1"});
    train("B", dir_.path() / "elsewhere folder", {"b1"});
    train("C", dir_.path() / "elsewhere folder", {"c1"});
    const RunInfo before = book().find("B");
    removeIndex();
    std::ofstream(index()) << std::string(8192, 'x');
    reopen();
    EXPECT_THAT(ids(), ElementsAre("C", "B", "A"));
    EXPECT_EQ(book().find("B"), before);
    EXPECT_THAT(linesOf("B"), ElementsAre("b1"));
    EXPECT_THAT(book().notice(), HasSubstr("put aside as runs.sqlite.damaged-"));
    EXPECT_THAT(book().notice(), HasSubstr("built again from the run folders: 3 runs"));
    EXPECT_THAT(log_, ::testing::Contains(HasSubstr("damaged")));
}

TEST_F(RunBookTest, AnIndexThatIsDamagedInTheMiddleIsBuiltAgainWhenThatIsMet) {
    for (int i = 0; i < 60; ++i) {
        train("run " + std::to_string(i), runs() / std::to_string(i), {"x"});
    }
    book_.reset();
    const auto size = fs::file_size(index());
    ASSERT_GT(size, 10U * 4096);
    std::fstream file(index(), std::ios::binary | std::ios::in | std::ios::out);
    for (std::size_t page = 3; page < size / 4096; page += 2) {
        file.seekp(static_cast<std::streamoff>(page * 4096));
        file << std::string(4096, 'x');
    }
    file.close();
    EXPECT_EQ(ids().size(), 60U);
    EXPECT_THAT(book().notice(), HasSubstr("built again"));
}

TEST_F(RunBookTest, AnEmptyIndexShowsTheRunsOfTheFolders) {
    train("A", runs() / "a", {"a1"});
    removeIndex();
    std::ofstream(index()).flush();
    EXPECT_THAT(ids(), ElementsAre("A"));
    EXPECT_EQ(book().find("A").results.at(0).second, 0.25);
}

TEST_F(RunBookTest, AFirstStartHasNothingToSay) {
    EXPECT_THAT(ids(), IsEmpty());
    EXPECT_EQ(book().notice(), "");
    EXPECT_THAT(log_, IsEmpty());
}

// A folder of a version whose journals carried no record.
TEST_F(RunBookTest, AFolderWithoutARecordCountsByItsFiles) {
    fs::create_directories(runs() / "20261121-143205-7f3a");
    RunSpec spec;
    spec.name = "T4";
    std::ofstream(runs() / "20261121-143205-7f3a" / "project.tandem") << toProjectJson(spec);
    EXPECT_THAT(ids(), ElementsAre("20261121-143205-7f3a"));
    const RunInfo run = book().find("20261121-143205-7f3a");
    EXPECT_EQ(run.name, "T4");
    EXPECT_EQ(run.state, RunState::kFailed);
    EXPECT_GT(run.created_unix_ns, 1700000000000000000);
}

// The log of the index has grown large, so that a limit below its size is a full disk to it and none to the small files of another run.
TEST_F(RunBookTest, AFullIndexRefusesNoRunElsewhere) {
    RunInfo large = record("A", runs() / "a");
    large.project_json = std::string(1 << 20, ' ');
    fs::create_directory(large.run_dir);
    book().open(large);
    {
        const tests::support::SmallDisk full_for_the_index(1 << 19);
        train("B", dir_.path() / "out", {"b1"});
        EXPECT_THAT(log_, ::testing::Contains(HasSubstr("B: the index of runs has no room for it")));
        EXPECT_THAT(ids(), ElementsAre("B", "A"));
        EXPECT_THAT(linesOf("B"), ElementsAre("b1"));
    }
    book().update(large);  // any later write finds that there is room again
    reopen();
    EXPECT_THAT(ids(), ElementsAre("B", "A"));
    EXPECT_EQ(book().find("B").state, RunState::kDone);
}

TEST_F(RunBookTest, ARunOfAKilledAgentHasFailedInItsJournalToo) {
    train("A", runs() / "a", {"a1"}, true);
    reopen();
    EXPECT_EQ(book().find("A").state, RunState::kFailed);
    const auto kept = recordInJournal(runs() / "a" / "journal");
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->state, RunState::kFailed);
    EXPECT_FALSE(fs::exists(runs() / "a" / "journal-wal"));
}

TEST_F(RunBookTest, ARunThatItsChiefHadFinishedIsDone) {
    train("A", runs() / "a", {"a1"}, true);
    TaskEvent last{0, 77, {"worker", 0}, TaskFinished{}};
    std::get<TaskFinished>(last.body).results = {{"test_accuracy", 0.98}};
    book().log("A")->publish(agent::server::toldEvents({last}));
    std::ofstream(runs() / "a" / "finished.json") << R"({"checkpoint": "checkpoints/ckpt_2", "weights_sha256": "9f86"})";
    reopen();
    const RunInfo run = book().find("A");
    EXPECT_EQ(run.state, RunState::kDone);
    EXPECT_EQ(run.detail, "");
    EXPECT_EQ(run.checkpoint, "checkpoints/ckpt_2");
    EXPECT_EQ(run.weights_sha256, "9f86");
    EXPECT_THAT(run.results, ::testing::Contains(::testing::Pair("test_accuracy", 0.98)));
    EXPECT_EQ(run.finished_unix_ns, 77);
    EXPECT_EQ(recordInJournal(runs() / "a" / "journal"), run);
}

TEST_F(RunBookTest, ALiveRunsFolderIsNobodyElses) {
    train("A", runs() / "a", {"a1"}, true);
    EXPECT_THROW(static_cast<void>(FolderClaim::take(runs() / "a" / "", "run B")), engine::Error);
    book().close(book().find("A"));
    EXPECT_NO_THROW(static_cast<void>(FolderClaim::take(runs() / "a", "run B")));
}

}  // namespace
