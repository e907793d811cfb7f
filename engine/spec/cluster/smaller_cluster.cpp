#include "engine/spec/cluster/smaller_cluster.h"

#include <algorithm>
#include <utility>

namespace engine::spec {

namespace {

constexpr const char *kChief = "chief", *kWorker = "worker";

Job& jobNamed(ClusterSpec& cluster, const std::string& name) {
    return *std::find_if(cluster.jobs.begin(), cluster.jobs.end(), [&](const Job& job) { return job.name == name; });
}

}  // namespace

SmallerCluster withoutTasks(const ClusterSpec& cluster, const std::vector<TaskId>& lost) {
    std::vector<TaskId> all = cluster.trainingTasks();
    const auto trainers = static_cast<std::ptrdiff_t>(all.size());
    for (const Job& job : cluster.jobs) {
        for (const auto& [index, address] : job.tasks) {
            if (TaskId task{job.name, index}; std::find(all.begin(), all.begin() + trainers, task) == all.begin() + trainers) {
                all.push_back(std::move(task));
            }
        }
    }
    SmallerCluster smaller;
    for (const Job& job : cluster.jobs) {
        smaller.cluster.jobs.push_back({job.name, {}});
    }
    const bool has_chief = cluster.taskCount(kChief) > 0;
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(all.size()); ++i) {
        const TaskId& task = all[static_cast<std::size_t>(i)];
        if (std::find(lost.begin(), lost.end(), task) != lost.end()) {
            continue;
        }
        const bool trains = i < trainers;
        const bool is_first = smaller.kept.empty();
        Job& job = jobNamed(smaller.cluster, !trains ? task.type : has_chief && is_first ? kChief : kWorker);
        const int index = static_cast<int>(job.tasks.size());
        job.tasks[index] = *cluster.address(task);
        smaller.kept.push_back({task, {job.name, index}});
    }
    std::erase_if(smaller.cluster.jobs, [](const Job& job) { return job.tasks.empty(); });
    return smaller;
}

}  // namespace engine::spec
