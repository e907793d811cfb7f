#include "agent/history/journal.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/history/database.h"
#include "agent/history/writer_lock.h"
#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace {

using agent::history::Journal;
using agent::history::JournalEntry;
using agent::history::JournalWriter;
using agent::history::writerOf;

class JournalTest : public ::testing::Test {
protected:
    static constexpr std::size_t kAll = 1 << 20;
    std::filesystem::path file() const { return dir_.path() / "journal"; }
    static std::vector<JournalEntry> events(std::uint64_t first, std::uint64_t last) {
        std::vector<JournalEntry> entries;
        for (std::uint64_t i = first; i <= last; ++i) {
            entries.push_back({i, "event " + std::to_string(i) + std::string(1, '\0'), 0});
        }
        return entries;
    }
    static std::vector<JournalEntry> longEvents(std::uint64_t first, std::uint64_t last) {
        std::vector<JournalEntry> entries = events(first, last);
        for (JournalEntry& entry : entries) {
            entry.event += std::string(150, static_cast<char>('a' + entry.sequence % 26));
        }
        return entries;
    }
    std::vector<std::string> filesIn(const std::filesystem::path& folder = {}) const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? dir_.path() : folder)) {
            names.push_back(entry.path().filename().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }
    std::string contents() const {
        std::ifstream stream(file(), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    // What the journal says to somebody who wants to append to it; empty: it lets them.
    std::string refusal() const {
        try {
            const Journal second(file());
        } catch (const engine::Error& error) {
            EXPECT_EQ(error.code(), engine::ErrorCode::kAlreadyExists) << error.what();
            return error.what();
        }
        return {};
    }
    std::string refusalOf(pid_t writer) const {
        return file().string() + ": expected a journal that nobody else writes, got one that agent_history_test (process " +
               std::to_string(writer) + " on ";
    }
    void makeOldJournal() const {
        constexpr const char* kFirstSchema = "CREATE TABLE events (sequence INTEGER PRIMARY KEY, event BLOB NOT NULL);";
        const agent::history::Database database(file(), std::span(&kFirstSchema, 1), agent::history::Database::Access::kCreate);
        database.execute("INSERT INTO events VALUES (1, 'one'), (2, 'two')");
    }
    tests::support::TempDir dir_;
};

TEST_F(JournalTest, ReplaysFromAnySequenceAfterTheWriterIsGone) {
    {
        Journal journal(file());
        EXPECT_EQ(journal.lastSequence(), 0U);
        journal.append(events(1, 3));
        journal.append(events(4, 10));
    }
    const Journal journal(file(), Journal::Access::kReadOnly);
    EXPECT_EQ(journal.lastSequence(), 10U);
    EXPECT_EQ(journal.read(1, kAll, kAll), events(1, 10));
    EXPECT_EQ(journal.read(4, kAll, kAll), events(4, 10));
    EXPECT_TRUE(journal.read(11, kAll, kAll).empty());
}

TEST_F(JournalTest, GoesOnWhereAnEarlierWriterEnded) {
    Journal(file()).append(events(1, 3));
    Journal journal(file());
    journal.append(events(4, 5));
    EXPECT_EQ(journal.read(1, kAll, kAll), events(1, 5));
}

TEST_F(JournalTest, AnswersInPages) {
    Journal journal(file());
    journal.append(events(1, 10));
    EXPECT_EQ(journal.read(2, 3, kAll), events(2, 4));
    EXPECT_EQ(journal.read(2, kAll, 1), events(2, 2)) << "one event, however large, always fits: a reader gets on";
    const std::size_t two = events(2, 2)[0].event.size() + events(3, 3)[0].event.size();
    EXPECT_EQ(journal.read(2, kAll, two), events(2, 3));
    EXPECT_EQ(journal.read(2, kAll, two - 1), events(2, 2)) << "cut before it is full";
}

TEST_F(JournalTest, TakesABatchWholeOrNotAtAll) {
    Journal journal(file());
    journal.append(events(1, 2));
    std::vector<JournalEntry> twice = events(3, 5);
    twice[2].sequence = 4;
    EXPECT_THROW(journal.append(twice), std::exception);
    EXPECT_EQ(journal.read(1, kAll, kAll), events(1, 2));
    journal.append(events(3, 3));
    EXPECT_EQ(journal.lastSequence(), 3U);
}

TEST_F(JournalTest, WhatWasLeftOutIsNoDamage) {
    {
        Journal journal(file());
        journal.append(events(3, 4));
        journal.append(events(8, 9));
    }
    const Journal journal(file(), Journal::Access::kReadOnly);
    std::vector<JournalEntry> expected = events(3, 4);
    for (const JournalEntry& entry : events(8, 9)) {
        expected.push_back(entry);
    }
    EXPECT_EQ(journal.read(1, kAll, kAll), expected);
}

TEST_F(JournalTest, CarriesTheRecordOfItsRun) {
    {
        Journal journal(file());
        EXPECT_EQ(journal.record(), std::nullopt);
        journal.keepRecord("first");
        journal.keepRecord("한글");
    }
    EXPECT_EQ(Journal(file(), Journal::Access::kReadOnly).record(), "한글");
}

TEST_F(JournalTest, OfAFinishedRunIsOneFile) {
    {
        Journal journal(file());
        journal.append(events(1, 10));
        EXPECT_TRUE(std::filesystem::exists(file().string() + "-wal"));
        EXPECT_TRUE(journal.settle());
        EXPECT_EQ(journal.read(1, kAll, kAll), events(1, 10)) << "and it can still be read";
    }
    EXPECT_EQ(filesIn(), std::vector<std::string>{"journal"});
    EXPECT_EQ(Journal(file(), Journal::Access::kReadOnly).read(1, kAll, kAll), events(1, 10));
    EXPECT_EQ(filesIn(), std::vector<std::string>{"journal"}) << "reading leaves nothing behind";
}

// As after a kill: the log still holds everything.
TEST_F(JournalTest, OfAKilledRunBecomesOneFileWhenItIsRead) {
    Journal writer(file());
    writer.append(events(1, 10));
    const tests::support::TempDir other;
    for (const char* suffix : {"", "-wal"}) {
        std::filesystem::copy_file(file().string() + suffix, other.path() / (std::string("journal") + suffix));
    }
    EXPECT_EQ(Journal(other.path() / "journal", Journal::Access::kFinished).read(1, kAll, kAll), events(1, 10));
    EXPECT_EQ(filesIn(other.path()), std::vector<std::string>{"journal"});
}

// The folder of a run that was killed, on a medium that nobody may write, by a user who is not root: rights do not bind root.
TEST_F(JournalTest, IsReadFromReadOnlyMedia) {
    const tests::support::TempDir other;
    {
        Journal writer(file());
        writer.append(events(1, 10));
        for (const char* suffix : {"", "-wal"}) {
            std::filesystem::copy_file(file().string() + suffix, other.path() / (std::string("journal") + suffix));
        }
        writer.settle();
    }
    std::filesystem::permissions(dir_.path(), std::filesystem::perms(0555));
    std::filesystem::permissions(other.path(), std::filesystem::perms(0555));
    const pid_t child = ::fork();
    if (child == 0) {
        if (::geteuid() == 0 && ::setuid(65534) != 0) {
            ::_exit(3);
        }
        ::alarm(20);
        try {
            const bool settled = Journal(file(), Journal::Access::kFinished).read(1, kAll, kAll) == events(1, 10);
            const bool killed = Journal(other.path() / "journal", Journal::Access::kFinished).read(1, kAll, kAll) == events(1, 10);
            ::_exit(settled && killed ? 0 : 1);
        } catch (const engine::Error& error) {
            std::fputs(error.what(), stderr);
            ::_exit(2);
        }
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(filesIn(), std::vector<std::string>{"journal"});
    EXPECT_EQ(filesIn(other.path()), (std::vector<std::string>{"journal", "journal-wal"}));
    std::filesystem::permissions(dir_.path(), std::filesystem::perms(0755));
    std::filesystem::permissions(other.path(), std::filesystem::perms(0755));
}

TEST_F(JournalTest, ReadsAFileFromBeforeThereWereChecksums) {
    makeOldJournal();
    const Journal journal(file(), Journal::Access::kFinished);
    EXPECT_EQ(journal.lastSequence(), 2U);
    EXPECT_EQ(journal.read(1, kAll, kAll), (std::vector<JournalEntry>{{1, "one", 0}, {2, "two", 0}}));
    EXPECT_EQ(journal.record(), std::nullopt);
}

TEST_F(JournalTest, GoesOnInAFileFromBeforeThereWereChecksums) {
    makeOldJournal();
    Journal(file()).append(std::vector<JournalEntry>{{3, "three", 0}});
    const std::vector<JournalEntry> all{{1, "one", 0}, {2, "two", 0}, {3, "three", 0}};
    EXPECT_EQ(Journal(file(), Journal::Access::kReadOnly).read(1, kAll, kAll), all);
}

// Every bit of the file in turn, in steps: what is read is what was written, or the place of what is missing is named, or the file is
// refused as damaged. Nothing else, and nothing in silence.
TEST_F(JournalTest, NamesWhatIsDamagedWhereverABitFlips) {
    constexpr std::uint64_t kLast = 400;
    {
        Journal journal(file());
        for (std::uint64_t i = 1; i <= kLast; i += 40) {
            journal.append(longEvents(i, i + 39));
        }
        ASSERT_TRUE(journal.settle());
    }
    const std::string whole = contents();
    ASSERT_GT(whole.size(), 8U * 4096);
    int refused = 0, named = 0, whole_again = 0;
    for (std::size_t bit = 5; bit < whole.size() * 8; bit += 797) {
        std::string damaged = whole;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
        std::ofstream(file(), std::ios::binary | std::ios::trunc) << damaged;
        try {
            const Journal journal(file(), Journal::Access::kReadOnly);
            std::uint64_t next = 1;
            bool any_damage = false;
            while (next <= kLast) {
                const std::vector<JournalEntry> page = journal.read(next, 7, kAll);
                ASSERT_FALSE(page.empty()) << "bit " << bit << ": nothing is said of " << next;
                for (const JournalEntry& entry : page) {
                    ASSERT_EQ(entry.sequence, next) << "bit " << bit;
                    if (entry.damaged_to > 0) {
                        ASSERT_GE(entry.damaged_to, entry.sequence) << "bit " << bit;
                        any_damage = true;
                        next = entry.damaged_to + 1;
                    } else {
                        ASSERT_EQ(entry, longEvents(next, next).front()) << "bit " << bit;
                        ++next;
                    }
                }
            }
            (any_damage ? named : whole_again) += 1;
        } catch (const engine::Error& error) {
            ASSERT_EQ(error.code(), engine::ErrorCode::kDataLoss) << "bit " << bit << ": " << error.what();
            ++refused;
        }
    }
    EXPECT_GT(named, 100) << refused << " refused, " << whole_again << " unharmed";
    EXPECT_LT(refused, named) << "damage costs what it hit, not the journal";
}

// As a killed agent may leave it: the newest row holds something else than was written.
TEST_F(JournalTest, GoesOnBehindADamagedLastEvent) {
    {
        Journal journal(file());
        journal.append(events(1, 5));
    }
    std::string damaged = contents();
    const std::size_t at = damaged.rfind("event 5");
    ASSERT_NE(at, std::string::npos);
    damaged[at] = 'E';
    std::ofstream(file(), std::ios::binary | std::ios::trunc) << damaged;
    Journal journal(file());
    ASSERT_EQ(journal.lastSequence(), 4U);
    journal.append(events(5, 7));
    EXPECT_EQ(Journal(file(), Journal::Access::kReadOnly).read(1, kAll, kAll), events(1, 7));
}

TEST_F(JournalTest, IsReadWhileItIsWritten) {
    Journal journal(file());
    journal.append(events(1, 1));
    std::jthread writer([&] {
        for (std::uint64_t i = 2; i <= 500; ++i) {
            journal.append(events(i, i));
        }
    });
    const Journal reader(file(), Journal::Access::kReadOnly);  // as another process would
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(3);
    std::uint64_t next = 1;
    while (next <= 500 && std::chrono::steady_clock::now() < deadline) {
        for (const JournalEntry& entry : reader.read(next, 7, kAll)) {
            ASSERT_EQ(entry.sequence, next++);
        }
    }
    EXPECT_EQ(next, 501U);
}

TEST_F(JournalTest, HasOneWriterAtATime) {
    EXPECT_EQ(writerOf(file()).state, JournalWriter::State::kUnknown) << "there is no journal";
    {
        Journal journal(file());
        journal.append(events(1, 2));
        EXPECT_TRUE(refusal().starts_with(refusalOf(::getpid()))) << refusal();
        EXPECT_EQ(writerOf(file()).state, JournalWriter::State::kWrites);
        EXPECT_EQ(Journal(file(), Journal::Access::kReadOnly).read(1, kAll, kAll), events(1, 2)) << "and any number of readers";
        journal.append(events(3, 3));
    }
    EXPECT_EQ(writerOf(file()).state, JournalWriter::State::kGone) << "it ended in the middle of a run";
    EXPECT_EQ(refusal(), "");
    EXPECT_EQ(Journal(file(), Journal::Access::kReadOnly).read(1, kAll, kAll), events(1, 3));
}

TEST_F(JournalTest, IsFreeWhenNothingMoreIsAppended) {
    Journal journal(file());
    journal.append(events(1, 2));
    journal.settle();
    EXPECT_EQ(filesIn(), std::vector<std::string>{"journal"}) << "no lock stays beside the journal of a run that is over";
    {
        Journal next(file());  // the run goes on, while somebody still reads what was told before
        next.append(events(3, 4));
        EXPECT_THROW(journal.append(events(3, 3)), engine::Error) << "the next one writes";
    }
    EXPECT_EQ(Journal(file(), Journal::Access::kReadOnly).read(1, kAll, kAll), events(1, 4));
}

// However long it has told nothing, and until it is gone, however it ended.
TEST_F(JournalTest, IsItsWritersUntilThatIsGone) {
    int begun[2]{};
    ASSERT_EQ(::pipe(begun), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);
        try {
            Journal journal(file());
            journal.append(events(1, 2));
            if (::write(begun[1], "x", 1) == 1) ::pause();
        } catch (const engine::Error& error) {
            std::fputs(error.what(), stderr);
        }
        ::_exit(1);
    }
    ::close(begun[1]);
    char byte = 0;
    ASSERT_EQ(::read(begun[0], &byte, 1), 1);
    ::close(begun[0]);
    EXPECT_TRUE(refusal().starts_with(refusalOf(child))) << refusal();
    const JournalWriter writer = writerOf(file());
    EXPECT_EQ(writer.state, JournalWriter::State::kWrites);
    EXPECT_TRUE(writer.name.starts_with("agent_history_test (process " + std::to_string(child) + " on ")) << writer.name;
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(writerOf(file()).state, JournalWriter::State::kGone);
    Journal journal(file());
    journal.append(events(3, 3));
    EXPECT_EQ(journal.read(1, kAll, kAll), events(1, 3));
}

// Such as one that a program of a task is started in: it has its parent's open files until it executes that program.
TEST_F(JournalTest, IsFreeWhereAChildStillHasItsFiles) {
    int ends[2]{};
    ASSERT_EQ(::pipe(ends), 0);
    pid_t child = -1;
    {
        Journal journal(file());
        journal.append(events(1, 2));
        child = ::fork();
        if (child == 0) {
            ::alarm(60);
            ::close(ends[1]);
            char byte = 0;
            [[maybe_unused]] const ssize_t ended = ::read(ends[0], &byte, 1);  // until the parent closes its end
            ::_exit(0);
        }
    }
    ASSERT_GT(child, 0);
    EXPECT_EQ(writerOf(file()).state, JournalWriter::State::kGone);
    EXPECT_EQ(refusal(), "");
    ::close(ends[1]);
    ::close(ends[0]);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
}

// A shared file system may keep the locks of each computer apart: one that is free here may be held there.
TEST_F(JournalTest, OfAnotherComputerIsNotKnownToBeFree) {
    { Journal journal(file()); }
    const std::string lock = file().string() + agent::history::kWriterLockSuffix;
    ASSERT_EQ(writerOf(file()).state, JournalWriter::State::kGone);
    std::ofstream(lock) << "tandem-agent (process 7 on an.other.computer)\n";
    EXPECT_EQ(writerOf(file()).state, JournalWriter::State::kUnknown);
    std::ofstream(lock) << "";
    EXPECT_EQ(writerOf(file()).state, JournalWriter::State::kUnknown) << "its writer found no room for its name";
    EXPECT_EQ(refusal(), "") << "whoever knows better may write";
}

TEST_F(JournalTest, NamesItsWriterInPlainText) {
    const Journal journal(file());
    const std::string lock = file().string() + agent::history::kWriterLockSuffix;
    std::ofstream(lock) << "an agent\x1B[31m\xFF\n";
    EXPECT_EQ(writerOf(file()).name, "an agent");
    std::ofstream(lock) << "\xFF";
    EXPECT_EQ(writerOf(file()).name, "another program");
}

// A lock would be written where the link leads.
TEST_F(JournalTest, FollowsNoPlantedLinkToItsLock) {
    std::ofstream(dir_.path() / "victim") << "mine";
    std::filesystem::create_symlink(dir_.path() / "victim", file().string() + agent::history::kWriterLockSuffix);
    EXPECT_THROW(Journal{file()}, engine::Error);
    std::ifstream victim(dir_.path() / "victim");
    std::string text;
    victim >> text;
    EXPECT_EQ(text, "mine");
}

}  // namespace
