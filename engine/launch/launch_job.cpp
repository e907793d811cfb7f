#include "engine/launch/launch_job.h"

#include <regex>
#include <sstream>

#include "engine/spec/cluster/communication.h"
#include "engine/spec/cluster/ranked_task.h"
#include "engine/spec/error.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::launch {
namespace {

[[noreturn]] void refuseJob(const std::string& message) {
    throw Error(ErrorCode::kInvalidArgument, message);
}

void requireNumber(const char* option, int value, int least) {
    if (value < least) refuseJob(std::string(option) + ": expected " + std::to_string(least) + " or more, got " + std::to_string(value));
}

// A text of a directive, which ends at a blank.
void requireText(const char* option, const std::string& value, const char* pattern, const char* expectation) {
    if (!value.empty() && !std::regex_match(value, std::regex(pattern))) {
        refuseJob(std::string(option) + ": expected " + expectation + ", got " + value);
    }
}

}  // namespace

std::int64_t taskCount(const LaunchJob& job) {
    if (job.hosts.empty()) return std::int64_t{job.nodes} * job.tasks_per_node;
    std::int64_t tasks = 0;
    for (const spec::HostShare& share : job.hosts) tasks += share.tasks();
    return tasks;
}

std::int64_t secondsOf(const LaunchJob& job) {
    if (job.time.empty()) return 0;
    const std::size_t dash = job.time.find('-');
    std::int64_t days = 0;
    std::string rest = job.time;
    if (dash != std::string::npos) {
        days = std::stoll(job.time.substr(0, dash));
        rest = job.time.substr(dash + 1);
    }
    std::vector<std::int64_t> parts;
    std::istringstream words(rest);
    for (std::string word; std::getline(words, word, ':');) parts.push_back(std::stoll(word));
    // A number alone is minutes, or hours behind days; two are minutes and seconds, or hours and minutes behind days.
    std::int64_t unit = dash != std::string::npos ? 3600 : parts.size() == 3 ? 3600 : 60;
    std::int64_t seconds = days * 86400;
    for (const std::int64_t part : parts) {
        seconds += part * unit;
        unit /= 60;
    }
    return seconds;
}

bool keepsBackup(const spec::RunSpec& run) {
    if (run.estimator) return true;
    for (const spec::ObjectSpec& callback : run.callbacks) {
        if (callback.class_name == "BackupAndRestore") return true;
    }
    return false;
}

std::string plainName(const std::string& name) {
    std::string plain;
    for (const char c : name) {
        const bool is_plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
        plain += is_plain ? c : '_';
    }
    return plain.find_first_not_of("_.-") == std::string::npos ? "tandem" : plain;
}

void requireHost(const char* option, const std::string& host) {
    // An empty one is for the caller to judge.
    requireText(option, host, "[A-Za-z0-9_][A-Za-z0-9_.@:%-]*", "the name of a computer, such as node1");
}

void checkLaunchJob(const LaunchJob& job, const spec::RunSpec& run) {
    requireNumber("--nodes", job.nodes, 1);
    requireNumber("--tasks-per-node", job.tasks_per_node, 1);
    requireNumber("--cpus-per-task", job.cpus_per_task, 0);
    requireNumber("--gpus-per-task", job.gpus_per_task, 0);
    requireNumber("--seeds", job.seeds, 1);
    requireText("--memory", job.memory, "[0-9]{1,12}[KMGT]?", "a number with K, M, G or T, such as 4G");
    requireText("--time", job.time, "([0-9]{1,6}-)?[0-9]{1,7}(:[0-9]{1,2}){0,2}",
                "minutes, hours:minutes:seconds or days-hours, such as 02:00:00");
    requireText("--partition", job.partition, "[A-Za-z0-9_.,-]+", "the name of a partition, or several with commas");
    requireText("--image", job.image, "[A-Za-z0-9][A-Za-z0-9_./:@-]*", "the name of an image, such as registry.example/tandem:latest");
    for (const spec::HostShare& share : job.hosts) requireHost("--hosts", share.host);
    const std::int64_t tasks = taskCount(job);
    if (tasks == 0) refuseJob("--hosts: expected one task or more, got none");
    std::int64_t expected = 0;
    for (const spec::Job& one : run.cluster.spec.jobs) expected += static_cast<std::int64_t>(one.tasks.size());
    if (run.cluster.spec.findJob("ps") != nullptr && tasks != expected) {
        refuseJob(std::string(job.hosts.empty() ? "--nodes, --tasks-per-node" : "--hosts") +
                  ": expected as many tasks in all as the project's cluster has (" + std::to_string(expected) +
                  "), so that each has its job, got " + std::to_string(tasks));
    }
    if (job.project.find('\n') != std::string::npos) refuseJob("PROJECT: expected a name without a line break, got one");
}

void checkJobWithoutMpirun(const LaunchJob& job, const spec::RunSpec& run) {
    checkLaunchJob(job, run);
    spec::StrategySpec strategy = run.strategy;
    const spec::StrategyRow* row = spec::findStrategy(strategy.name);
    // The tasks take the strategy of several workers where the project's is one of a single process.
    if (row != nullptr && !row->is_clustered && run.cluster.spec.findJob("ps") == nullptr) {
        strategy.name = spec::strategyName(spec::StrategyKind::kMultiWorkerMirrored);
    }
    if (taskCount(job) > 1 && spec::sumsByMpi(strategy)) {
        refuseJob("--kind: expected mpirun for a project whose strategy.communication is MPI, got one that starts the tasks without it");
    }
}

}  // namespace engine::launch
