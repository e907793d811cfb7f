// Brings what another computer uses to those who show it, and what its agent knows of further computers with tasks of ours. Of the tasks
// only ours are told, under the id that their run has here. Safe from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agent/server/host/load_sinks.h"
#include "engine/spec/events/host_load.h"
#include "engine/thread/mutex.h"

namespace agent::home {

class LoadRelay {
public:
    // `host`: the name that the loads of that computer itself get; those of further ones keep theirs.
    explicit LoadRelay(std::string host) : host_(std::move(host)) {}

    enum class Shown {
        kComputer,  // that computer is one of the run's: its loads are told with tasks and without
        kTasks,     // its agent follows the run: the loads of computers with tasks of it are told, and no others
    };
    // Tells tasks of `far_run` there as tasks of `run` here, from now on.
    void follow(const std::string& far_run, const std::string& run, server::LoadSink sink, Shown shown = Shown::kComputer);
    bool isWanted() const;
    // Takes loads as they came: their times are of the other computer's clock, which is `offset` ahead of this one.
    void take(std::vector<engine::spec::HostLoad> loads, std::chrono::nanoseconds offset);
    // Returns the time of the newest load, on the other computer's clock; 0 when there was none.
    std::int64_t newestUnixNs() const;

private:
    const std::string host_;
    mutable engine::Mutex mutex_;
    std::map<std::string, std::string> runs_ TANDEM_GUARDED_BY(mutex_);  // ours, by the other computer's
    server::LoadSink sink_ TANDEM_GUARDED_BY(mutex_);
    bool shows_computer_ TANDEM_GUARDED_BY(mutex_) = false;
    std::int64_t newest_unix_ns_ TANDEM_GUARDED_BY(mutex_) = 0;
};

}  // namespace agent::home
