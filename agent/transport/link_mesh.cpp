#include "agent/transport/link_mesh.h"

#include <algorithm>
#include <map>
#include <string>

#include "engine/spec/cluster/cluster_hosts.h"

namespace agent::worker {
namespace {

// Names of one host may differ; those of the loopback do in every cluster that is written by hand.
std::string hostOf(const std::string& address) {
    const std::string host = engine::spec::hostOf(address);
    return host == "localhost" ? "127.0.0.1" : host;
}

}  // namespace

LinkMesh::LinkMesh(const std::vector<engine::distribute::TaskName>& tasks, const engine::distribute::Edges& edges) : edges_(edges) {
    std::map<std::string, int> numbers;
    std::vector<int> counts;
    for (const engine::distribute::TaskName& task : tasks) {
        const auto [found, is_new] = numbers.try_emplace(hostOf(task.address), static_cast<int>(numbers.size()));
        if (is_new) counts.push_back(0);
        hosts_.push_back(found->second);
        ++counts[static_cast<std::size_t>(found->second)];
    }
    for (const int count : counts) is_small_host_.push_back(count <= kMostOnOneHost);
    const int size = static_cast<int>(tasks.size());
    for (int a = 0; a < size && is_whole_; ++a) {
        for (int b = a + 1; b < size && is_whole_; ++b) is_whole_ = links(a, b);
    }
}

bool LinkMesh::links(int a, int b) const {
    if (a == b) return false;
    if (a == kHub || b == kHub || edges_.has(a, b) || edges_.has(b, a)) return true;
    const int host = hosts_[static_cast<std::size_t>(a)];
    return host == hosts_[static_cast<std::size_t>(b)] && is_small_host_[static_cast<std::size_t>(host)];
}

}  // namespace agent::worker
