#include "engine/spec/cluster/slurm_task.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/cluster_text.h"
#include "engine/spec/error.h"

namespace engine::spec {
namespace {

// The variables of a step, which srun sets; those of the job alone would count tasks that another step has.
constexpr std::array<std::string_view, 4> kNeeded{"SLURM_STEP_NODELIST", "SLURM_STEP_TASKS_PER_NODE", "SLURM_STEP_NUM_TASKS",
                                                  "SLURM_PROCID"};
constexpr std::string_view kOwnHost = "SLURMD_NODENAME";

[[noreturn]] void refuseSlurm(const std::string& message) {
    throw Error(ErrorCode::kInvalidArgument, message);
}

// Addresses in the order of the ranks.
std::vector<std::string> addressesOf(const ClusterSpec& workers) {
    std::vector<std::string> addresses;
    for (const Job& job : workers.jobs) {
        for (const auto& [index, address] : job.tasks) addresses.push_back(address);
    }
    return addresses;
}

// 0 for what is no number.
int numberOf(const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? value : 0;
}

// The processors that Slurm granted the task: as many as its job asked for, else its share of what the step has on its host.
int coresOf(const std::vector<std::string>& variables, const RankedTask& ranked) {
    if (const int asked = numberOf(variableOf(variables, "SLURM_CPUS_PER_TASK")); asked > 0) return asked;
    const int of_step = numberOf(variableOf(variables, "SLURM_CPUS_ON_NODE"));
    if (of_step <= 0) return 0;
    const std::string host = hostOf(ranked.addresses[ranked.rank]);
    const auto tasks =
        std::count_if(ranked.addresses.begin(), ranked.addresses.end(), [&](const std::string& one) { return hostOf(one) == host; });
    return std::max(1, of_step / static_cast<int>(tasks));
}

}  // namespace

RankedTask slurmTask(const std::vector<std::string>& variables, int first_port) {
    std::string text;
    for (const std::string_view name : kNeeded) {
        const std::string value = variableOf(variables, name);
        if (value.empty())
            refuseSlurm(std::string(name) + ": expected what srun sets for the tasks of a step, got none; start the tasks with srun");
        text += std::string(name) + "=" + value + "\n";
    }
    const ClusterText read = readClusterText(text, {.kind = ClusterTextKind::kSlurm, .first_port = first_port});
    const auto error = std::find_if(read.diagnostics.begin(), read.diagnostics.end(),
                                    [](const Diagnostic& one) { return one.severity == Severity::kError; });
    if (error != read.diagnostics.end()) refuseSlurm(error->path + ": " + error->message);
    ENGINE_CHECK(read.task);
    RankedTask ranked{
        .addresses = addressesOf(read.cluster), .rank = static_cast<std::size_t>(read.task->index), .of = std::string("step")};

    const std::string own_host = variableOf(variables, kOwnHost);
    const std::string expected = parseHostPort(ranked.addresses[ranked.rank]).value_or(HostPort()).host;
    if (!own_host.empty() && own_host != expected) {
        refuseSlurm(std::string(kOwnHost) + ": expected rank " + std::to_string(ranked.rank) + " on " + expected +
                    ", as ranks that are dealt in blocks lie, got " + own_host + "; start the tasks with srun --distribution=block");
    }
    ranked.cores = coresOf(variables, ranked);
    return ranked;
}

}  // namespace engine::spec
