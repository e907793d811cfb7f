#include "engine/launch/compose_file.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/launch/container_text.h"
#include "engine/launch/yaml_text.h"
#include "engine/spec/cluster/ranked_task.h"
#include "engine/spec/error.h"

namespace engine::launch {
namespace {

constexpr std::int64_t kMostTasks = 256;  // of a run on one computer, as elsewhere
constexpr std::int64_t kMostServices = 4096;
constexpr std::int64_t kMostGpus = 128;  // of a task

// Compose puts variables in the place of $NAME.
std::string composeLiteral(const std::string& text) {
    std::string doubled;
    for (const char c : text) doubled += c == '$' ? std::string("$$") : std::string(1, c);
    return yamlQuoted(doubled);
}

std::string serviceOf(const ContainerRun& run, const spec::TaskId& task) {
    return (run.seed ? "seed-" + std::to_string(*run.seed) + "-" : "") + task.type + "-" + std::to_string(task.index);
}

std::string header(const LaunchJob& job, const spec::RunSpec& run, const std::string& name) {
    std::string text = "# Trains with Tandem, " + std::to_string(taskCount(job)) +
                       " tasks in containers of one computer. Start it in the folder of this file:\n"
                       "#   tandem-cli cluster-key --out cluster.key\n"
                       "#   mkdir -p " +
                       name +
                       "-run\n"
                       "#   docker compose -p " +
                       name + " -f " + name +
                       "-compose.yaml up\n"
                       "# Change what your computer needs: image, user, cpus, mem_limit" +
                       (job.gpus_per_task > 0 ? ", device_ids (numbers of its GPUs)" : "") +
                       " and the places of project, run and key.\n"
                       "# The run's folder is " +
                       name +
                       (job.seeds > 1 ? "-run/seed-0 and so on: " + std::to_string(job.seeds) +
                                            " runs that differ in their seed. The next begins when one is done.\n"
                                      : "-run.\n");
    text += keepsBackup(run)
                ? "# A task that fails is started again, and the run goes on from its backup; so it does after \"stop\" and \"up\".\n"
                : "# The project has no callback BackupAndRestore: a run that is started again begins anew.\n";
    return text;
}

std::string mountOf(const std::string& source, const std::string& target, bool is_read_only) {
    std::string text = "    - type: bind\n      source: " + composeLiteral(source) + "\n      target: " + target + "\n";
    if (is_read_only) text += "      read_only: true\n";
    return text;
}

std::string resources(const LaunchJob& job) {
    std::string text;
    text += job.cpus_per_task > 0 ? "  cpus: " + std::to_string(job.cpus_per_task) + "\n" : "  # cpus: 2\n";
    text += !job.memory.empty() ? "  mem_limit: " + dockerMemory(job.memory) + "\n" : "  # mem_limit: 4g\n";
    if (needsSharedMemory(job)) text += "  shm_size: 1g  # NCCL joins a task's GPUs there, for which the usual 64 MB are too few\n";
    return text;
}

// Docker's `count` gives every container the computer's first GPUs, so each task has its own by their numbers.
std::string gpusOf(const LaunchJob& job, std::size_t task) {
    if (job.gpus_per_task == 0) return "";
    const std::size_t each = static_cast<std::size_t>(job.gpus_per_task);
    std::string ids;
    for (std::size_t i = 0; i < each; ++i) ids += (i == 0 ? "\"" : ", \"") + std::to_string(task * each + i) + "\"";
    return "    deploy:\n"
           "      resources:\n"
           "        reservations:\n"
           "          devices:\n"
           "            - driver: nvidia\n"
           "              device_ids: [" +
           ids +
           "]\n"
           "              capabilities: [gpu]\n";
}

void requireAtMost(const char* option, std::int64_t most, const char* what, std::int64_t count) {
    if (count <= most) return;
    throw Error(ErrorCode::kInvalidArgument,
                std::string(option) + ": expected at most " + std::to_string(most) + " " + what + ", got " + std::to_string(count));
}

std::string commandOf(const LaunchJob& job, const ContainerRun& run) {
    std::string text = "  command:\n";
    for (const std::string& word : workerArguments(job, run, {})) text += "    - " + composeLiteral(word) + "\n";
    return text;
}

// What all tasks have, and where there are several runs: what those of each have.
std::string commonParts(const LaunchJob& job, const std::vector<ContainerRun>& runs, const std::vector<spec::TaskId>& tasks) {
    const std::string name = dnsName(job.name);
    std::string text =
        "x-task: &task\n  image: " + yamlQuoted(imageOf(job)) + "\n" +
        (isImageMadeHere(job)
             ? "  pull_policy: never  # installer/image.sh makes it on this computer; leave this out for an image of a registry\n"
             : "") +
        "  user: \"1000:1000\"  # of who starts it, as id -u and id -g say: key and run are theirs\n"
        "  read_only: true\n"
        "  tmpfs:\n"
        "    - /tmp\n"
        "  restart: on-failure:10\n"
        "  stop_grace_period: 2m  # a task stops after its step, with a backup\n" +
        resources(job) +
        "  entrypoint:\n"
        "    - sh\n"
        "    - -c\n"
        "    - " +
        composeLiteral(startCommand()) +
        "\n"
        "    - tandem-worker\n";
    if (runs.size() == 1) text += commandOf(job, runs.front());
    text += "  volumes:\n";
    if (!job.project_text.empty()) text += mountOf(job.project, std::string(kContainerProjects) + "/" + name + ".tandem", true);
    text += mountOf("./cluster.key", std::string(kContainerKey), true);
    text += mountOf("./" + name + "-run", std::string(kContainerRun), false);
    for (std::size_t i = 0; runs.size() > 1 && i < runs.size(); ++i) {
        const std::string seed = "seed-" + std::to_string(*runs[i].seed);
        text.append("\nx-").append(seed).append(": &").append(seed).append("\n  <<: *task\n").append(commandOf(job, runs[i]));
        if (i == 0) continue;
        text += "  depends_on:\n";
        for (const spec::TaskId& task : tasks) {
            text += "    " + serviceOf(runs[i - 1], task) + ":\n      condition: service_completed_successfully\n";
        }
    }
    return text;
}

}  // namespace

std::string composeFile(const LaunchJob& job, const spec::RunSpec& run) {
    checkJobWithoutMpirun(job, run);
    const std::vector<ContainerRun> runs = containerRunsOf(job);
    // Each service has the addresses of all tasks of its run.
    requireAtMost("--nodes", kMostTasks, "containers on one computer", taskCount(job));
    requireAtMost("--seeds", kMostServices, "containers in one file", taskCount(job) * std::max(job.seeds, 1));
    requireAtMost("--gpus-per-task", kMostGpus, "GPUs", job.gpus_per_task);
    const std::string name = dnsName(job.name);
    const std::vector<spec::TaskId> tasks = spec::tasksOfRanks(run.cluster.spec, static_cast<std::size_t>(taskCount(job)), "file");
    std::string text = header(job, run, name) + "\n" + commonParts(job, runs, tasks) + "\nservices:\n";
    for (const ContainerRun& one : runs) {
        std::vector<std::string> addresses;
        addresses.reserve(tasks.size());
        for (const spec::TaskId& task : tasks) addresses.push_back(serviceOf(one, task) + ":" + std::to_string(kContainerPort));
        const spec::ClusterSpec cluster = spec::clusterOf(tasks, addresses);
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            const spec::TaskId& task = tasks[i];
            text += "  " + serviceOf(one, task) + ":\n    <<: *" + (one.seed ? "seed-" + std::to_string(*one.seed) : std::string("task")) +
                    "\n"
                    "    environment:\n"
                    "      HOME: /tmp\n"
                    "      TF_CONFIG: " +
                    composeLiteral(spec::toTfConfigJson(cluster, task)) + "\n" + gpusOf(job, i);
        }
    }
    return text;
}

}  // namespace engine::launch
