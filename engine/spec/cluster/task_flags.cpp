#include "engine/spec/cluster/task_flags.h"

#include <utility>

#include "engine/spec/error.h"

namespace engine::spec {
namespace {

[[noreturn]] void refuseFlags(const std::string& message) {
    throw Error(ErrorCode::kInvalidArgument, message);
}

Job jobOf(const std::string& name, std::string_view hosts) {
    Job job{name, {}};
    while (true) {
        const std::size_t comma = hosts.find(',');
        const std::string host(hosts.substr(0, comma));
        if (host.empty()) refuseFlags("--" + name + "_hosts: expected addresses with commas between them, got an empty one");
        job.tasks[static_cast<int>(job.tasks.size())] = host;
        if (comma == std::string_view::npos) return job;
        hosts.remove_prefix(comma + 1);
    }
}

}  // namespace

std::string tfConfigOf(const TaskFlags& flags, const ClusterSpec& projects) {
    ClusterSpec cluster = projects;
    if (!flags.ps_hosts.empty() || !flags.worker_hosts.empty()) {
        if (flags.worker_hosts.empty()) refuseFlags("--worker_hosts: expected the workers' addresses beside --ps_hosts, got none");
        cluster = {};
        if (!flags.ps_hosts.empty()) cluster.jobs.push_back(jobOf("ps", flags.ps_hosts));
        cluster.jobs.push_back(jobOf("worker", flags.worker_hosts));
    }
    if (flags.job_name.empty()) refuseFlags("--job_name: expected ps or worker beside the hosts, got none");
    if (cluster.empty()) refuseFlags("--worker_hosts: expected the workers' addresses, since the project has no cluster, got none");
    const TaskId task{flags.job_name, flags.task_index};
    if (!cluster.address(task)) {
        std::string tasks;
        for (const Job& job : cluster.jobs) {
            tasks += (tasks.empty() ? "" : ", ") + std::to_string(job.tasks.size()) + " " + job.name;
        }
        refuseFlags("--job_name, --task_index: expected a task of the cluster (" + tasks + "), got " + toString(task));
    }
    return toTfConfigJson(cluster, task);
}

}  // namespace engine::spec
