#include "agent/history/journal.h"

#include <array>

#include "agent/history/database.h"
#include "engine/spec/error.h"

namespace agent::history {

namespace {

// Schema of a journal, a step an entry. Never change an entry that was released: append one.
constexpr std::array kMigrations{
    "CREATE TABLE events (sequence INTEGER PRIMARY KEY, event BLOB NOT NULL);",
};

// A planted link would lead SQLite out of the run's folder.
const std::filesystem::path& withoutLinks(const std::filesystem::path& file) {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
        std::error_code ignored;
        if (std::filesystem::is_symlink(file.string() + suffix, ignored)) {
            throw engine::Error(engine::ErrorCode::kPermissionDenied, file.string() + suffix + ": expected a file, got a link");
        }
    }
    return file;
}

}  // namespace

Journal::Journal(const std::filesystem::path& file, Access access)
    : database_(std::make_unique<Database>(withoutLinks(file), kMigrations,
                                           access == Access::kCreate ? Database::Access::kCreate : Database::Access::kReadOnly)),
      query_(std::make_unique<Statement>(
          database_->prepare("SELECT sequence, event FROM events WHERE sequence >= ? ORDER BY sequence LIMIT ?"))) {
    if (access == Access::kCreate) {
        insertion_ = std::make_unique<Statement>(database_->prepare("INSERT INTO events (sequence, event) VALUES (?, ?)"));
    }
    last_sequence_ = lastSequence();
}

Journal::~Journal() = default;

std::uint64_t Journal::lastSequence() const {
    const std::lock_guard lock(mutex_);
    if (insertion_ != nullptr && last_sequence_ > 0) {
        return last_sequence_;
    }
    Statement query = database_->prepare("SELECT COALESCE(MAX(sequence), 0) FROM events");
    query.step();
    return static_cast<std::uint64_t>(query.integer(0));
}

void Journal::append(std::span<const JournalEntry> entries) {
    const std::lock_guard lock(mutex_);
    ENGINE_CHECK(insertion_ != nullptr);
    Transaction transaction(*database_);
    std::uint64_t sequence = last_sequence_;
    for (const JournalEntry& entry : entries) {
        ++sequence;
        ENGINE_CHECK(entry.sequence == sequence);
        insertion_->bind(1, static_cast<std::int64_t>(entry.sequence)).bindBlob(2, entry.event).run();
    }
    transaction.commit();
    last_sequence_ = sequence;
}

std::vector<JournalEntry> Journal::read(std::uint64_t from_sequence, std::size_t max_entries, std::size_t max_bytes) const {
    const std::lock_guard lock(mutex_);
    query_->bind(1, static_cast<std::int64_t>(from_sequence)).bind(2, static_cast<std::int64_t>(max_entries));
    std::vector<JournalEntry> entries;
    std::size_t bytes = 0;
    while (bytes < max_bytes && query_->step()) {
        entries.push_back({static_cast<std::uint64_t>(query_->integer(0)), query_->bytes(1)});
        bytes += entries.back().event.size();
    }
    query_->reset();
    return entries;
}

}  // namespace agent::history
