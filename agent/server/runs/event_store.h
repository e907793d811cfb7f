// The events of one run, kept also while the disk of the run's folder can't be written.
//
//   append ──▶ waiting (memory, bounded) ──▶ journal, in the run's folder
//                    └── bound reached ────▶ spare journal, on another disk ──▶ journal, as soon as that can be written again
//
// The order is that of the sequences: the journal has the first events, then the spare journal, then the memory. Only when neither journal
// can be written and the memory's bound is reached, events are left out: points of steps, the oldest first, never the newest of a task, and
// then lines of the log. Both are counted. States, epochs, checkpoints and every other event stay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/history/journal.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::server {

struct StoredEvent {
    std::uint64_t sequence = 0;
    std::shared_ptr<const std::string> bytes;  // encoded TaskEvent
    engine::spec::TaskId task;
    std::int64_t points = 0;  // steps in a pack of points; 0: no points
    bool is_log_line = false;
};

struct EventStoreOptions {
    std::size_t max_waiting_bytes = 16u << 20;
    std::vector<std::filesystem::path> spare_folders{};  // tried in turn; each must exist
    std::string spare_name{};                            // of the spare journal there; empty: there is none
};

// Used under its owner's mutex. Throws only where it is opened.
class EventStore {
public:
    // Throws engine::Error as history::Journal does.
    EventStore(const std::filesystem::path& journal, history::Journal::Access access, EventStoreOptions options);

    std::uint64_t lastSequence() const;
    // Appends events, whose sequences must go on from lastSequence(). Those that can't be written wait.
    void append(std::vector<StoredEvent> events);
    // Tries again to write what waits. True when everything is in the journal.
    bool save();
    // Writes what waits in memory into the spare journal, from where the next agent takes it. Called when the agent ends.
    void saveSpare();

    // Returns why events wait; empty: none waits.
    const std::string& trouble() const { return trouble_; }
    // Return how many steps with points, and how many lines of the log, were left out so far.
    std::int64_t leftOutPoints() const { return left_out_points_; }
    std::int64_t leftOutLines() const { return left_out_lines_; }

    // Reads as history::Journal::read does, over all three places, and throws as it does.
    std::vector<history::JournalEntry> read(std::uint64_t from_sequence, std::size_t max_entries, std::size_t max_bytes) const;

    history::Journal& journal() { return journal_; }

private:
    bool moveSpare();
    bool writeWaiting();
    bool writeTo(history::Journal& journal);
    bool openSpare();
    void leaveOut();
    void forget(std::deque<StoredEvent>::iterator event);

    const EventStoreOptions options_;
    history::Journal journal_;
    std::unique_ptr<history::Journal> spare_;
    std::filesystem::path spare_file_;
    std::deque<StoredEvent> waiting_;
    std::size_t waiting_bytes_ = 0;
    std::uint64_t last_sequence_ = 0;
    std::string trouble_;
    std::int64_t left_out_points_ = 0, left_out_lines_ = 0;
};

// Moves the events of a spare journal into the journal of its run and removes the spare one. Returns how many there were. Throws
// engine::Error when a file can't be read or written; the spare journal then stays.
std::size_t moveSpareJournal(const std::filesystem::path& spare_file, const std::filesystem::path& journal);

}  // namespace agent::server
