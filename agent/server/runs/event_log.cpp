#include "agent/server/runs/event_log.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "agent/server/process/wall_clock.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::server {

using engine::spec::TaskEvent;

namespace {

std::string counted(std::int64_t count, const std::string& one) {
    return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

// Returns a line in place of the events from `first` to `last`, which can't be read any more.
TaskEvent damagedLine(std::uint64_t first, std::uint64_t last, std::int64_t time_unix_ns, const engine::spec::TaskId& task) {
    const std::string which = first == last ? "event " + std::to_string(first) + " is"
                                            : "events " + std::to_string(first) + " to " + std::to_string(last) + " are";
    return {last, time_unix_ns, task,
            engine::spec::LogLine{engine::spec::LogLevel::kWarning,
                                  std::string(engine::spec::kJournalDamage) + which + " damaged on disk and left out"}};
}

}  // namespace

EventLog::EventLog(const std::filesystem::path& journal, history::Journal::Access access, const EventLogOptions& options)
    : options_(options), store_(journal, access, options.store), journal_(store_.journal()) {
    if (options_.keeps_points && access == history::Journal::Access::kCreate) journal_.neverWait();
}

std::shared_ptr<EventLog> EventLog::create(const std::filesystem::path& journal, const EventLogOptions& options) {
    return std::shared_ptr<EventLog>(new EventLog(journal, history::Journal::Access::kCreate, options));
}

std::shared_ptr<EventLog> EventLog::openFinished(const std::filesystem::path& journal, const EventLogOptions& options) {
    std::shared_ptr<EventLog> log(new EventLog(journal, history::Journal::Access::kFinished, options));
    const engine::MutexLock lock(log->mutex_);
    log->closed_ = true;
    return log;
}

std::uint64_t EventLog::publish(std::vector<ToldEvent> events) {
    if (events.empty()) {
        return 0;
    }
    std::uint64_t last = 0;
    std::vector<std::function<void()>> wakes;
    {
        const engine::MutexLock lock(mutex_);
        const std::string before = store_.trouble();
        last = enter(std::move(events));
        tellTrouble(before);
        wakes = takeWakes();
    }
    for (const auto& wake : wakes) {
        wake();
    }
    return last;
}

std::uint64_t EventLog::enter(std::vector<ToldEvent> events) {
    std::uint64_t sequence = store_.lastSequence();
    std::vector<StoredEvent> stored;
    stored.reserve(events.size());
    for (ToldEvent& event : events) {
        ++sequence;
        stored.push_back({sequence, std::make_shared<const std::string>(stamped(std::move(event.bytes), sequence)), event.task,
                          event.points, event.is_log_line});
    }
    last_task_ = events.back().task;
    store_.append(stored);
    for (const StoredEvent& event : stored) {
        const Subscription::Queued entry{event.sequence, event.bytes, event.task, event.points};
        if (entry.points > 0) {
            newest_points_[entry.task] = entry.sequence;
        }
        for (Subscription* subscriber : subscribers_) {
            subscriber->push(entry);
        }
    }
    return sequence;
}

// A change is told once; what the disk does in between is nobody's concern.
void EventLog::tellTrouble(const std::string& before) {
    if (before.empty() == store_.trouble().empty()) {
        return;
    }
    std::string text = "events can't be kept on disk: " + store_.trouble() + "; they wait in memory, and training goes on";
    if (store_.trouble().empty()) {
        text = "events are kept on disk again";
        if (store_.leftOutPoints() > 0) {
            text += "; the points of " + counted(store_.leftOutPoints(), "step") + " had no room and are left out";
        }
        if (store_.leftOutLines() > 0) {
            text += "; " + counted(store_.leftOutLines(), "line") + " of the log had no room";
        }
    }
    enter({toldEvent({0, nowUnixNs(), last_task_, engine::spec::LogLine{engine::spec::LogLevel::kWarning, std::move(text)}})});
}

std::vector<std::function<void()>> EventLog::takeWakes() {
    std::vector<std::function<void()>> wakes;
    for (Subscription* subscriber : subscribers_) {
        if (std::exchange(subscriber->waiting_, false)) {
            wakes.push_back(subscriber->wake_);
        }
    }
    return wakes;
}

bool EventLog::save() {
    std::vector<std::function<void()>> wakes;
    bool saved = false;
    {
        const engine::MutexLock lock(mutex_);
        const std::string before = store_.trouble();
        if (before.empty()) {
            return true;
        }
        saved = store_.save();
        if (!sealed_) {
            tellTrouble(before);
        } else if (saved) {
            journal_.settle();
        }
        wakes = takeWakes();
    }
    for (const auto& wake : wakes) {
        wake();
    }
    return saved;
}

bool EventLog::isSaved() const {
    const engine::MutexLock lock(mutex_);
    return store_.trouble().empty();
}

void EventLog::saveSpare() {
    const engine::MutexLock lock(mutex_);
    store_.saveSpare();
}

std::int64_t EventLog::leftOutPoints() const {
    const engine::MutexLock lock(mutex_);
    return store_.leftOutPoints();
}

bool EventLog::keepRecord(const std::string& record) {
    try {
        journal_.keepRecord(record);
        return true;
    } catch (const engine::Error&) {
        return false;
    }
}

void EventLog::seal() {
    const engine::MutexLock lock(mutex_);
    sealed_ = true;
    if (store_.save()) {
        journal_.settle();
    }
}

void EventLog::close() {
    std::vector<std::function<void()>> wakes;
    {
        const engine::MutexLock lock(mutex_);
        closed_ = true;
        wakes = takeWakes();
    }
    for (const auto& wake : wakes) {
        wake();
    }
}

// A line takes the place of events that are damaged, with the time and the task of the event beside them.
std::vector<std::string> EventLog::encoded(std::vector<history::JournalEntry> entries) {
    std::int64_t time_unix_ns = 0;
    engine::spec::TaskId task{"worker", 0};
    std::vector<std::string> out;
    out.reserve(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i].damaged_to == 0) {
            out.push_back(std::move(entries[i].event));
            continue;
        }
        const std::string* beside = i > 0 && entries[i - 1].damaged_to == 0                    ? &out.back()
                                    : i + 1 < entries.size() && entries[i + 1].damaged_to == 0 ? &entries[i + 1].event
                                                                                               : nullptr;
        if (beside != nullptr) {
            const TaskEvent event = convert::decodeEvent(*beside);
            time_unix_ns = event.time_unix_ns;
            task = event.task;
        }
        out.push_back(convert::encodeEvent(damagedLine(entries[i].sequence, entries[i].damaged_to, time_unix_ns, task)));
    }
    return out;
}

std::unique_ptr<EventLog::Subscription> EventLog::subscribe(std::uint64_t from_sequence, std::function<void()> wake) {
    std::unique_ptr<Subscription> subscription(new Subscription(shared_from_this(), from_sequence, std::move(wake)));
    const engine::MutexLock lock(mutex_);
    subscribers_.push_back(subscription.get());
    return subscription;
}

EventLog::Subscription::Subscription(std::shared_ptr<EventLog> log, std::uint64_t from_sequence, std::function<void()> wake)
    : log_(std::move(log)), wake_(std::move(wake)), cursor_(std::max<std::uint64_t>(from_sequence, 1)) {}

EventLog::Subscription::~Subscription() {
    const engine::MutexLock lock(log_->mutex_);
    std::erase(log_->subscribers_, this);
}

bool EventLog::Subscription::full() const {
    return queue_.size() > log_->options_.max_queued_events || queued_bytes_ > log_->options_.max_queued_bytes;
}

void EventLog::Subscription::push(const Queued& entry) {
    if (!live_ || entry.sequence < cursor_) {
        return;
    }
    queue_.push_back(entry);
    queued_bytes_ += entry.event->size();
    if (full() && !log_->options_.keeps_points) {
        leaveOutPoints();
    }
    if (full()) {
        fallBehind();
    }
}

// Makes a quarter of the room free at once, so that a subscriber that stays slow does not cost a pass for every event.
void EventLog::Subscription::leaveOutPoints() {
    const std::size_t enough_events = log_->options_.max_queued_events / 4 * 3, enough_bytes = log_->options_.max_queued_bytes / 4 * 3;
    std::size_t events = queue_.size();
    std::erase_if(queue_, [&](const Queued& entry) TANDEM_REQUIRES(log_->mutex_) {
        const bool intermediate = entry.points > 0 && log_->newest_points_[entry.task] != entry.sequence;
        if (!intermediate || (events <= enough_events && queued_bytes_ <= enough_bytes)) {
            return false;
        }
        --events;
        queued_bytes_ -= entry.event->size();
        first_dropped_ = dropped_points_ == 0 ? entry.sequence : first_dropped_;
        dropped_points_ += entry.points;
        return true;
    });
}

// Back to the journal's pages, which hold the untold drops too: they count as delivered again.
void EventLog::Subscription::fallBehind() {
    cursor_ = queue_.front().sequence;
    if (dropped_points_ > 0) {
        cursor_ = std::min(cursor_, first_dropped_);
        dropped_points_ = 0;
    }
    live_ = false;
    queue_.clear();
    queued_bytes_ = 0;
}

EventLog::Subscription::Batch EventLog::Subscription::takeQueued() {
    Batch batch;
    std::size_t bytes = 0;
    while (!queue_.empty() && batch.events.size() < log_->options_.page_events) {
        const Queued& entry = queue_.front();
        if (bytes + entry.event->size() > log_->options_.page_bytes && !batch.events.empty()) {
            break;
        }
        batch.events.push_back(*entry.event);
        bytes += entry.event->size();
        cursor_ = entry.sequence + 1;
        queue_.pop_front();
    }
    queued_bytes_ -= bytes;
    batch.dropped_points = std::exchange(dropped_points_, 0);
    batch.end = log_->closed_ && queue_.empty();
    waiting_ = batch.empty() && !batch.end;
    return batch;
}

EventLog::Subscription::Batch EventLog::Subscription::next() {
    for (;;) {
        std::uint64_t from = 0;
        std::vector<history::JournalEntry> entries;
        bool in_journal = true;
        {
            const engine::MutexLock lock(log_->mutex_);
            // The publisher's lock is held: what comes after this moment goes through the queue.
            live_ = live_ || log_->store_.lastSequence() < cursor_;
            if (live_) {
                return takeQueued();
            }
            from = cursor_;
            in_journal = from <= log_->journal_.lastSequence();
            if (!in_journal) {
                entries = log_->store_.read(from, log_->options_.page_events, log_->options_.page_bytes);
            }
        }
        if (in_journal) {  // which synchronizes itself: the publisher does not wait for a page
            entries = log_->journal_.read(from, log_->options_.page_events, log_->options_.page_bytes);
        }
        const engine::MutexLock lock(log_->mutex_);
        cursor_ = entries.empty() ? log_->store_.lastSequence() + 1  // a gap at the end: nothing to wait for
                                  : std::max(entries.back().sequence, entries.back().damaged_to) + 1;
        if (!entries.empty()) {
            Batch batch;
            batch.events = encoded(std::move(entries));
            return batch;
        }
    }
}

}  // namespace agent::server
