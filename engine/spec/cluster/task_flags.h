// The flags by which TensorFlow 1's programs were told their task, in place of TF_CONFIG: --job_name, --task_index, --ps_hosts,
// --worker_hosts.
#pragma once

#include <string>
#include <string_view>

#include "engine/spec/project/cluster_spec.h"

namespace engine::spec {

struct TaskFlags {
    std::string job_name;  // "ps", "worker", "chief"; empty: the flags are not used
    int task_index = 0;
    std::string ps_hosts, worker_hosts;  // "localhost:2222,localhost:2223"; both empty: the project's cluster
    friend bool operator==(const TaskFlags&, const TaskFlags&) = default;
};

// The TF_CONFIG that says the same. Throws Error(kInvalidArgument) that names the flag: hosts without a task, a list with a hole, a task
// that the cluster has not, a project without a cluster where no hosts are given.
std::string tfConfigOf(const TaskFlags& flags, const ClusterSpec& projects);

}  // namespace engine::spec
