// Waits for names of a cluster's computers that are not known yet: of containers and pods that a scheduler starts one after another.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "engine/spec/project/cluster_spec.h"

namespace agent::worker {

struct AwaitOptions {
    std::chrono::milliseconds deadline{};
    std::function<bool()> is_cancelled{};                       // empty: never
    std::function<void(const std::string& text)> on_waiting{};  // which name is waited for; once for each
    // Throws Error where the name is not known. An empty function means the system's resolver.
    std::function<void(const std::string& host)> resolve{};
};

// Returns when every task's host has an address. Throws Error(kDeadlineExceeded) that names the task, its host and the resolver's reason
// when one has none at the deadline, Error(kCancelled) when told to stop.
void awaitHosts(const engine::spec::ClusterSpec& cluster, const AwaitOptions& options);

}  // namespace agent::worker
