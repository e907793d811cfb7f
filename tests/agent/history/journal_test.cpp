#include "agent/history/journal.h"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace {

using agent::history::Journal;
using agent::history::JournalEntry;

class JournalTest : public ::testing::Test {
protected:
    static constexpr std::size_t kAll = 1 << 20;
    std::filesystem::path file() const { return dir_.path() / "journal"; }
    static std::vector<JournalEntry> events(std::uint64_t first, std::uint64_t last) {
        std::vector<JournalEntry> entries;
        for (std::uint64_t i = first; i <= last; ++i) {
            entries.push_back({i, "event " + std::to_string(i) + std::string(1, '\0')});
        }
        return entries;
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
    std::vector<JournalEntry> gap = events(3, 5);
    gap[2].sequence = 7;
    EXPECT_THROW(journal.append(gap), std::exception);
    EXPECT_EQ(journal.read(1, kAll, kAll), events(1, 2));
    journal.append(events(3, 3));
    EXPECT_EQ(journal.lastSequence(), 3U);
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
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    std::uint64_t next = 1;
    while (next <= 500 && std::chrono::steady_clock::now() < deadline) {
        for (const JournalEntry& entry : reader.read(next, 7, kAll)) {
            ASSERT_EQ(entry.sequence, next++);
        }
    }
    EXPECT_EQ(next, 501U);
}

}  // namespace
