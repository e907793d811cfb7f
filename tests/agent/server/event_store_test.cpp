#include "agent/server/runs/event_store.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/small_disk.h"
#include "tests/support/temp_dir.h"

namespace {

using agent::history::Journal;
using agent::server::EventStore;
using agent::server::EventStoreOptions;
using agent::server::StoredEvent;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A disk that takes no byte more is one on which no file may grow. Where the journal has grown large before, a limit below its size leaves
// room for the small spare journal: to the two, that is a full disk and another one.
class EventStoreTest : public ::testing::Test {
protected:
    static constexpr std::size_t kLarge = 1 << 20;
    static StoredEvent event(std::uint64_t sequence, std::size_t bytes = 100) {
        return {sequence, std::make_shared<const std::string>(std::to_string(sequence) + std::string(bytes, '.')), {"worker", 0}, 0, false};
    }
    static StoredEvent points(std::uint64_t sequence, int worker = 0) {
        StoredEvent pack = event(sequence, 1000);
        pack.task.index = worker;
        pack.points = 10;
        return pack;
    }
    static StoredEvent logLine(std::uint64_t sequence) {
        StoredEvent line = event(sequence, 1000);
        line.is_log_line = true;
        return line;
    }
    static void append(EventStore& store, std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t i = first; i <= last; ++i) {
            store.append({event(i)});
        }
    }
    // What a reader gets from `from` on, page by page.
    static std::vector<std::uint64_t> sequences(const EventStore& store, std::uint64_t from = 1) {
        std::vector<std::uint64_t> found;
        for (auto page = store.read(from, 3, 1 << 20); !page.empty(); page = store.read(from, 3, 1 << 20)) {
            for (const auto& entry : page) {
                EXPECT_EQ(entry.damaged_to, 0U);
                EXPECT_TRUE(entry.event.starts_with(std::to_string(entry.sequence) + "."));
                found.push_back(entry.sequence);
                from = entry.sequence + 1;
            }
        }
        return found;
    }
    static std::vector<std::uint64_t> upTo(std::uint64_t last) {
        std::vector<std::uint64_t> all;
        for (std::uint64_t i = 1; i <= last; ++i) {
            all.push_back(i);
        }
        return all;
    }
    std::filesystem::path journal() const { return dir_.path() / "journal"; }
    std::vector<std::uint64_t> onDisk() const {
        std::vector<std::uint64_t> found;
        for (const auto& entry : Journal(journal(), Journal::Access::kReadOnly).read(1, 10000, 64 << 20)) {
            EXPECT_EQ(entry.damaged_to, 0U) << "what was left out is no damage";
            found.push_back(entry.sequence);
        }
        return found;
    }
    EventStoreOptions spare(std::size_t max_waiting_bytes) const { return {max_waiting_bytes, {spare_.path()}, "spare-run.journal"}; }

    tests::support::TempDir dir_, spare_;
};

TEST_F(EventStoreTest, KeepsEventsInMemoryWhileTheDiskIsFull) {
    EventStore store(journal(), Journal::Access::kCreate, {});
    append(store, 1, 5);
    EXPECT_EQ(store.trouble(), "");
    {
        const tests::support::SmallDisk full(0);
        append(store, 6, 20);
        EXPECT_THAT(store.trouble(), HasSubstr("journal: "));
        EXPECT_FALSE(store.save());
        EXPECT_EQ(sequences(store), upTo(20)) << "who reads sees no difference";
        EXPECT_EQ(sequences(store, 8).size(), 13U);
    }
    EXPECT_EQ(onDisk(), upTo(5));
    EXPECT_TRUE(store.save());
    EXPECT_EQ(store.trouble(), "");
    EXPECT_EQ(onDisk(), upTo(20));
    EXPECT_EQ(store.leftOutPoints(), 0);
}

TEST_F(EventStoreTest, TheNextEventFindsThatThereIsRoomAgain) {
    EventStore store(journal(), Journal::Access::kCreate, {});
    {
        const tests::support::SmallDisk full(0);
        append(store, 1, 3);
    }
    append(store, 4, 4);
    EXPECT_EQ(store.trouble(), "");
    EXPECT_EQ(onDisk(), upTo(4));
}

TEST_F(EventStoreTest, GoesToTheSpareJournalWhenMemoryIsFull) {
    EventStore store(journal(), Journal::Access::kCreate, spare(2000));
    store.append({event(1, kLarge)});
    {
        const tests::support::SmallDisk full_for_the_journal(kLarge / 2);
        append(store, 2, 60);
        EXPECT_TRUE(std::filesystem::exists(spare_.path() / "spare-run.journal"));
        EXPECT_EQ(sequences(store), upTo(60));
        EXPECT_EQ(onDisk(), upTo(1));
        EXPECT_NE(store.trouble(), "");
    }
    EXPECT_TRUE(store.save());
    EXPECT_EQ(onDisk(), upTo(60));
    EXPECT_TRUE(std::filesystem::is_empty(spare_.path())) << "it has served";
}

TEST_F(EventStoreTest, TheNextAgentTakesTheSpareJournalBack) {
    {
        EventStore store(journal(), Journal::Access::kCreate, spare(1 << 20));
        store.append({event(1, kLarge)});
        const tests::support::SmallDisk full_for_the_journal(kLarge / 2);
        append(store, 2, 30);
        EXPECT_TRUE(std::filesystem::is_empty(spare_.path())) << "memory has room";
        store.saveSpare();
        EXPECT_EQ(onDisk(), upTo(1));
    }
    EXPECT_EQ(agent::server::moveSpareJournal(spare_.path() / "spare-run.journal", journal()), 29U);
    EXPECT_EQ(onDisk(), upTo(30));
    EXPECT_TRUE(std::filesystem::is_empty(spare_.path()));
}

TEST_F(EventStoreTest, LeavesOutPointsThenLinesAndNothingElse) {
    EventStore store(journal(), Journal::Access::kCreate, {.max_waiting_bytes = 20000});
    {
        const tests::support::SmallDisk full(0);
        for (std::uint64_t i = 1; i <= 60; i += 3) {
            store.append({points(i, static_cast<int>(i % 2)), logLine(i + 1), event(i + 2)});
        }
    }
    EXPECT_TRUE(store.save());
    const std::vector<std::uint64_t> kept = onDisk();
    EXPECT_GT(store.leftOutPoints(), 0);
    EXPECT_EQ(store.leftOutPoints() % 10, 0) << "steps, not packs";
    EXPECT_THAT(kept, ::testing::IsSupersetOf({55U, 58U})) << "the newest points of each task";
    for (std::uint64_t i = 3; i <= 60; i += 3) {
        EXPECT_THAT(kept, ::testing::Contains(i)) << "states, epochs, checkpoints";
    }
    EXPECT_EQ(60 - kept.size(), static_cast<std::size_t>(store.leftOutPoints() / 10 + store.leftOutLines()))
        << "what is missing is counted";
}

}  // namespace
