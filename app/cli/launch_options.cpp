#include "app/cli/launch_options.h"

namespace app::cli {
namespace {

int usualNodes(const engine::spec::ClusterSpec& cluster) {
    int tasks = 0;
    for (const engine::spec::Job& job : cluster.jobs) {
        tasks += static_cast<int>(job.tasks.size());
    }
    return tasks > 1 ? tasks : 2;
}

}  // namespace

void addLaunchOptions(CLI::App& verb, LaunchOptions& options) {
    verb.add_option("--nodes", options.nodes, "computers, or containers (default: one for each task of the project's cluster, else 2)");
    verb.add_option("--tasks-per-node", options.job.tasks_per_node, "tasks on each of them")->capture_default_str();
    verb.add_option("--cpus-per-task", options.job.cpus_per_task, "cores of a task (default: as the cluster has it)");
    verb.add_option("--gpus-per-task", options.job.gpus_per_task, "GPUs of a task (default: none)");
    verb.add_option("--memory", options.job.memory, "of a node, such as 4G (default: as the cluster has it)");
    verb.add_option("--time", options.job.time, "the longest that the job may take, such as 02:00:00 (default: as the cluster has it)");
    verb.add_option("--partition", options.job.partition, "where Slurm's job waits for its nodes (default: as the cluster has it)");
    verb.add_option("--seeds", options.job.seeds, "so many runs that differ in their seed, as an array of Slurm's jobs")
        ->capture_default_str();
    verb.add_option("--set", options.settings, "PATH=VALUE: change a value of the project, here and in the job")->take_all();
}

engine::launch::LaunchJob jobOf(const LaunchOptions& options, const engine::spec::RunSpec& run) {
    engine::launch::LaunchJob job = options.job;
    job.nodes = options.nodes.value_or(usualNodes(run.cluster.spec));
    return job;
}

}  // namespace app::cli
