#include "app/cli/launch_options.h"

namespace app::cli {

void addLaunchOptions(CLI::App& verb, engine::launch::LaunchOptions& options) {
    verb.add_option("--nodes", options.nodes, "computers, or containers (default: one for each task of the project's cluster, else 2)");
    verb.add_option("--tasks-per-node", options.job.tasks_per_node, "tasks on each of them")->capture_default_str();
    verb.add_option("--cpus-per-task", options.job.cpus_per_task, "cores of a task (default: as the cluster has it)");
    verb.add_option("--gpus-per-task", options.job.gpus_per_task, "GPUs of a task (default: none)");
    verb.add_option("--memory", options.job.memory, "of a node, such as 4G (default: as the cluster has it)");
    verb.add_option("--time", options.job.time, "the longest that the job may take, such as 02:00:00 (default: as the cluster has it)");
    verb.add_option("--partition", options.job.partition, "where Slurm's job waits for its nodes (default: as the cluster has it)");
    verb.add_option("--seeds", options.job.seeds, "so many runs that differ in their seed, each in a folder of its own")
        ->capture_default_str();
    verb.add_option("--set", options.settings, "PATH=VALUE: change a value of the project, here and in the job")->take_all();
}

}  // namespace app::cli
