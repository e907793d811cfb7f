#include "agent/server/runs/event_store.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/spec/error.h"

namespace agent::server {

namespace fs = std::filesystem;
using history::Journal;
using history::JournalEntry;

namespace {

constexpr std::size_t kMovedEvents = 512, kMovedBytes = 1u << 20;  // of one transaction

// The files of a journal. That of a run that is over is the first alone.
void removeJournal(const fs::path& file) {
    for (const char* suffix : {"", "-wal", "-shm", history::kWriterLockSuffix}) {
        std::error_code ignored;
        fs::remove(file.string() + suffix, ignored);
    }
}

// Events that are damaged in `from` stay behind.
std::size_t moveAll(const Journal& from, Journal& to) {
    std::size_t moved = 0;
    std::uint64_t next = to.lastSequence() + 1;
    for (;;) {
        std::vector<JournalEntry> entries = from.read(next, kMovedEvents, kMovedBytes);
        if (entries.empty()) {
            return moved;
        }
        next = std::max(entries.back().sequence, entries.back().damaged_to) + 1;
        std::erase_if(entries, [](const JournalEntry& entry) { return entry.damaged_to > 0; });
        to.append(entries);
        moved += entries.size();
    }
}

}  // namespace

EventStore::EventStore(const fs::path& journal, Journal::Access access, EventStoreOptions options)
    : options_(std::move(options)), journal_(journal, access), last_sequence_(journal_.lastSequence()) {}

std::uint64_t EventStore::lastSequence() const {
    return std::max(last_sequence_, journal_.lastSequence());
}

void EventStore::append(std::vector<StoredEvent> events) {
    for (StoredEvent& event : events) {
        last_sequence_ = event.sequence;
        waiting_bytes_ += event.bytes->size();
        waiting_.push_back(std::move(event));
    }
    save();
}

bool EventStore::save() {
    if (moveSpare() && writeWaiting()) {
        trouble_.clear();
        return true;
    }
    if (waiting_bytes_ > options_.max_waiting_bytes) {
        saveSpare();
    }
    if (waiting_bytes_ > options_.max_waiting_bytes) {
        leaveOut();
    }
    return false;
}

// Moves the events of the spare journal, which go first. True when it holds none any more.
bool EventStore::moveSpare() {
    if (!spare_) {
        return true;
    }
    try {
        moveAll(*spare_, journal_);
    } catch (const engine::Error& error) {
        trouble_ = error.what();
        return false;
    }
    spare_.reset();
    removeJournal(spare_file_);
    return true;
}

bool EventStore::writeWaiting() {
    return waiting_.empty() || writeTo(journal_);
}

bool EventStore::writeTo(Journal& journal) {
    std::vector<JournalEntry> entries;
    entries.reserve(waiting_.size());
    for (const StoredEvent& event : waiting_) {
        entries.push_back({event.sequence, *event.bytes, 0});
    }
    try {
        journal.append(entries);
    } catch (const engine::Error& error) {
        trouble_ = error.what();
        return false;
    }
    waiting_.clear();
    waiting_bytes_ = 0;
    return true;
}

bool EventStore::openSpare() {
    for (const fs::path& folder : options_.spare_folders) {
        if (spare_ || options_.spare_name.empty()) {
            break;
        }
        try {
            spare_file_ = folder / options_.spare_name;
            spare_ = std::make_unique<Journal>(spare_file_);
        } catch (const engine::Error&) {
            // The next folder may have room.
        }
    }
    return spare_ != nullptr;
}

void EventStore::saveSpare() {
    if (!waiting_.empty() && openSpare()) {
        const std::string why = trouble_;
        if (writeTo(*spare_)) {
            trouble_ = why;  // the journal itself still lacks them
        }
    }
}

void EventStore::forget(std::deque<StoredEvent>::iterator event) {
    waiting_bytes_ -= event->bytes->size();
    left_out_points_ += event->points;
    left_out_lines_ += event->is_log_line ? 1 : 0;
    event->bytes = nullptr;
}

void EventStore::leaveOut() {
    std::map<engine::spec::TaskId, std::uint64_t> newest;
    for (const StoredEvent& event : waiting_) {
        if (event.points > 0) {
            newest[event.task] = event.sequence;
        }
    }
    const std::size_t enough = options_.max_waiting_bytes / 4 * 3;  // so that not every further event costs a pass
    for (auto event = waiting_.begin(); event != waiting_.end() && waiting_bytes_ > enough; ++event) {
        if (event->points > 0 && newest[event->task] != event->sequence) {
            forget(event);
        }
    }
    for (auto event = waiting_.begin(); event != waiting_.end() && waiting_bytes_ > enough; ++event) {
        if (event->bytes != nullptr && event->is_log_line) {
            forget(event);
        }
    }
    std::erase_if(waiting_, [](const StoredEvent& event) { return event.bytes == nullptr; });
}

std::vector<JournalEntry> EventStore::read(std::uint64_t from_sequence, std::size_t max_entries, std::size_t max_bytes) const {
    std::vector<JournalEntry> entries = journal_.read(from_sequence, max_entries, max_bytes);
    if (entries.empty() && spare_) {
        entries = spare_->read(std::max(from_sequence, journal_.lastSequence() + 1), max_entries, max_bytes);
        std::erase_if(entries, [&](const JournalEntry& entry) { return entry.damaged_to > 0; });  // it begins in the middle
    }
    if (!entries.empty()) {
        return entries;
    }
    std::size_t bytes = 0;
    for (const StoredEvent& event : waiting_) {
        if (event.sequence >= from_sequence && entries.size() < max_entries && bytes < max_bytes) {
            bytes += event.bytes->size();
            entries.push_back({event.sequence, *event.bytes, 0});
        }
    }
    return entries;
}

std::size_t moveSpareJournal(const fs::path& spare_file, const fs::path& journal) {
    std::size_t moved = 0;
    {
        const Journal spare(spare_file, Journal::Access::kFinished);
        Journal target(journal);
        moved = moveAll(spare, target);
        target.settle();
    }
    removeJournal(spare_file);
    return moved;
}

}  // namespace agent::server
