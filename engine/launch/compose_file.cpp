#include "engine/launch/compose_file.h"

#include <vector>

#include "engine/launch/container_text.h"
#include "engine/launch/yaml_text.h"
#include "engine/spec/cluster/ranked_task.h"

namespace engine::launch {
namespace {

// Compose puts variables in the place of $NAME.
std::string literal(const std::string& text) {
    std::string doubled;
    for (const char c : text) doubled += c == '$' ? std::string("$$") : std::string(1, c);
    return yamlQuoted(doubled);
}

std::string serviceOf(const spec::TaskId& task) {
    return task.type + "-" + std::to_string(task.index);
}

std::string header(const LaunchJob& job, const spec::RunSpec& run, const std::string& name) {
    std::string text = "# Trains with Tandem, " + std::to_string(taskCount(job)) +
                       " tasks in containers of one computer. Start it in the folder of this file:\n"
                       "#   tandem-cli cluster-key --out cluster.key\n"
                       "#   mkdir -p " +
                       name +
                       "-run\n"
                       "#   docker compose -f " +
                       name +
                       ".yaml up\n"
                       "# Change what your computer needs: image, user, cpus, mem_limit and the places of project, run and key.\n"
                       "# The run's folder is " +
                       name + "-run.\n";
    text += keepsBackup(run)
                ? "# A task that fails is started again, and the run goes on from its backup; so it does after \"stop\" and \"up\".\n"
                : "# The project has no callback BackupAndRestore: a run that is started again begins anew.\n";
    return text;
}

std::string bind(const std::string& source, const std::string& target, bool is_read_only) {
    std::string text = "    - type: bind\n      source: " + literal(source) + "\n      target: " + target + "\n";
    if (is_read_only) text += "      read_only: true\n";
    return text;
}

std::string resources(const LaunchJob& job) {
    std::string text;
    text += job.cpus_per_task > 0 ? "  cpus: " + std::to_string(job.cpus_per_task) + "\n" : "  # cpus: 2\n";
    text += !job.memory.empty() ? "  mem_limit: " + dockerMemory(job.memory) + "\n" : "  # mem_limit: 4g\n";
    if (job.gpus_per_task > 0) {
        text +=
            "  deploy:\n"
            "    resources:\n"
            "      reservations:\n"
            "        devices:\n"
            "          - driver: nvidia\n"
            "            count: " +
            std::to_string(job.gpus_per_task) +
            "\n"
            "            capabilities: [gpu]\n";
    }
    return text;
}

std::string commonPart(const LaunchJob& job, const std::string& name) {
    std::string text = "x-task: &task\n  image: " + yamlQuoted(imageOf(job)) +
                       "\n"
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
                       literal(startCommand()) +
                       "\n"
                       "    - tandem-worker\n"
                       "  command:\n";
    for (const std::string& word : workerArguments(job, {})) text += "    - " + literal(word) + "\n";
    text += "  volumes:\n";
    if (!job.project_text.empty()) text += bind(job.project, std::string(kContainerProjects) + "/" + name + ".tandem", true);
    text += bind("./cluster.key", std::string(kContainerKey), true);
    text += bind("./" + name + "-run", std::string(kContainerRun), false);
    return text;
}

}  // namespace

std::string composeFile(const LaunchJob& job, const spec::RunSpec& run) {
    checkJobWithoutMpirun(job, run);
    const std::string name = dnsName(job.name);
    const std::vector<spec::TaskId> tasks = spec::tasksOfRanks(run.cluster.spec, static_cast<std::size_t>(taskCount(job)), "file");
    std::vector<std::string> addresses;
    addresses.reserve(tasks.size());
    for (const spec::TaskId& task : tasks) addresses.push_back(serviceOf(task) + ":" + std::to_string(kContainerPort));
    const spec::ClusterSpec cluster = spec::clusterOf(tasks, addresses);
    std::string text = header(job, run, name) + "\n" + commonPart(job, name) + "\nservices:\n";
    for (const spec::TaskId& task : tasks) {
        text += "  " + serviceOf(task) +
                ":\n"
                "    <<: *task\n"
                "    environment:\n"
                "      HOME: /tmp\n"
                "      TF_CONFIG: " +
                literal(spec::toTfConfigJson(cluster, task)) + "\n";
    }
    return text;
}

}  // namespace engine::launch
