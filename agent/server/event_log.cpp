#include "agent/server/event_log.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "agent/convert/task_event_convert.h"

namespace agent::server {

using engine::spec::StepPoints;
using engine::spec::TaskEvent;

EventLog::EventLog(const std::filesystem::path& journal, history::Journal::Access access, EventLogOptions options)
    : options_(options), journal_(journal, access) {}

std::shared_ptr<EventLog> EventLog::create(const std::filesystem::path& journal, EventLogOptions options) {
    return std::shared_ptr<EventLog>(new EventLog(journal, history::Journal::Access::kCreate, options));
}

std::shared_ptr<EventLog> EventLog::openFinished(const std::filesystem::path& journal, EventLogOptions options) {
    std::shared_ptr<EventLog> log(new EventLog(journal, history::Journal::Access::kReadOnly, options));
    log->closed_ = true;
    return log;
}

void EventLog::publish(std::vector<TaskEvent>& events) {
    if (events.empty()) {
        return;
    }
    std::vector<std::function<void()>> wakes;
    {
        const std::lock_guard lock(mutex_);
        std::uint64_t sequence = journal_.lastSequence();
        std::vector<history::JournalEntry> entries;
        entries.reserve(events.size());
        for (TaskEvent& event : events) {
            event.sequence = ++sequence;
            entries.push_back({event.sequence, convert::encodeEvent(event)});
        }
        journal_.append(entries);
        for (std::size_t i = 0; i < events.size(); ++i) {
            const auto* points = std::get_if<StepPoints>(&events[i].body);
            const Subscription::Queued entry{events[i].sequence, std::make_shared<const std::string>(std::move(entries[i].event)),
                                             events[i].task, points == nullptr ? 0 : static_cast<std::int64_t>(points->step.size())};
            if (entry.points > 0) {
                newest_points_[entry.task] = entry.sequence;
            }
            for (Subscription* subscriber : subscribers_) {
                subscriber->push(entry);
            }
        }
        for (Subscription* subscriber : subscribers_) {
            if (std::exchange(subscriber->waiting_, false)) {
                wakes.push_back(subscriber->wake_);
            }
        }
    }
    for (const auto& wake : wakes) {
        wake();
    }
}

void EventLog::close() {
    std::vector<std::function<void()>> wakes;
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        for (Subscription* subscriber : subscribers_) {
            if (std::exchange(subscriber->waiting_, false)) {
                wakes.push_back(subscriber->wake_);
            }
        }
    }
    for (const auto& wake : wakes) {
        wake();
    }
}

std::unique_ptr<EventLog::Subscription> EventLog::subscribe(std::uint64_t from_sequence, std::function<void()> wake) {
    std::unique_ptr<Subscription> subscription(new Subscription(shared_from_this(), from_sequence, std::move(wake)));
    const std::lock_guard lock(mutex_);
    subscribers_.push_back(subscription.get());
    return subscription;
}

EventLog::Subscription::Subscription(std::shared_ptr<EventLog> log, std::uint64_t from_sequence, std::function<void()> wake)
    : log_(std::move(log)), wake_(std::move(wake)), cursor_(std::max<std::uint64_t>(from_sequence, 1)) {}

EventLog::Subscription::~Subscription() {
    const std::lock_guard lock(log_->mutex_);
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
    if (full()) {
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
    std::erase_if(queue_, [&](const Queued& entry) {
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
        {
            const std::lock_guard lock(log_->mutex_);
            // Under the publisher's lock: what comes after this moment goes through the queue.
            live_ = live_ || log_->journal_.lastSequence() < cursor_;
            if (live_) {
                return takeQueued();
            }
            from = cursor_;
        }
        Batch batch;
        for (history::JournalEntry& entry : log_->journal_.read(from, log_->options_.page_events, log_->options_.page_bytes)) {
            from = entry.sequence + 1;
            batch.events.push_back(std::move(entry.event));
        }
        const std::lock_guard lock(log_->mutex_);
        if (batch.events.empty()) {
            from = log_->journal_.lastSequence() + 1;  // a gap at the end: nothing to wait for
        }
        cursor_ = from;
        if (!batch.events.empty()) {
            return batch;
        }
    }
}

}  // namespace agent::server
