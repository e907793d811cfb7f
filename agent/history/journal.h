// Every event of one run, in order: RUN_DIR/journal, a SQLite file. An event is kept as the bytes it travels in; this folder does not look
// inside.
//
//   events    sequence, event, crc   crc: CRC-32C of the sequence (8 bytes, little-endian) and the event; files of schema 1 have none
//   left_out  first, last            sequences that were given and on purpose not kept: nobody may take them for damage
//   run       key, value, crc        "record": the run's record; "last": the newest sequence, written when the run is over
//
// While a run goes on the file is in WAL mode; of a run that is over it is one file that read-only media may hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/history/writer_lock.h"
#include "engine/thread/mutex.h"

namespace agent::history {

class Database;
class Statement;

// Either an event, or, with `damaged_to`, the place of one or more that can't be read any more: those from `sequence` to `damaged_to`.
struct JournalEntry {
    std::uint64_t sequence = 0;
    std::string event;  // encoded TaskEvent
    std::uint64_t damaged_to = 0;
    friend bool operator==(const JournalEntry&, const JournalEntry&) = default;
};

// Safe from any thread (one connection, one mutex); other processes may read the file meanwhile. One Journal at a time may append, in this
// process or another: one of kCreate holds the file's WriterLock until settle() or its end.
// Every call throws engine::Error naming the file: kResourceExhausted on a full disk, kPermissionDenied, kDataLoss, kInternal; the
// constructor for kCreate, and append() behind settle(), kAlreadyExists naming who writes the file.
class Journal {
public:
    enum class Access {
        kReadOnly,
        kFinished,  // of a run that is over: reading may bring the file into its final form
        kCreate,
    };
    explicit Journal(const std::filesystem::path& file, Access access = Access::kCreate);
    ~Journal();

    // Returns the sequence of the newest event; 0 when there is none.
    std::uint64_t lastSequence() const;
    // Writes all events or none, in one transaction; a failure leaves the journal as it was. Requires growing sequences above
    // lastSequence(); those that are missing in between count as left out.
    void append(std::span<const JournalEntry> entries);
    // Returns events from a sequence (included) on, in order: at most max_entries of max_bytes together, but always one if there is one.
    // Damaged events are never returned: an entry with `damaged_to` stands in their place.
    std::vector<JournalEntry> read(std::uint64_t from_sequence, std::size_t max_entries, std::size_t max_bytes) const;

    // The record of the run that the journal belongs to, as the agent wrote it last; nullopt when there is none or it is damaged.
    std::optional<std::string> record() const;
    void keepRecord(std::string_view record);

    // Makes appending never wait for the disk; a power cut may take the newest events. Meant for a run whose events can be read again from
    // where they came.
    void neverWait();

    // Brings the journal into one file and lets its lock go, since nothing more is appended. False when the one file must wait (a full
    // disk, another reader).
    bool settle();

private:
    void readRows(std::uint64_t from_sequence, std::size_t max_entries, std::size_t max_bytes, std::vector<JournalEntry>& entries) const
        TANDEM_REQUIRES(mutex_);
    bool isIntact(const Statement& row) const TANDEM_REQUIRES(mutex_);
    void addChecksums() TANDEM_REQUIRES(mutex_);
    std::uint64_t newestIntact() const TANDEM_REQUIRES(mutex_);
    void dropBehindLast();
    std::uint64_t firstReadableFrom(std::uint64_t sequence) const TANDEM_REQUIRES(mutex_);
    void addDamaged(std::uint64_t first, std::uint64_t last, std::vector<JournalEntry>& entries) const TANDEM_REQUIRES(mutex_);
    std::optional<std::string> value(std::string_view key) const TANDEM_REQUIRES(mutex_);
    void keep(std::string_view key, std::string_view value) TANDEM_REQUIRES(mutex_);

    const std::filesystem::path file_;
    mutable engine::Mutex mutex_;
    WriterLock lock_ TANDEM_GUARDED_BY(mutex_);  // none unless kCreate; outlives the connection
    std::unique_ptr<Database> database_ TANDEM_GUARDED_BY(mutex_);
    std::unique_ptr<Statement> insertion_ TANDEM_GUARDED_BY(mutex_);  // null unless kCreate
    std::unique_ptr<Statement> query_ TANDEM_GUARDED_BY(mutex_);
    bool has_checksums_ TANDEM_GUARDED_BY(mutex_) = true;     // false: a file of schema 1
    bool grows_elsewhere_ TANDEM_GUARDED_BY(mutex_) = false;  // kReadOnly: another process may append
    std::uint64_t last_sequence_ TANDEM_GUARDED_BY(mutex_) = 0;
};

}  // namespace agent::history
