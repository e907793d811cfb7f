#include "engine/spec/cluster/host_share.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/error.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::spec {

namespace {

constexpr int kMostWorkers = 256;  // of one host

[[noreturn]] void refuse(const std::string& message) {
    throw Error(ErrorCode::kInvalidArgument, message);
}

HostShare shareOf(std::string_view text) {
    HostShare share;
    const std::size_t colon = text.find(':');
    share.host = text.substr(0, colon);
    if (share.host.empty()) {
        refuse("hosts: expected names such as node1,node2:2, got an empty one");
    }
    if (colon != std::string_view::npos) {
        const std::string_view number = text.substr(colon + 1);
        const auto read = std::from_chars(number.data(), number.data() + number.size(), share.workers);
        if (read.ec != std::errc() || read.ptr != number.data() + number.size() || share.workers < 0 || share.workers > kMostWorkers) {
            refuse("hosts: " + share.host + ": expected a number of workers, 0 to " + std::to_string(kMostWorkers) + ", got \"" +
                   std::string(number) + "\"");
        }
    }
    return share;
}

}  // namespace

std::vector<HostShare> parseHostShares(std::string_view text) {
    std::vector<HostShare> shares;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        HostShare share = shareOf(text.substr(from, comma - from));
        if (std::any_of(shares.begin(), shares.end(), [&](const HostShare& one) { return one.host == share.host; })) {
            refuse("hosts: expected each host once, got " + share.host + " twice; \"" + share.host + ":2\" gives it two workers");
        }
        shares.push_back(std::move(share));
        from = comma + 1;
    }
    return shares;
}

void dealServers(std::vector<HostShare>& shares, int servers) {
    std::vector<HostShare*> takers;
    for (HostShare& share : shares) {
        if (share.workers == 0) {
            takers.push_back(&share);
        }
    }
    if (takers.size() == shares.size()) {
        refuse("hosts: expected a host with a worker, got none");
    }
    if (takers.size() > static_cast<std::size_t>(servers)) {
        refuse("hosts: " + takers[static_cast<std::size_t>(servers)]->host +
               ": expected a worker or a parameter server there, got neither (--servers says how many servers there are)");
    }
    if (takers.empty()) {
        for (HostShare& share : shares) {
            takers.push_back(&share);
        }
    }
    for (int i = 0; i < servers; ++i) {
        ++takers[static_cast<std::size_t>(i) % takers.size()]->servers;
    }
}

std::vector<std::vector<TaskId>> tasksOf(const std::vector<HostShare>& shares) {
    std::vector<std::vector<TaskId>> tasks;
    int worker = 0, server = 0;
    for (const HostShare& share : shares) {
        std::vector<TaskId>& own = tasks.emplace_back();
        for (int i = 0; i < share.workers; ++i) {
            own.push_back({"worker", worker++});
        }
        for (int i = 0; i < share.servers; ++i) {
            own.push_back({"ps", server++});
        }
    }
    return tasks;
}

void useHosts(RunSpec& run, const std::vector<HostShare>& shares, const std::vector<ShareAddress>& addresses) {
    run.cluster.spec.jobs.clear();
    const int all = std::accumulate(shares.begin(), shares.end(), 0, [](int sum, const HostShare& share) { return sum + share.tasks(); });
    if (all < 2) {
        return;
    }
    Job workers{"worker", {}}, servers{"ps", {}};
    const std::vector<std::vector<TaskId>> tasks = tasksOf(shares);
    for (std::size_t i = 0; i < shares.size(); ++i) {
        for (std::size_t j = 0; j < tasks[i].size(); ++j) {
            Job& job = tasks[i][j].type == workers.name ? workers : servers;
            job.tasks[tasks[i][j].index] = joinHostPort(addresses[i].address, addresses[i].ports[j]);
        }
    }
    const bool has_servers = !servers.tasks.empty();
    run.strategy.name = strategyName(has_servers ? StrategyKind::kParameterServer : StrategyKind::kMultiWorkerMirrored);
    if (has_servers) {
        run.cluster.spec.jobs.push_back(std::move(servers));
    }
    run.cluster.spec.jobs.push_back(std::move(workers));
}

}  // namespace engine::spec
