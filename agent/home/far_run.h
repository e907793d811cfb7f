// One run that another computer's agent follows, as this computer's book has it: its events come from that agent's journal, as a studio
// gets them; times are corrected to this computer's clock.
//
//   reached        the journal there is followed, and once a second the record there says how the run stands
//   out of reach   the run there goes on; it is named after some seconds, the way is made again, and what was told meanwhile comes then
//   over           the journal has come whole and the files are here: the record is final
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "agent/home/host_link.h"
#include "agent/home/mirror.h"
#include "agent/server/host/load_sinks.h"
#include "agent/server/runs/event_log.h"
#include "agent/server/runs/run_book.h"
#include "engine/run/run_info.h"
#include "engine/spec/events/task_event.h"
#include "engine/thread/mutex.h"

namespace agent::home {

struct FarRunStart {
    std::string run;                        // its id there
    engine::run::RunInfo record;            // open in the book
    std::shared_ptr<server::EventLog> log;  // of the book
    std::uint64_t told = 0;                 // the log has the journal there up to this sequence
    server::LoadSink loads{};               // gets what the computers of its tasks use; empty: nobody wants it
};

// control(), id() and isOver() from any thread. `book` outlives it. Its end leaves the run as it is.
class FarRun {
public:
    FarRun(std::shared_ptr<HostLink> link, FarRunStart start, server::RunBook& book, server::LogSink log);
    ~FarRun();
    FarRun(const FarRun&) = delete;
    FarRun& operator=(const FarRun&) = delete;

    const std::string& id() const { return id_; }
    bool isOver() const { return over_; }
    engine::run::RunInfo record() const;
    // Throws Error: kUnavailable while the host is out of reach, and what the agent there answers.
    void control(const engine::spec::Control& control) const;
    // The destructor need not wait for more than the call that is under way.
    void askToEnd() { thread_.request_stop(); }

private:
    using Clock = std::chrono::steady_clock;

    void loop(const std::stop_token& stop);
    void reach(const std::stop_token& stop);
    void watch();
    void look(const std::stop_token& stop);
    void noteSilence(const std::string& why);
    void lose(const engine::Error& why);
    bool bringFiles(bool is_last, const std::stop_token& stop);
    void finish(engine::run::RunInfo record);
    void say(engine::spec::LogLevel level, const std::string& text);
    void publish(std::vector<server::ToldEvent> events);
    const std::string& host() const { return link_->host().name; }

    const std::shared_ptr<HostLink> link_;
    const std::string id_, far_id_;
    server::RunBook& book_;
    const server::LogSink tell_;
    const server::LoadSink loads_;
    const bool had_files_;  // of an agent before this one
    std::atomic<bool> over_ = false;
    std::atomic<std::uint64_t> next_sequence_;

    engine::Mutex publish_mutex_;  // held to publish, which the watch's thread does and this one's
    const std::shared_ptr<server::EventLog> log_;

    // The thread's own.
    std::shared_ptr<HostLink::Live> live_, lost_;
    std::unique_ptr<Mirror> mirror_;
    Clock::time_point next_try_{}, next_look_{}, last_answer_ = Clock::now();
    bool is_silent_ = false;

    mutable engine::Mutex mutex_;
    std::condition_variable_any wake_;
    engine::run::RunInfo record_ TANDEM_GUARDED_BY(mutex_);
    engine::spec::TaskId last_task_ TANDEM_GUARDED_BY(mutex_) = {"worker", 0};  // that told something
    struct {
        bool has_ended = false, is_lost = false, has_files = false;
        std::string why;
    } noted_ TANDEM_GUARDED_BY(mutex_);  // by the watch

    std::unique_ptr<client::Watch> watch_;
    std::jthread thread_;  // last: it uses the others
};

}  // namespace agent::home
