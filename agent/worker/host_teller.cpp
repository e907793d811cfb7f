#include "agent/worker/host_teller.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/spec/cluster/cluster_hosts.h"

namespace agent::worker {

namespace spec = engine::spec;

HostTeller::HostTeller(HostTellerOptions options)
    : options_(std::move(options)), meter_(options_.places, options_.gpus), thread_([this](const std::stop_token& stop) { run(stop); }) {}

HostTeller::~HostTeller() {
    thread_.request_stop();
    thread_.join();
}

std::optional<spec::HostLoad> HostTeller::take() {
    const engine::MutexLock lock(mutex_);
    return std::exchange(newest_, std::nullopt);
}

void HostTeller::run(const std::stop_token& stop) {
    const auto begin = std::chrono::steady_clock::now();
    while (!stop.stop_requested()) {
        const auto now = std::chrono::steady_clock::now();
        const std::int64_t unix_ns = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
        std::optional<spec::HostLoad> reading = meter_.read({}, now, unix_ns);
        engine::MutexLock lock(mutex_);
        if (reading) newest_ = std::move(reading);
        wake_.wait_for(lock, stop, now - begin < options_.dense ? options_.interval : options_.interval_later, [] { return false; });
    }
}

bool tellsOfItsHost(const spec::ClusterSpec& cluster, const spec::TaskId& task) {
    std::vector<spec::TaskId> order = cluster.trainingTasks();
    for (const std::vector<spec::TaskId>& more : {cluster.serverTasks(), spec::allTasks(cluster)}) {
        for (const spec::TaskId& one : more) {
            if (std::find(order.begin(), order.end(), one) == order.end()) order.push_back(one);
        }
    }
    const auto hostNameOf = [&](const spec::TaskId& one) {
        const std::optional<std::string> address = cluster.address(one);
        const std::string host = address ? spec::hostOf(*address) : std::string();
        return spec::isLoopbackName(host) ? std::string("localhost") : host;
    };
    const std::string own = hostNameOf(task);
    const auto first = std::find_if(order.begin(), order.end(), [&](const spec::TaskId& one) { return hostNameOf(one) == own; });
    return first == order.end() || *first == task;
}

}  // namespace agent::worker
