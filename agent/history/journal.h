// Every event of one run, in order: RUN_DIR/journal, a SQLite file. An event is kept as the bytes it travels in; this folder does not look
// inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace agent::history {

class Database;
class Statement;

struct JournalEntry {
    std::uint64_t sequence = 0;
    std::string event;  // encoded TaskEvent
    friend bool operator==(const JournalEntry&, const JournalEntry&) = default;
};

// Safe from any thread (one connection, one mutex); other processes may read the file meanwhile. One Journal at a time may append.
// Every call throws engine::Error naming the file: kResourceExhausted on a full disk, kPermissionDenied, kDataLoss, kInternal.
class Journal {
public:
    enum class Access { kReadOnly, kCreate };
    explicit Journal(const std::filesystem::path& file, Access access = Access::kCreate);
    ~Journal();

    // Of the newest event; 0 when there is none.
    std::uint64_t lastSequence() const;
    // All or none, in one transaction; a failure leaves the journal as it was. Requires consecutive sequences that go on from
    // lastSequence().
    void append(std::span<const JournalEntry> entries);
    // Events from a sequence (included) on, in order: at most max_entries of max_bytes together, but always one if there is one.
    std::vector<JournalEntry> read(std::uint64_t from_sequence, std::size_t max_entries, std::size_t max_bytes) const;

private:
    mutable std::mutex mutex_;
    std::unique_ptr<Database> database_;    // guarded by mutex_, as all below
    std::unique_ptr<Statement> insertion_;  // null for kReadOnly
    std::unique_ptr<Statement> query_;
    std::uint64_t last_sequence_ = 0;
};

}  // namespace agent::history
