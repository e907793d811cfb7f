// A task that a launcher has given a rank among all that it started, in place of TF_CONFIG. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/project/cluster_spec.h"

namespace engine::spec {

struct RankedTask {
    std::vector<std::string> addresses{};  // of all ranks, in their order; empty: no launcher gave one
    std::size_t rank = 0;
    std::string of = "job";  // what the launcher calls all of them together
    int cores = 0;           // that the launcher gives the task; 0: it says nothing of them
    friend bool operator==(const RankedTask&, const RankedTask&) = default;
};

// The value of NAME among NAME=VALUE of an environment; empty without one.
std::string variableOf(const std::vector<std::string>& variables, std::string_view name);

// What the ranks are: the project's own tasks in their order where it has `count` of them, else workers. Throws Error(kInvalidArgument) for
// a project of parameter servers whose cluster has another number of tasks; `of` is what the message calls them.
std::vector<TaskId> tasksOfRanks(const ClusterSpec& projects, std::size_t count, std::string_view of);

// The cluster of these tasks at these addresses; both have one length.
ClusterSpec clusterOf(const std::vector<TaskId>& tasks, const std::vector<std::string>& addresses);

// The TF_CONFIG that says the same. Throws as tasksOfRanks(). The rank is below the number of addresses.
std::string tfConfigOf(const RankedTask& ranked, const ClusterSpec& projects);

}  // namespace engine::spec
