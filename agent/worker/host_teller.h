// Measures the computer of a task without an agent, for whoever follows its run: every second at first, as an agent does, and every ten
// seconds later on, so that what a run of days tells of it stays small beside its points.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <optional>
#include <thread>

#include "agent/load/host_load_meter.h"
#include "engine/spec/events/host_load.h"
#include "engine/spec/project/cluster_spec.h"
#include "engine/thread/mutex.h"

namespace agent::worker {

struct HostTellerOptions {
    std::chrono::milliseconds interval{1000};         // between two readings
    std::chrono::milliseconds interval_later{10000};  // the same behind `dense`
    std::chrono::milliseconds dense{600000};          // from the start on
    load::HostLoadPlaces places{};
    std::function<load::GpuUse()> gpus{};  // empty: there are none
};

// Has a thread of its own, which a driver that does not answer may hold up. take() from any thread.
class HostTeller {
public:
    explicit HostTeller(HostTellerOptions options);
    ~HostTeller();
    HostTeller(const HostTeller&) = delete;
    HostTeller& operator=(const HostTeller&) = delete;

    // Returns the newest reading, once: nullopt until there is another one.
    std::optional<engine::spec::HostLoad> take();

private:
    void run(const std::stop_token& stop);

    const HostTellerOptions options_;
    load::HostLoadMeter meter_;  // the thread's alone
    engine::Mutex mutex_;
    std::condition_variable_any wake_;
    std::optional<engine::spec::HostLoad> newest_ TANDEM_GUARDED_BY(mutex_);
    std::jthread thread_;  // last: it uses the others
};

// True for the task that tells of its computer: among those whose addresses name the same host, the first that trains, else the first
// server, else the first of all. A task without a cluster is alone.
bool tellsOfItsHost(const engine::spec::ClusterSpec& cluster, const engine::spec::TaskId& task);

}  // namespace agent::worker
