#include "engine/spec/cluster/cluster_edit.h"

#include <algorithm>
#include <array>
#include <set>

#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::spec {
namespace {

constexpr std::array<std::string_view, 4> kJobs{"chief", "worker", "ps", "evaluator"};
constexpr auto kMultiWorker = "MultiWorkerMirroredStrategy", kParameterServer = "ParameterServerStrategy";
constexpr int kFirstPort = 12345, kLargestPort = 65535, kSmallestPort = 1024;

bool sameHost(const std::string& a, const std::string& b) {
    return a == b || (isLoopbackName(a) && isLoopbackName(b));
}

Job& jobNamed(ClusterSpec& cluster, const std::string& name) {
    const auto found = std::find_if(cluster.jobs.begin(), cluster.jobs.end(), [&](const Job& job) { return job.name == name; });
    return found != cluster.jobs.end() ? *found : cluster.jobs.emplace_back(Job{name, {}});
}

int nextIndex(const Job& job) {
    return job.tasks.empty() ? 0 : job.tasks.rbegin()->first + 1;
}

void appendLocal(ClusterSpec& cluster, const std::string& job, int count, const std::vector<int>& ports) {
    for (int i = 0; i < count; ++i) {
        const int port = unusedPort(cluster, "localhost", ports);
        Job& target = jobNamed(cluster, job);
        target.tasks[nextIndex(target)] = joinHostPort("localhost", port);
    }
}

// The strategy that goes with the jobs; one that goes with them already stays.
void fitStrategy(RunSpec& run) {
    const ClusterSpec& cluster = run.cluster.spec;
    const StrategyRow* row = findStrategy(run.strategy.name);
    if (cluster.taskCount("ps") > 0) {
        run.strategy.name = kParameterServer;
    } else if (run.strategy.name == kParameterServer || (!cluster.empty() && (row == nullptr || !row->clustered))) {
        run.strategy.name = kMultiWorker;
    }
}

}  // namespace

int taskCount(ClusterTemplate cluster, int workers) {
    switch (cluster) {
        case ClusterTemplate::kOneTask:
            return 1;
        case ClusterTemplate::kWorkers:
            return workers;
        default:
            return 4;
    }
}

void useTemplate(RunSpec& run, ClusterTemplate cluster, int workers, const std::vector<int>& ports) {
    run.cluster.spec = {};
    switch (cluster) {
        case ClusterTemplate::kOneTask:
            break;
        case ClusterTemplate::kWorkers:
            if (workers > 1) {
                appendLocal(run.cluster.spec, "worker", workers, ports);
                run.strategy.name = kMultiWorker;
            }
            break;
        case ClusterTemplate::kParameterServer:
            appendLocal(run.cluster.spec, "ps", 1, ports);
            appendLocal(run.cluster.spec, "worker", 3, ports);
            break;
        case ClusterTemplate::kChiefWorkersEvaluator:
            appendLocal(run.cluster.spec, "chief", 1, ports);
            appendLocal(run.cluster.spec, "worker", 2, ports);
            appendLocal(run.cluster.spec, "evaluator", 1, ports);
            break;
    }
    fitStrategy(run);
}

std::span<const std::string_view> jobNames() {
    return kJobs;
}

std::string addObstacle(const ClusterSpec& cluster, std::string_view job) {
    const bool single = job == "chief" || job == "evaluator";
    if (std::find(kJobs.begin(), kJobs.end(), job) == kJobs.end()) {
        return "expected chief, worker, ps or evaluator, got " + std::string(job);
    }
    return single && cluster.taskCount(job) > 0 ? "a cluster has at most one " + std::string(job) : "";
}

TaskId addTask(RunSpec& run, const std::string& job, const std::string& host, const std::vector<int>& ports) {
    ClusterSpec& cluster = run.cluster.spec;
    if (cluster.trainingTasks().empty() && job != "chief") {
        appendLocal(cluster, "worker", 1, ports);
    }
    const int port = unusedPort(cluster, host, ports);
    Job& target = jobNamed(cluster, job);
    const TaskId added{job, nextIndex(target)};
    target.tasks[added.index] = joinHostPort(host, port);
    fitStrategy(run);
    return added;
}

void removeTask(RunSpec& run, const TaskId& task) {
    ClusterSpec& cluster = run.cluster.spec;
    const auto job = std::find_if(cluster.jobs.begin(), cluster.jobs.end(), [&](const Job& one) { return one.name == task.type; });
    if (job == cluster.jobs.end() || job->tasks.erase(task.index) == 0) {
        return;
    }
    std::map<int, std::string> closed;
    for (auto& [index, address] : job->tasks) {
        closed.emplace(index > task.index ? index - 1 : index, std::move(address));
    }
    job->tasks = std::move(closed);
    if (job->tasks.empty()) {
        cluster.jobs.erase(job);
    }
    const std::vector<TaskId> left = allTasks(cluster);
    if (left.size() == 1 && left.front().type == "worker" && isLoopbackName(hostOf(*cluster.address(left.front())))) {
        cluster = {};
    }
    fitStrategy(run);
}

void moveTask(RunSpec& run, const TaskId& task, const std::string& host, const std::vector<int>& ports) {
    ClusterSpec& cluster = run.cluster.spec;
    const std::optional<std::string> address = cluster.address(task);
    if (!address || sameHost(hostOf(*address), host)) {
        return;
    }
    if (std::find(run.cluster.hosts.begin(), run.cluster.hosts.end(), hostOf(*address)) == run.cluster.hosts.end() &&
        !isLoopbackName(hostOf(*address))) {
        run.cluster.hosts.push_back(hostOf(*address));  // its card stays when the last task leaves
    }
    const std::optional<HostPort> parsed = parseHostPort(*address);
    const int port = unusedPort(cluster, host, parsed && parsed->port > 0 ? std::vector<int>{parsed->port} : ports);
    jobNamed(cluster, task.type).tasks[task.index] = joinHostPort(host, port);
}

void setAddress(RunSpec& run, const TaskId& task, const std::string& address) {
    if (run.cluster.spec.address(task)) {
        jobNamed(run.cluster.spec, task.type).tasks[task.index] = address;
    }
}

void useCluster(RunSpec& run, const ClusterSpec& cluster) {
    run.cluster.spec = cluster;
    fitStrategy(run);
}

void addHost(RunSpec& run, const std::string& name) {
    const std::vector<ClusterHost> hosts = hostsOf(run.cluster, [](const std::string&) { return false; });
    const bool known = std::any_of(hosts.begin(), hosts.end(), [&](const ClusterHost& host) { return sameHost(host.name, name); });
    if (!known) {
        run.cluster.hosts.push_back(name);
    }
}

void removeHost(RunSpec& run, const std::string& name, const std::vector<int>& ports) {
    for (const TaskId& task : allTasks(run.cluster.spec)) {
        if (sameHost(hostOf(*run.cluster.spec.address(task)), name)) {
            moveTask(run, task, "localhost", ports);
        }
    }
    std::erase(run.cluster.hosts, name);
}

void renameHost(RunSpec& run, const std::string& name, const std::string& new_name) {
    for (Job& job : run.cluster.spec.jobs) {
        for (auto& [index, address] : job.tasks) {
            const std::optional<HostPort> parsed = parseHostPort(address);
            if (parsed && sameHost(hostOf(address), name)) {
                address = joinHostPort(new_name, parsed->port);
            }
        }
    }
    std::replace(run.cluster.hosts.begin(), run.cluster.hosts.end(), name, new_name);
}

void chooseStrategy(RunSpec& run, const std::string& name, const std::vector<int>& ports) {
    run.strategy.name = name;
    ClusterSpec& cluster = run.cluster.spec;
    const StrategyRow* row = findStrategy(name);
    if (row == nullptr) {
        return;
    }
    if (!row->clustered) {
        cluster = {};
    } else if (name == kMultiWorker) {
        std::erase_if(cluster.jobs, [](const Job& job) { return job.name == "ps"; });
        const int missing = 2 - static_cast<int>(cluster.trainingTasks().size());
        appendLocal(cluster, "worker", std::max(missing, 0), ports);
    }
}

int unusedPort(const ClusterSpec& cluster, const std::string& host, const std::vector<int>& ports) {
    std::set<int> used;
    for (const TaskId& task : allTasks(cluster)) {
        const std::string address = *cluster.address(task);
        if (const auto parsed = parseHostPort(address); parsed && sameHost(hostOf(address), host)) {
            used.insert(parsed->port);
        }
    }
    for (const int port : ports) {
        if (!used.contains(port)) {
            return port;
        }
    }
    int port = ports.empty() ? kFirstPort : ports.back();
    while (used.contains(port)) {
        port = port >= kLargestPort ? kSmallestPort : port + 1;
    }
    return port;
}

}  // namespace engine::spec
