// What another computer uses, brought to those who show it: of its tasks only ours, by the id that their run has here. Safe from any
// thread.
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

    // Tasks of `far_run` there are tasks of `run` here, from now on.
    void follow(const std::string& far_run, const std::string& run, server::LoadSink sink);
    bool isWanted() const;
    // As they came: times are of the other computer's clock, which is `offset` ahead of this one.
    void take(std::vector<engine::spec::HostLoad> loads, std::chrono::nanoseconds offset);
    // Of the last one, on the other computer's clock; 0: there was none.
    std::int64_t newestUnixNs() const;

private:
    const std::string host_;
    mutable engine::Mutex mutex_;
    std::map<std::string, std::string> runs_ TANDEM_GUARDED_BY(mutex_);  // ours, by the other computer's
    server::LoadSink sink_ TANDEM_GUARDED_BY(mutex_);
    std::int64_t newest_unix_ns_ TANDEM_GUARDED_BY(mutex_) = 0;
};

}  // namespace agent::home
