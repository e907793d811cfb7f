#include "app/cli/verbs/export_launch.h"

#include <filesystem>
#include <ostream>
#include <system_error>

#include "app/cli/project_source.h"
#include "app/cli/text_file.h"
#include "engine/launch/slurm_script.h"
#include "engine/spec/error.h"

namespace app::cli {
namespace {

struct ExportOptions {
    std::string project;
    std::string kind;
    std::string out;
    std::optional<int> nodes;
    engine::launch::SlurmJob job;
    std::vector<std::string> settings;
};

// One node a task of the project's cluster; two where it has none.
int usualNodes(const engine::spec::ClusterSpec& cluster) {
    int tasks = 0;
    for (const engine::spec::Job& job : cluster.jobs) {
        tasks += static_cast<int>(job.tasks.size());
    }
    return tasks > 1 ? tasks : 2;
}

void exportLaunch(Context& context, const ExportOptions& options) {
    const auto run = loadProject(context, options.project, options.settings);
    if (!run) {
        return;
    }
    std::error_code ignored;
    const bool is_file = std::filesystem::is_regular_file(options.project, ignored);  // as findProject() looks
    engine::launch::SlurmJob job = options.job;
    job.project = is_file ? std::filesystem::absolute(options.project).lexically_normal().string() : options.project;
    job.name = is_file ? std::filesystem::path(options.project).stem().string() : options.project;
    job.settings = options.settings;
    job.nodes = options.nodes.value_or(usualNodes(run->cluster.spec));
    std::string text;
    try {
        text = engine::launch::slurmScript(job, *run);
    } catch (const engine::Error& error) {
        context.err << "error: " << error.what() << '\n';
        context.exit_code = kUsage;
        return;
    }
    if (!giveText(options.out, text, context.out, context.err)) {
        context.exit_code = kFailed;
    }
}

}  // namespace

void addExportLaunch(CLI::App& group, Context& context) {
    CLI::App* verb = group.add_subcommand("launch", "A file by which a cluster's scheduler trains a project");
    auto options = std::make_shared<ExportOptions>();
    verb->add_option("PROJECT", options->project, "a project file that every node sees, or the name of a starter project")->required();
    verb->add_option("--kind", options->kind, "slurm: a batch script for sbatch")->required()->check(CLI::IsMember({"slurm"}));
    verb->add_option("--out", options->out, "the file to write (default: standard output)");
    verb->add_option("--nodes", options->nodes, "computers (default: one for each task of the project's cluster, else 2)");
    verb->add_option("--tasks-per-node", options->job.tasks_per_node, "tasks on each of them")->capture_default_str();
    verb->add_option("--cpus-per-task", options->job.cpus_per_task, "cores of a task (default: the cluster's)");
    verb->add_option("--gpus-per-task", options->job.gpus_per_task, "GPUs of a task (default: none)");
    verb->add_option("--memory", options->job.memory, "of a node, such as 4G (default: the cluster's)");
    verb->add_option("--time", options->job.time, "the longest that the job may take, such as 02:00:00 (default: the cluster's)");
    verb->add_option("--partition", options->job.partition, "where the job waits for its nodes (default: the cluster's)");
    verb->add_option("--seeds", options->job.seeds, "so many runs that differ in their seed, as an array of jobs")->capture_default_str();
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project, here and in the job")->take_all();
    verb->footer(
        "Each task finds its place with tandem-worker --from-slurm. A job that is queued again goes on from its backup.\n"
        "Exit codes: 0 written, 1 the project has errors or the file could not be written, 2 wrong options or no such project.");
    verb->callback([&context, options] { exportLaunch(context, *options); });
}

}  // namespace app::cli
