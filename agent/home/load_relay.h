// Brings what another computer uses to those who show it. Of its tasks only ours are told, under the id that their run has here. Safe from
// any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agent/server/runs/far_part.h"
#include "engine/spec/events/host_load.h"
#include "engine/thread/mutex.h"

namespace agent::home {

class LoadRelay {
public:
    // `host`: the name that the loads get.
    explicit LoadRelay(std::string host) : host_(std::move(host)) {}

    // Tells tasks of `far_run` there as tasks of `run` here, from now on.
    void follow(const std::string& far_run, const std::string& run, server::LoadSink sink);
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
    std::int64_t newest_unix_ns_ TANDEM_GUARDED_BY(mutex_) = 0;
};

}  // namespace agent::home
