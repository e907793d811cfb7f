#include "engine/spec/cluster/slurm_task.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/spec/cluster/cluster_text.h"
#include "engine/spec/error.h"

namespace engine::spec {
namespace {

// Of a step, which srun sets; those of the job alone would count tasks that another step has.
constexpr std::array<std::string_view, 4> kNeeded{"SLURM_STEP_NODELIST", "SLURM_STEP_TASKS_PER_NODE", "SLURM_STEP_NUM_TASKS",
                                                  "SLURM_PROCID"};
constexpr std::string_view kOwnHost = "SLURMD_NODENAME";

[[noreturn]] void refuse(const std::string& message) {
    throw Error(ErrorCode::kInvalidArgument, message);
}

std::string valueOf(const std::vector<std::string>& variables, std::string_view name) {
    for (const std::string& variable : variables) {
        if (variable.size() > name.size() && variable.starts_with(name) && variable[name.size()] == '=') {
            return variable.substr(name.size() + 1);
        }
    }
    return {};
}

// Addresses in the order of the ranks.
std::vector<std::string> addressesOf(const ClusterSpec& workers) {
    std::vector<std::string> addresses;
    for (const Job& job : workers.jobs) {
        for (const auto& [index, address] : job.tasks) addresses.push_back(address);
    }
    return addresses;
}

std::size_t taskCount(const ClusterSpec& cluster) {
    std::size_t count = 0;
    for (const Job& job : cluster.jobs) count += job.tasks.size();
    return count;
}

std::string jobsText(const ClusterSpec& cluster) {
    std::string text;
    for (const Job& job : cluster.jobs) text += (text.empty() ? "" : ", ") + std::to_string(job.tasks.size()) + " " + job.name;
    return text;
}

}  // namespace

std::string tfConfigOf(const SlurmTask& slurm, const ClusterSpec& projects) {
    std::string text;
    for (const std::string_view name : kNeeded) {
        const std::string value = valueOf(slurm.variables, name);
        if (value.empty())
            refuse(std::string(name) + ": expected what srun sets for the tasks of a step, got none; start the tasks with srun");
        text += std::string(name) + "=" + value + "\n";
    }
    const ClusterText read = readClusterText(text, {.kind = ClusterTextKind::kSlurm, .first_port = slurm.first_port});
    const auto error = std::find_if(read.diagnostics.begin(), read.diagnostics.end(),
                                    [](const Diagnostic& one) { return one.severity == Severity::kError; });
    if (error != read.diagnostics.end()) refuse(error->path + ": " + error->message);
    ENGINE_CHECK(read.task);
    const std::vector<std::string> addresses = addressesOf(read.cluster);
    const auto rank = static_cast<std::size_t>(read.task->index);

    const std::string own_host = valueOf(slurm.variables, kOwnHost);
    const std::string expected = parseHostPort(addresses[rank]).value_or(HostPort()).host;
    if (!own_host.empty() && own_host != expected) {
        refuse(std::string(kOwnHost) + ": expected rank " + std::to_string(rank) + " on " + expected +
               ", as ranks that are dealt in blocks lie, got " + own_host + "; start the tasks with srun --distribution=block");
    }
    if (taskCount(projects) != addresses.size()) {
        if (projects.findJob("ps") != nullptr) {
            refuse("cluster: expected as many tasks as the step has (" + std::to_string(addresses.size()) +
                   "), so that each has its job, got " + jobsText(projects));
        }
        return toTfConfigJson(read.cluster, *read.task);
    }
    ClusterSpec cluster;
    TaskId own;
    std::size_t next = 0;
    for (const Job& job : projects.jobs) {
        Job placed{job.name, {}};
        for (const auto& [index, address] : job.tasks) {
            if (next == rank) own = {job.name, index};
            placed.tasks[index] = addresses[next++];
        }
        cluster.jobs.push_back(std::move(placed));
    }
    return toTfConfigJson(cluster, own);
}

}  // namespace engine::spec
