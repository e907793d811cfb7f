#include "agent/home/load_relay.h"

#include <algorithm>
#include <utility>

namespace agent::home {

void LoadRelay::follow(const std::string& far_run, const std::string& run, server::LoadSink sink, Shown shown) {
    const engine::MutexLock lock(mutex_);
    runs_[far_run] = run;
    sink_ = std::move(sink);
    shows_computer_ = shows_computer_ || shown == Shown::kComputer;
}

bool LoadRelay::isWanted() const {
    const engine::MutexLock lock(mutex_);
    return sink_ != nullptr;
}

std::int64_t LoadRelay::newestUnixNs() const {
    const engine::MutexLock lock(mutex_);
    return newest_unix_ns_;
}

void LoadRelay::take(std::vector<engine::spec::HostLoad> loads, std::chrono::nanoseconds offset) {
    server::LoadSink sink;
    {
        const engine::MutexLock lock(mutex_);
        sink = sink_;
        for (engine::spec::HostLoad& load : loads) {
            newest_unix_ns_ = std::max(newest_unix_ns_, load.time_unix_ns);
            load.time_unix_ns -= offset.count();
            std::erase_if(load.tasks,
                          [&](const engine::spec::TaskLoad& task) TANDEM_REQUIRES(mutex_) { return !runs_.contains(task.run_id); });
            for (engine::spec::TaskLoad& task : load.tasks) {
                task.run_id = runs_.at(task.run_id);
            }
        }
        std::erase_if(loads, [&](const engine::spec::HostLoad& load)
                                 TANDEM_REQUIRES(mutex_) { return load.tasks.empty() && !(load.host.empty() && shows_computer_); });
        for (engine::spec::HostLoad& load : loads) {
            if (load.host.empty()) load.host = host_;
        }
    }
    if (sink) {
        sink(std::move(loads));
    }
}

}  // namespace agent::home
