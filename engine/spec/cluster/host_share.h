// Which computers a run uses, and what each of them has of its tasks. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/project/run_spec.h"

namespace engine::spec {

struct HostShare {
    std::string host;  // a name of the user's list of hosts, or this computer's own
    int workers = 1;
    int servers = 0;  // ps tasks
    int tasks() const { return workers + servers; }
    friend bool operator==(const HostShare&, const HostShare&) = default;
};

// "node1,node2:2": names, each with the number of its workers behind a colon where that is not 1. Throws Error(kInvalidArgument) for a name
// that comes twice or is empty, and for a number that is none of 0 to 256.
std::vector<HostShare> parseHostShares(std::string_view text);
// Gives `servers` ps tasks to the hosts that have no workers, to all where every one has some: in turn, in their order. Throws
// Error(kInvalidArgument) when a host is left without a task, and when there is no worker.
void dealServers(std::vector<HostShare>& shares, int servers);

// The tasks of each host, workers before servers: workers are numbered through in the order of the hosts, and so are servers.
std::vector<std::vector<TaskId>> tasksOf(const std::vector<HostShare>& shares);

// The addresses at which the tasks of a share listen.
struct ShareAddress {
    std::string address;     // a number or a name that the other hosts can resolve
    std::vector<int> ports;  // one for each task, in the order of tasksOf()
};
// Makes `run` a run over these tasks, with MultiWorkerMirroredStrategy, or ParameterServerStrategy where there are servers; batch per
// replica stays. One task has no cluster. `addresses` has an entry for each share.
void useHosts(RunSpec& run, const std::vector<HostShare>& shares, const std::vector<ShareAddress>& addresses);

}  // namespace engine::spec
