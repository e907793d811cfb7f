#include "agent/history/journal.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <utility>

#include "agent/history/database.h"
#include "engine/checksum/crc32c.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::history {

namespace {

// The schema of a journal, a step an entry. Never change an entry that was released: append one.
constexpr std::array kJournalMigrations{
    "CREATE TABLE events (sequence INTEGER PRIMARY KEY, event BLOB NOT NULL);",
    "ALTER TABLE events ADD COLUMN crc INTEGER;"
    "CREATE TABLE left_out (first INTEGER PRIMARY KEY, last INTEGER NOT NULL);"
    "CREATE TABLE run (key TEXT PRIMARY KEY, value BLOB NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID;",
};
constexpr int kFirstWithChecksums = 2;
constexpr const char* kRecordKey = "record";
constexpr const char* kLastKey = "last";
constexpr std::uint64_t kMostSequence = std::numeric_limits<std::int64_t>::max();

Database::Access journalAccess(Journal::Access access) {
    switch (access) {
        case Journal::Access::kReadOnly:
            return Database::Access::kReadOnly;
        case Journal::Access::kFinished:
            return Database::Access::kFinished;
        case Journal::Access::kCreate:
            break;
    }
    return Database::Access::kCreate;
}

std::int64_t checksum(std::uint64_t sequence, std::string_view event) {
    std::array<char, sizeof sequence> bytes{};
    for (char& byte : bytes) {
        byte = static_cast<char>(sequence & 0xFF);
        sequence >>= 8;
    }
    return engine::checksum::crc32c(event, engine::checksum::crc32c({bytes.data(), bytes.size()}));
}

bool isDamage(const engine::Error& error) {
    return error.code() == engine::ErrorCode::kDataLoss;
}

// The tables of a file that opens as a database may be damaged all the same: SQLite then knows no such table or column.
template <typename Action>
auto asDamage(const std::filesystem::path& file, const Action& action) {
    try {
        return action();
    } catch (const engine::Error& error) {
        if (error.code() != engine::ErrorCode::kInternal && error.code() != engine::ErrorCode::kDataLoss) {
            throw;
        }
        const std::string_view what = error.what();
        const std::string prefix = file.string() + ": ";
        throw engine::Error(engine::ErrorCode::kDataLoss,
                            prefix + "is damaged: " + std::string(what.starts_with(prefix) ? what.substr(prefix.size()) : what));
    }
}

// A planted link would lead SQLite out of the run's folder.
void requireNoLinks(const std::filesystem::path& file) {
    for (const char* suffix : {"", "-wal", "-shm", "-journal", kWriterLockSuffix}) {
        std::error_code ignored;
        if (std::filesystem::is_symlink(file.string() + suffix, ignored)) {
            throw engine::Error(engine::ErrorCode::kPermissionDenied, file.string() + suffix + ": expected a file, got a link");
        }
    }
}

}  // namespace

Journal::Journal(const std::filesystem::path& file, Access access) : file_(file) {
    requireNoLinks(file);
    if (access == Access::kCreate) {
        lock_ = WriterLock::take(file);
    }
    asDamage(file, [&]() TANDEM_UNCHECKED_LOCKS {  // nobody else has it yet
        database_ = std::make_unique<Database>(file, kJournalMigrations, journalAccess(access));
        has_checksums_ = database_->schemaVersion() >= kFirstWithChecksums;
        query_ = std::make_unique<Statement>(
            database_->prepare(has_checksums_ ? "SELECT sequence, event, crc FROM events WHERE sequence >= ? ORDER BY sequence LIMIT ?"
                                              : "SELECT sequence, event, NULL FROM events WHERE sequence >= ? ORDER BY sequence LIMIT ?"));
        if (access == Access::kCreate) {
            insertion_ = std::make_unique<Statement>(database_->prepare("INSERT INTO events (sequence, event, crc) VALUES (?, ?, ?)"));
            if (!database_->isFresh() && database_->versionBefore() < kFirstWithChecksums) {
                addChecksums();
            }
        }
    });
    last_sequence_ = lastSequence();
    if (access == Access::kCreate) {
        dropBehindLast();
    }
    grows_elsewhere_ = access == Access::kReadOnly;
}

Journal::~Journal() = default;

// A file of schema 1 has become one with checksums: what it holds now is what counts from here on.
void Journal::addChecksums() {
    Transaction transaction(*database_);
    Statement rows = database_->prepare("SELECT sequence, event FROM events");
    Statement change = database_->prepare("UPDATE events SET crc = ? WHERE sequence = ?");
    while (rows.step()) {
        const std::int64_t sequence = rows.integer(0);
        change.bind(1, checksum(static_cast<std::uint64_t>(sequence), rows.bytes(1))).bind(2, sequence).run();
    }
    transaction.commit();
}

// True when the event is the one that the checksum was made of. The row has the columns sequence, event and crc.
bool Journal::isIntact(const Statement& row) const {
    return !has_checksums_ || (!row.isNull(2) && row.integer(2) == checksum(static_cast<std::uint64_t>(row.integer(0)), row.bytes(1)));
}

std::uint64_t Journal::lastSequence() const {
    const engine::MutexLock lock(mutex_);
    if (!grows_elsewhere_ && last_sequence_ > 0) {
        return last_sequence_;
    }
    std::uint64_t last = newestIntact();
    if (const std::optional<std::string> written = value(kLastKey); written && written->size() <= 19) {
        last = std::max<std::uint64_t>(last, std::strtoull(written->c_str(), nullptr, 10));
    }
    return last;
}

// Damage may have changed the number of the last row, too: the one that counts is the largest that its checksum confirms.
std::uint64_t Journal::newestIntact() const {
    try {
        Statement newest = database_->prepare(has_checksums_ ? "SELECT sequence, event, crc FROM events ORDER BY sequence DESC"
                                                             : "SELECT sequence, event, NULL FROM events ORDER BY sequence DESC");
        while (newest.step()) {
            if (isIntact(newest)) {
                return static_cast<std::uint64_t>(newest.integer(0));
            }
        }
    } catch (const engine::Error& error) {
        if (!isDamage(error)) {
            throw;
        }
    }
    return 0;
}

// A damaged row behind the last one that counts has the number that the next event gets.
void Journal::dropBehindLast() {
    const engine::MutexLock lock(mutex_);
    const auto last = static_cast<std::int64_t>(last_sequence_);
    try {
        database_->prepare("DELETE FROM events WHERE sequence > ?").bind(1, last).run();
        database_->prepare("DELETE FROM left_out WHERE first > ?").bind(1, last).run();
    } catch (const engine::Error& error) {
        if (!isDamage(error)) {
            throw;
        }
    }
}

void Journal::append(std::span<const JournalEntry> entries) {
    const engine::MutexLock lock(mutex_);
    ENGINE_CHECK(insertion_ != nullptr);
    WriterLock again = lock_ ? WriterLock() : WriterLock::take(file_);  // something comes behind settle()
    Transaction transaction(*database_);
    std::uint64_t sequence = last_sequence_;
    for (const JournalEntry& entry : entries) {
        ENGINE_CHECK(entry.sequence > sequence && entry.sequence <= kMostSequence);
        if (entry.sequence > sequence + 1) {
            Statement left_out = database_->prepare("INSERT INTO left_out (first, last) VALUES (?, ?)");
            left_out.bind(1, static_cast<std::int64_t>(sequence + 1)).bind(2, static_cast<std::int64_t>(entry.sequence - 1)).run();
        }
        sequence = entry.sequence;
        insertion_->bind(1, static_cast<std::int64_t>(sequence)).bindBlob(2, entry.event).bind(3, checksum(sequence, entry.event)).run();
    }
    transaction.commit();
    again.end();
    last_sequence_ = sequence;
}

std::vector<JournalEntry> Journal::read(std::uint64_t from_sequence, std::size_t max_entries, std::size_t max_bytes) const {
    const std::uint64_t last = lastSequence();
    const engine::MutexLock lock(mutex_);
    std::vector<JournalEntry> entries;
    from_sequence = std::max<std::uint64_t>(from_sequence, 1);
    if (from_sequence > last) {
        return entries;
    }
    try {
        readRows(from_sequence, max_entries, max_bytes, entries);
    } catch (const engine::Error& error) {
        query_->reset();
        if (!isDamage(error)) {
            throw;
        }
        if (entries.empty()) {  // else the next call meets the damage first
            addDamaged(from_sequence, std::min(firstReadableFrom(from_sequence + 1) - 1, last), entries);
        }
        return entries;
    }
    if (entries.empty()) {
        addDamaged(from_sequence, last, entries);
    }
    return entries;
}

// A row that its checksum does not confirm is as good as missing, and so is one that comes out of order.
void Journal::readRows(std::uint64_t from_sequence, std::size_t max_entries, std::size_t max_bytes,
                       std::vector<JournalEntry>& entries) const {
    query_->bind(1, static_cast<std::int64_t>(from_sequence)).bind(2, std::numeric_limits<std::int64_t>::max());
    std::uint64_t next = from_sequence;
    std::size_t bytes = 0;
    while (entries.size() < max_entries && query_->step()) {
        JournalEntry entry{static_cast<std::uint64_t>(query_->integer(0)), query_->bytes(1), 0};
        if (entry.sequence < next || !isIntact(*query_)) {
            continue;
        }
        bytes += entry.event.size();
        if (bytes > max_bytes && !entries.empty()) {
            break;
        }
        if (entry.sequence > next) {
            addDamaged(next, entry.sequence - 1, entries);
        }
        next = entry.sequence + 1;
        entries.push_back(std::move(entry));
    }
    query_->reset();
}

// The first sequence from `sequence` on at which reading can begin: a page of the file that is damaged holds a stretch of them.
std::uint64_t Journal::firstReadableFrom(std::uint64_t sequence) const {
    const auto readable = [&](std::uint64_t from) TANDEM_REQUIRES(mutex_) {
        try {
            query_->bind(1, static_cast<std::int64_t>(from)).bind(2, 1);
            query_->step();
            query_->reset();
            return true;
        } catch (const engine::Error&) {
            query_->reset();
            return false;
        }
    };
    std::uint64_t bad = sequence - 1, distance = 1;
    while (bad + distance < kMostSequence && !readable(bad + distance)) {
        bad += distance;
        distance *= 2;
    }
    std::uint64_t good = std::min(bad + distance, kMostSequence);
    while (good - bad > 1) {
        const std::uint64_t middle = bad + (good - bad) / 2;
        (readable(middle) ? good : bad) = middle;
    }
    return good;
}

// The sequences from `first` to `last` but for those that were left out on purpose.
void Journal::addDamaged(std::uint64_t first, std::uint64_t last, std::vector<JournalEntry>& entries) const {
    try {
        if (has_checksums_) {
            Statement left_out = database_->prepare("SELECT first, last FROM left_out WHERE last >= ?1 AND first <= ?2 ORDER BY first");
            left_out.bind(1, static_cast<std::int64_t>(first)).bind(2, static_cast<std::int64_t>(last));
            while (first <= last && left_out.step()) {
                const auto from = static_cast<std::uint64_t>(left_out.integer(0));
                if (from > first) {
                    entries.push_back({first, {}, from - 1});
                }
                first = std::max(first, static_cast<std::uint64_t>(left_out.integer(1)) + 1);
            }
        }
    } catch (const engine::Error& error) {
        if (!isDamage(error)) {
            throw;
        }
    }
    if (first <= last) {
        entries.push_back({first, {}, last});
    }
}

std::optional<std::string> Journal::value(std::string_view key) const {
    if (!has_checksums_) {
        return std::nullopt;
    }
    try {
        Statement query = database_->prepare("SELECT value, crc FROM run WHERE key = ?");
        if (!query.bindText(1, key).step() || query.integer(1) != checksum(0, query.bytes(0))) {
            return std::nullopt;
        }
        return query.bytes(0);
    } catch (const engine::Error& error) {
        if (!isDamage(error)) {
            throw;
        }
        return std::nullopt;
    }
}

void Journal::keep(std::string_view key, std::string_view value) {
    Statement insertion = database_->prepare("INSERT OR REPLACE INTO run (key, value, crc) VALUES (?, ?, ?)");
    insertion.bindText(1, key).bindBlob(2, value).bind(3, checksum(0, value)).run();
}

std::optional<std::string> Journal::record() const {
    const engine::MutexLock lock(mutex_);
    return value(kRecordKey);
}

void Journal::keepRecord(std::string_view record) {
    const engine::MutexLock lock(mutex_);
    keep(kRecordKey, record);
}

void Journal::neverWait() {
    const engine::MutexLock lock(mutex_);
    database_->execute("PRAGMA synchronous = OFF");
}

bool Journal::settle() {
    const engine::MutexLock lock(mutex_);
    bool settled = false;
    try {
        if (insertion_ != nullptr) {
            keep(kLastKey, std::to_string(last_sequence_));
        }
        settled = database_->settle();
    } catch (const engine::Error&) {
        // It stays a file with a log, which holds all the same.
    }
    lock_.end();
    return settled;
}

}  // namespace agent::history
