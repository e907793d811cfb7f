#include "agent/home/far_run.h"

#include <filesystem>
#include <optional>
#include <utility>
#include <variant>

#include "agent/server/process/wall_clock.h"
#include "agent/server/runs/told_event.h"
#include "agent/wire/status.h"
#include "engine/spec/error.h"
#include "engine/spec/exception_text.h"

namespace agent::home {

namespace spec = engine::spec;
using namespace std::chrono_literals;
using engine::Error;
using engine::ErrorCode;
using engine::run::RunInfo;
using engine::run::RunState;

namespace {

constexpr std::chrono::milliseconds kTurn = 200ms;  // between two turns that nothing wakes
constexpr std::chrono::milliseconds kLook = 1s;     // between two questions about the record
constexpr std::chrono::milliseconds kRetry = 2s;    // between two tries to reach the host
constexpr std::chrono::milliseconds kSilent = 5s;   // without an answer: told
constexpr std::chrono::milliseconds kLookDeadline = 4s, kControlDeadline = 5s;

// Returns the record with what the far record says of the run; the rest of this computer's record stays.
RunInfo updated(RunInfo record, const RunInfo& there, std::chrono::nanoseconds offset) {
    record.state = there.state;
    record.detail = there.detail;
    record.tasks = there.tasks;
    record.attempts = there.attempts;
    record.idle_ns = there.idle_ns;
    record.results = there.results;
    record.checkpoint = there.checkpoint;
    record.weights_sha256 = there.weights_sha256;
    record.finished_unix_ns = there.finished_unix_ns == 0 ? 0 : there.finished_unix_ns - offset.count();
    return record;
}

}  // namespace

FarRun::FarRun(std::shared_ptr<HostLink> link, FarRunStart start, server::RunBook& book, server::LogSink log)
    : link_(std::move(link)),
      id_(start.record.id),
      far_id_(std::move(start.run)),
      book_(book),
      tell_(std::move(log)),
      loads_(std::move(start.loads)),
      had_files_(start.told > 0),
      next_sequence_(start.told + 1),
      log_(std::move(start.log)),
      live_(link_->live()),
      record_(std::move(start.record)) {
    {
        const engine::MutexLock lock(mutex_);
        noted_.is_lost = true;  // until the first watch stands
    }
    thread_ = std::jthread([this](const std::stop_token& stop) { loop(stop); });
}

FarRun::~FarRun() {
    thread_.request_stop();
    thread_.join();
}

RunInfo FarRun::record() const {
    const engine::MutexLock lock(mutex_);
    return record_;
}

void FarRun::control(const spec::Control& control) const {
    const std::shared_ptr<HostLink::Live> live = link_->live();
    if (!live) {
        throw Error(ErrorCode::kUnavailable, host() + ": is out of reach; what runs there goes on");
    }
    live->client().control(far_id_, control, kControlDeadline);
}

void FarRun::loop(const std::stop_token& stop) {
    while (!stop.stop_requested() && !over_) {
        bool is_lost = false, has_files = false, has_ended = false;
        {
            engine::MutexLock lock(mutex_);
            wake_.wait_for(lock, stop, kTurn, [this]() TANDEM_REQUIRES(mutex_) { return noted_.has_ended || noted_.is_lost; });
            is_lost = noted_.is_lost;
            has_ended = noted_.has_ended;
            has_files = !is_lost && std::exchange(noted_.has_files, false);
        }
        if (is_lost) {
            reach(stop);
            continue;
        }
        if (has_files) bringFiles(false, stop);
        if (has_ended) next_look_ = {};  // it ends the waiting, so it is answered at once
        look(stop);
    }
    watch_.reset();
}

void FarRun::reach(const std::stop_token& stop) {
    watch_.reset();
    std::string why;
    {
        const engine::MutexLock lock(mutex_);
        why = noted_.why;
    }
    if (Clock::now() < next_try_) {
        noteSilence(why);
        engine::MutexLock lock(mutex_);
        wake_.wait_for(lock, stop, kTurn, [] { return false; });
        return;
    }
    next_try_ = Clock::now() + kRetry;
    if (!why.empty() && live_) lost_ = std::exchange(live_, nullptr);
    try {
        if (!live_) {
            live_ = link_->again(lost_, [&] {
                noteSilence(why);  // a connection may take longer than the host may be silent
                return stop.stop_requested();
            });
        }
        if (!live_) return;  // another run makes the connection
        const bool was_cut = std::exchange(lost_, nullptr) != nullptr;
        {
            const engine::MutexLock lock(mutex_);
            noted_.is_lost = noted_.has_ended = false;
            noted_.has_files = noted_.has_files || was_cut;  // that the cut kept from coming
            noted_.why.clear();
        }
        watch();
        if (loads_) link_->showLoads(far_id_, id_, loads_, LoadRelay::Shown::kTasks);
        next_look_ = {};
    } catch (const std::exception& error) {  // also of this computer: a folder or a thread that can't be made just now
        const engine::MutexLock lock(mutex_);
        noted_.is_lost = true;
        noted_.why = engine::exceptionText(error);
    }
}

void FarRun::watch() {
    client::WatchHandler handler;
    handler.events = [this, offset = live_->offset()](std::vector<spec::TaskEvent> events) {
        std::vector<server::ToldEvent> told;
        bool has_files = false;
        for (spec::TaskEvent& event : events) {
            const std::uint64_t sequence = std::exchange(event.sequence, 0);
            has_files = has_files || std::holds_alternative<spec::CheckpointSaved>(event.body);
            server::ToldEvent one = server::toldEvent(corrected(std::move(event), offset));
            one.bytes = server::stampedByPart(std::move(one.bytes), sequence);
            next_sequence_ = sequence + 1;
            told.push_back(std::move(one));
        }
        if (told.empty()) return true;
        {
            const engine::MutexLock lock(mutex_);
            noted_.has_files = noted_.has_files || has_files;
            last_task_ = told.back().task;
        }
        publish(std::move(told));
        return true;
    };
    handler.finished = [this](const std::optional<std::string>& error) {
        {
            const engine::MutexLock lock(mutex_);
            (error ? noted_.is_lost : noted_.has_ended) = true;
            noted_.why = error.value_or("");
        }
        wake_.notify_all();
    };
    watch_ = live_->client().watch(far_id_, next_sequence_, std::move(handler));
}

// Looks how the run stands there.
void FarRun::look(const std::stop_token& stop) {
    if (stop.stop_requested() || Clock::now() < next_look_) return;
    next_look_ = Clock::now() + kLook;
    bool has_ended = false;
    {
        const engine::MutexLock lock(mutex_);
        has_ended = noted_.has_ended;
    }
    try {
        const RunInfo there = live_->client().getRun(far_id_, kLookDeadline);
        last_answer_ = Clock::now();
        noteSilence("");
        RunInfo now;
        bool changed = false;
        {
            const engine::MutexLock lock(mutex_);
            now = updated(record_, there, live_->offset());
            // The end is told when everything is here.
            changed = !isFinal(now.state) && now != record_;
            if (changed) record_ = now;
        }
        if (changed) book_.update(now);
        if (!isFinal(now.state) || !has_ended) {
            const engine::MutexLock lock(mutex_);
            if (has_ended) noted_.is_lost = true;  // it goes on: a scheduler has started it again
            return;
        }
        // What is lacking comes over the next connection, or to the next agent, and then it is over.
        if (!bringFiles(true, stop) || stop.stop_requested()) return;
        finish(std::move(now));
    } catch (const Error& error) {
        if (error.code() == ErrorCode::kNotFound) {
            RunInfo gone = record();
            gone.state = RunState::kFailed;
            gone.detail = host() + ": " + error.what();
            gone.finished_unix_ns = server::nowUnixNs();
            return finish(std::move(gone));
        }
        if (error.code() != ErrorCode::kDeadlineExceeded) {
            lose(error);
        }
        noteSilence(error.what());
    }
}

void FarRun::noteSilence(const std::string& why) {
    const bool silent = Clock::now() - last_answer_ > kSilent;
    if (silent == is_silent_) return;
    is_silent_ = silent;
    silent ? say(spec::LogLevel::kWarning, host() + " has not answered for " +
                                               std::to_string(std::chrono::duration_cast<std::chrono::seconds>(kSilent).count()) + " s" +
                                               (why.empty() ? "" : " (" + why + ")") + "; what runs there goes on")
           : say(spec::LogLevel::kInfo, host() + " answers again");
}

void FarRun::lose(const Error& why) {
    lost_ = std::exchange(live_, nullptr);
    const engine::MutexLock lock(mutex_);
    noted_.is_lost = true;
    noted_.why = why.what();
}

// False where the last files did not come because the way broke.
bool FarRun::bringFiles(bool is_last, const std::stop_token& stop) {
    try {
        if (!mirror_) {
            mirror_ = std::make_unique<Mirror>(record().run_dir);
            if (had_files_) mirror_->takeForFetched();
        }
        mirror_->update(live_->parts(), far_id_, "", [&] {
            if (stop.stop_requested()) throw Error(ErrorCode::kCancelled, host() + ": the agent here ends");
        });
    } catch (const Error& error) {
        if (stop.stop_requested()) return true;
        if (is_last && convert::mayPass(error)) {
            tell_(spec::LogLevel::kWarning, id_ + ": " + host() + ": files of the run could not be brought here: " + error.what());
            lose(error);
            return false;
        }
        say(is_last ? spec::LogLevel::kError : spec::LogLevel::kWarning,
            host() + ": files of the run could not be brought here: " + error.what());
    }
    return true;
}

void FarRun::finish(RunInfo record) {
    watch_.reset();
    {
        const engine::MutexLock lock(mutex_);
        record_ = record;
    }
    if (!book_.close(record)) {
        tell_(spec::LogLevel::kError, id_ + ": its end could not be written to the index of runs");
    }
    tell_(spec::LogLevel::kInfo, id_ + ": over on " + host() + (record.detail.empty() ? "" : ": " + record.detail));
    over_ = true;
}

void FarRun::say(spec::LogLevel level, const std::string& text) {
    spec::TaskId task;
    {
        const engine::MutexLock lock(mutex_);
        task = last_task_;
    }
    tell_(level, id_ + ": " + text);
    publish({server::toldEvent(
        {.sequence = 0, .time_unix_ns = server::nowUnixNs(), .task = std::move(task), .body = spec::LogLine{level, text}})});
}

void FarRun::publish(std::vector<server::ToldEvent> events) {
    const engine::MutexLock lock(publish_mutex_);
    log_->publish(std::move(events));
}

}  // namespace agent::home
