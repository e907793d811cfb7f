// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/time_travel.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "agent/client/agent_client.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"
#include "ui/session/host/client_slot.h"

namespace ui::session {

using engine::spec::TaskEvent;

namespace {

constexpr std::chrono::seconds kTimeTravelConnection{10};
constexpr std::chrono::milliseconds kQuiet{1500};  // a run of which nothing was known has told all that it had
constexpr std::chrono::seconds kSilent{30};        // more does not come, though more was known of it
constexpr std::chrono::milliseconds kSlice{50};
constexpr int kRebuildMs = 40;
constexpr std::int64_t kLatePackNs = 10'000'000'000;  // points are told in packs, some time after their first

// The step behind which the event tells how the run stands, or the first of those that it tells of; nullopt: it tells of none.
std::optional<std::int64_t> stepOf(const TaskEvent& event) {
    if (const auto* points = std::get_if<engine::spec::StepPoints>(&event.body)) {
        return points->step.empty() ? std::nullopt : std::optional(static_cast<std::int64_t>(points->step.front()));
    }
    if (const auto* epoch = std::get_if<engine::spec::EpochEnd>(&event.body)) return epoch->step;
    if (const auto* saved = std::get_if<engine::spec::CheckpointSaved>(&event.body)) return saved->step;
    if (const auto* weights = std::get_if<engine::spec::WeightReport>(&event.body)) return weights->step;
    return std::nullopt;
}

// True when the event belongs to the moment: it was told by then, or soon after of a step that was over by then.
bool isBy(const TaskEvent& event, std::int64_t unix_ns, std::int64_t step) {
    if (event.time_unix_ns <= unix_ns) return true;
    const std::optional<std::int64_t> of = stepOf(event);
    return of && *of <= step && event.time_unix_ns <= unix_ns + kLatePackNs;
}

}  // namespace

TimeTravel::TimeTravel(std::shared_ptr<ClientSlot> slot, QObject* parent) : QObject(parent), slot_(std::move(slot)) {
    rebuild_timer_.setSingleShot(true);
    rebuild_timer_.setInterval(kRebuildMs);
    connect(&rebuild_timer_, &QTimer::timeout, this, &TimeTravel::rebuild);
}

TimeTravel::~TimeTravel() {
    for (auto& [reading, thread] : threads_) reading->cancelled = true;
    threads_.clear();  // joins them
}

void TimeTravel::start(const RunRecord& run) {
    end();
    std::erase_if(threads_, [](const auto& one) { return one.first->done.load(); });
    run_ = &run;
    step_ = run.lastStep();
    reading_ = std::make_shared<Reading>();
    threads_.emplace_back(reading_, std::jthread([this, reading = reading_, id = run.id().toStdString(), last = run.lastSequence()] {
                              read(reading, id, last);
                              reading->done = true;
                          }));
    emit changed();
}

void TimeTravel::end() {
    if (reading_ != nullptr) reading_->cancelled = true;
    reading_.reset();
    rebuild_timer_.stop();
    events_.clear();
    events_.shrink_to_fit();
    has_events_ = false;
    if (run_ == nullptr) return;
    run_ = nullptr;
    const std::unique_ptr<RunRecord> before = std::move(past_);  // views let go of it first
    emit changed();
}

void TimeTravel::goTo(std::int64_t step) {
    if (run_ == nullptr || step == step_) return;
    step_ = step;
    if (has_events_ && !rebuild_timer_.isActive()) rebuild_timer_.start();
    emit changed();
}

double TimeTravel::seconds() const {
    if (run_ == nullptr) return 0;
    const PointTable& global = run_->global();
    const auto behind = std::upper_bound(global.step.begin(), global.step.end(), static_cast<double>(step_));
    return behind == global.step.begin() ? 0 : global.time_s[static_cast<std::size_t>(behind - global.step.begin()) - 1];
}

void TimeTravel::tell(const std::shared_ptr<Reading>& reading, std::function<void()> news) {
    QMetaObject::invokeMethod(
        this,
        [this, reading, news = std::move(news)] {
            if (reading == reading_) news();
        },
        Qt::QueuedConnection);
}

// A run that is over ends its stream; of one that goes on, what comes behind the last event that was known is younger than the travel.
void TimeTravel::read(const std::shared_ptr<Reading>& reading, const std::string& run_id, std::uint64_t last_sequence) {
    struct Heard {
        engine::Mutex mutex;
        std::condition_variable_any news;
        std::vector<TaskEvent> events TANDEM_GUARDED_BY(mutex);
        std::optional<std::string> error TANDEM_GUARDED_BY(mutex);
        bool ended TANDEM_GUARDED_BY(mutex) = false;
        std::uint64_t batches TANDEM_GUARDED_BY(mutex) = 0;
    };
    const auto heard = std::make_shared<Heard>();
    try {
        const auto client = slot_->take(kTimeTravelConnection, [reading] { return reading->cancelled.load(); });
        agent::client::WatchHandler handler;
        handler.events = [heard, reading](std::vector<TaskEvent> events) {
            const engine::MutexLock lock(heard->mutex);
            heard->events.insert(heard->events.end(), std::make_move_iterator(events.begin()), std::make_move_iterator(events.end()));
            ++heard->batches;
            heard->news.notify_all();
            return !reading->cancelled && static_cast<std::int64_t>(heard->events.size()) < kMostEvents;
        };
        handler.dropped = [](std::int64_t) {};
        handler.finished = [heard](std::optional<std::string> error) {
            const engine::MutexLock lock(heard->mutex);
            heard->ended = true;
            heard->error = std::move(error);
            heard->news.notify_all();
        };
        const auto watch = client->watch(run_id, 1, std::move(handler));
        engine::MutexLock lock(heard->mutex);
        std::uint64_t seen = 0;
        auto last_news = std::chrono::steady_clock::now();
        while (!heard->ended && !reading->cancelled) {
            heard->news.wait_for(lock, kSlice);
            const auto now = std::chrono::steady_clock::now();
            if (heard->batches != std::exchange(seen, heard->batches)) last_news = now;
            const bool has_most = static_cast<std::int64_t>(heard->events.size()) >= kMostEvents;
            const bool has_all = has_most || (!heard->events.empty() && heard->events.back().sequence >= last_sequence);
            if (has_all && last_sequence > 0) break;
            if (seen > 0 && now - last_news > (has_all ? kQuiet : kSilent)) break;
        }
        if (heard->events.empty() && heard->error) throw engine::Error(engine::ErrorCode::kUnavailable, *heard->error);
        tell(reading, [this, events = std::make_shared<std::vector<TaskEvent>>(std::move(heard->events))] {
            reading_.reset();
            events_ = std::move(*events);
            has_events_ = true;
            rebuild();
        });
    } catch (const std::exception& error) {
        tell(reading, [this, what = QString::fromUtf8(error.what())] {
            end();
            emit failed({static_cast<int>(engine::ErrorCode::kUnavailable), what});
        });
    }
}

// A record takes events in their order alone, so each moment has one of its own.
void TimeTravel::rebuild() {
    constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max() - kLatePackNs;
    const bool is_last = step_ >= run_->lastStep();  // the end of the run belongs to it, however long that took
    const std::int64_t until = is_last ? kAll : run_->createdUnixNs() + static_cast<std::int64_t>(seconds() * 1e9);
    const auto first_after = static_cast<std::size_t>(
        std::find_if(events_.begin(), events_.end(), [&](const TaskEvent& event) { return event.time_unix_ns > until + kLatePackNs; }) -
        events_.begin());
    std::vector<TaskEvent> wanted;
    for (std::size_t i = 0; i < first_after; ++i) {
        if (isBy(events_[i], until, step_)) wanted.push_back(events_[i]);
    }
    RunSummary summary = run_->summary();
    summary.state = RunState::kTraining;
    auto past = std::make_unique<RunRecord>(summary);
    past->ingest(wanted);
    past->flush();
    const std::unique_ptr<RunRecord> before = std::exchange(past_, std::move(past));  // views let go of it first
    emit changed();
}

}  // namespace ui::session

#include "moc_time_travel.cpp"
