// What the computers of a followed run use, from what its tasks tell in their files, handed on as the loads of other computers are.
//
//   a task of this computer    its process is named, and this agent measures it with the computer, as it does with tasks of its own
//   a task elsewhere           one task of a computer tells what that uses, every task tells of itself with its heartbeat, and of its
//                              exchange: a reading a second of each computer is made of them, as its own agent would have made it
//
// Times are those of the computers that wrote them. A word is read a moment after it was written, so the one that is the least late says
// how far the other clock is ahead; what was read at once when the folder was opened says nothing of that, and waits for the first word
// that comes later.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "agent/server/followed/event_tail.h"
#include "agent/server/host/load_sinks.h"
#include "engine/spec/events/host_load.h"

namespace agent::server {

// How far another clock is ahead of this one, by the words that came from there in the last minutes.
class ArrivalClock {
public:
    using SteadyTime = std::chrono::steady_clock::time_point;

    // A word of that time there was read at this time here.
    void note(std::int64_t there_unix_ns, std::int64_t here_unix_ns, SteadyTime now);
    // Nothing before the first note().
    std::optional<std::int64_t> aheadNs() const;

private:
    std::optional<std::int64_t> best_, before_;  // in this window, and in the one before
    SteadyTime since_;                           // when this window began
};

// Used by one thread.
class FollowedLoads {
public:
    using SteadyTime = std::chrono::steady_clock::time_point;

    explicit FollowedLoads(LoadSinks sinks) : sinks_(std::move(sinks)) {}

    // A task begins to tell, for the first time or again.
    void begin(const engine::spec::TaskId& task, const FollowedStart& start);
    // Takes what a task tells, whatever it is. `now` is the time of reading.
    void take(const engine::spec::TaskId& task, const FollowedMessage& message, SteadyTime now);
    // Tells whether a task is over: no reading has it then.
    void setOver(const engine::spec::TaskId& task, bool is_over);
    // Hands on what has come since the last call. The first call comes when everything that the files had was taken. `now_unix_ns` is the
    // time by this computer's clock.
    void publish(const std::string& run_id, SteadyTime now, std::int64_t now_unix_ns);
    // Nothing is told of the run any more, until the next publish().
    void end(const std::string& run_id);

private:
    struct Task {
        std::string host, process;
        bool is_here = false, is_over = false;
        engine::spec::Heartbeat beat;
        std::optional<engine::spec::ExchangeState> exchange;
        std::optional<SteadyTime> heard;   // its last heartbeat
        std::optional<SteadyTime> looked;  // when its process was looked for, where it is here
        bool is_alive = false;             // then
    };
    struct Host {
        std::optional<engine::spec::HostLoad> told;  // the newest, with its own times
        std::deque<engine::spec::HostLoad> waiting;  // readings that nobody has got yet
        std::int64_t newest_unix_ns = 0;             // of any word from there
        bool has_news = false, is_due = false;       // since the last publish(); there is no reading yet of the newest words
        ArrivalClock clock;
        std::optional<SteadyTime> handed;  // when a reading was handed on last
    };

    engine::spec::HostLoad reading(const std::string& name, const Host& host, std::optional<SteadyTime> now) const;
    static bool isAlive(Task& task, SteadyTime now);
    void publishHere(const std::string& run_id, SteadyTime now);

    const LoadSinks sinks_;
    std::map<engine::spec::TaskId, Task> tasks_;
    std::map<std::string, Host> hosts_;  // the other computers, by name
    bool is_caught_up_ = false;
    bool names_tasks_here_ = false;  // since the last end()
};

}  // namespace agent::server
