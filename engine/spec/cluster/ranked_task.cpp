#include "engine/spec/cluster/ranked_task.h"

#include <algorithm>

#include "engine/spec/error.h"

namespace engine::spec {
namespace {

std::string jobsText(const ClusterSpec& cluster) {
    std::string text;
    for (const Job& job : cluster.jobs) text += (text.empty() ? "" : ", ") + std::to_string(job.tasks.size()) + " " + job.name;
    return text;
}

}  // namespace

std::string variableOf(const std::vector<std::string>& variables, std::string_view name) {
    for (const std::string& variable : variables) {
        if (variable.size() > name.size() && variable.starts_with(name) && variable[name.size()] == '=') {
            return variable.substr(name.size() + 1);
        }
    }
    return {};
}

std::vector<TaskId> tasksOfRanks(const ClusterSpec& projects, std::size_t count, std::string_view of) {
    std::vector<TaskId> tasks;
    for (const Job& job : projects.jobs) {
        for (const auto& [index, address] : job.tasks) tasks.push_back({job.name, index});
    }
    if (tasks.size() == count) return tasks;
    if (projects.findJob("ps") != nullptr) {
        throw Error(ErrorCode::kInvalidArgument, "cluster: expected as many tasks as the " + std::string(of) + " has (" +
                                                     std::to_string(count) + "), so that each has its job, got " + jobsText(projects));
    }
    tasks.clear();
    for (std::size_t index = 0; index < count; ++index) tasks.push_back({"worker", static_cast<int>(index)});
    return tasks;
}

ClusterSpec clusterOf(const std::vector<TaskId>& tasks, const std::vector<std::string>& addresses) {
    ENGINE_CHECK(tasks.size() == addresses.size());
    ClusterSpec cluster;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        auto job = std::find_if(cluster.jobs.begin(), cluster.jobs.end(), [&](const Job& one) { return one.name == tasks[i].type; });
        if (job == cluster.jobs.end()) job = cluster.jobs.insert(job, Job{tasks[i].type, {}});
        job->tasks[tasks[i].index] = addresses[i];
    }
    return cluster;
}

std::string tfConfigOf(const RankedTask& ranked, const ClusterSpec& projects) {
    ENGINE_CHECK(ranked.rank < ranked.addresses.size());
    const std::vector<TaskId> tasks = tasksOfRanks(projects, ranked.addresses.size(), ranked.of);
    return toTfConfigJson(clusterOf(tasks, ranked.addresses), tasks[ranked.rank]);
}

}  // namespace engine::spec
