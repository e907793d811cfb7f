// What a run's tasks told: kept in the run's journal first, then handed to everyone who watches.
//
//   publish ──▶ journal ──▶ queue of each live subscriber ──▶ next()
//                  └──────▶ pages, for a subscriber that is behind ──▶ next()
//
// While the journal can't be written its place is taken by memory and by a spare journal (event_store.h), and a line of the log says so.
// Where events of the journal are damaged, a line that names them stands in their place.
//
// A subscriber starts with pages of the journal and goes live when it has read the last one. Its queue is bounded: when it is full, packs
// of step points are left out, the oldest first, never the newest of a task, and counted. When that is not enough it falls back to pages,
// so no event of another kind is ever lost and memory stays bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "agent/server/runs/event_store.h"
#include "agent/server/runs/told_event.h"
#include "engine/spec/events/task_event.h"
#include "engine/thread/mutex.h"

namespace agent::server {

struct EventLogOptions {
    std::size_t max_queued_events = 2048;  // of one subscriber
    std::size_t max_queued_bytes = 4u << 20;
    std::size_t page_events = 512;  // of one next()
    std::size_t page_bytes = 256u << 10;
    // A subscriber that is behind reads pages at once, and no points are left out. Meant for a run that is told faster than anybody
    // watches, since it was written before and can be read again: its journal does not wait for the disk either.
    bool keeps_points = false;
    EventStoreOptions store{};
};

// Safe from any thread; publish() and close() from one thread at a time. Held by shared_ptr: a subscription keeps its log alive.
class EventLog : public std::enable_shared_from_this<EventLog> {
public:
    // The place of one who watches. Destroying it ends the watch. One thread at a time calls next().
    class Subscription {
    public:
        struct Batch {
            std::vector<std::string> events;  // encoded, in order of sequence
            std::int64_t dropped_points = 0;  // steps left out before or among them
            bool end = false;                 // the log is closed and everything was delivered
            bool empty() const { return events.empty() && dropped_points == 0; }
        };
        ~Subscription();
        Subscription(const Subscription&) = delete;
        Subscription& operator=(const Subscription&) = delete;
        // Never waits. A batch that is empty and not the end says that there is nothing yet; `wake` is called once when there is something.
        Batch next();

    private:
        friend class EventLog;
        struct Queued {
            std::uint64_t sequence;
            std::shared_ptr<const std::string> event;
            engine::spec::TaskId task;
            std::int64_t points;  // 0: no step points, never left out
        };
        Subscription(std::shared_ptr<EventLog> log, std::uint64_t from_sequence, std::function<void()> wake);
        bool full() const;
        // Called by the log, which holds its mutex: the analysis does not see that it is log_'s.
        void push(const Queued& entry) TANDEM_UNCHECKED_LOCKS;
        void leaveOutPoints() TANDEM_REQUIRES(log_->mutex_);
        void fallBehind();
        Batch takeQueued() TANDEM_REQUIRES(log_->mutex_);

        const std::shared_ptr<EventLog> log_;
        const std::function<void()> wake_;
        // Guarded by log_->mutex_, all of them.
        std::uint64_t cursor_;  // next sequence to read from the journal while not live
        bool live_ = false;
        bool waiting_ = false;
        std::deque<Queued> queue_;
        std::size_t queued_bytes_ = 0;
        std::int64_t dropped_points_ = 0;  // not told yet
        std::uint64_t first_dropped_ = 0;  // sequence of the first of them
    };

    static std::shared_ptr<EventLog> create(const std::filesystem::path& journal, const EventLogOptions& options = {});
    // Opens the log of a run that is over: it is closed from the start.
    static std::shared_ptr<EventLog> openFinished(const std::filesystem::path& journal, const EventLogOptions& options = {});

    // Gives the events their sequence, keeps them, then fans out. Answers the last sequence; 0 for no events.
    std::uint64_t publish(std::vector<ToldEvent> events);
    // Tries again to write what could not be written. True when the journal has everything.
    bool save();
    // True when the journal has everything.
    bool isSaved() const;
    // Writes what waits in memory into the spare journal. Called at the end of an agent whose journal can't be written.
    void saveSpare();
    // Returns how many steps lost their points since nothing had room for them.
    std::int64_t leftOutPoints() const;
    // Keeps the record that the journal carries of its run. False when it can't be written now.
    bool keepRecord(const std::string& record);
    // Brings the journal into its final form, for nothing will be published any more. It can be read on.
    void seal();
    // Called after seal(): subscribers end when they have everything.
    void close();
    // `wake` may be called from the publisher's thread until the subscription is gone, and once after; it must not call back into it inline
    // with a lock held that next()'s caller takes.
    std::unique_ptr<Subscription> subscribe(std::uint64_t from_sequence, std::function<void()> wake);

private:
    EventLog(const std::filesystem::path& journal, history::Journal::Access access, const EventLogOptions& options);
    std::uint64_t enter(std::vector<ToldEvent> events) TANDEM_REQUIRES(mutex_);
    void tellTrouble(const std::string& before) TANDEM_REQUIRES(mutex_);
    std::vector<std::function<void()>> takeWakes() TANDEM_REQUIRES(mutex_);
    static std::vector<std::string> encoded(std::vector<history::JournalEntry> entries);

    const EventLogOptions options_;
    mutable engine::Mutex mutex_;
    EventStore store_ TANDEM_GUARDED_BY(mutex_);
    history::Journal& journal_;  // of store_; it synchronizes itself
    bool sealed_ TANDEM_GUARDED_BY(mutex_) = false;
    bool closed_ TANDEM_GUARDED_BY(mutex_) = false;
    // The task that told something last; what the log itself has to say goes under its name.
    engine::spec::TaskId last_task_ TANDEM_GUARDED_BY(mutex_) = {"worker", 0};
    std::vector<Subscription*> subscribers_ TANDEM_GUARDED_BY(mutex_);
    std::map<engine::spec::TaskId, std::uint64_t> newest_points_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace agent::server
