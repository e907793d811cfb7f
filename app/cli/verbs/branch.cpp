// A new run that begins where another one stood.
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>

#include "agent/client/run_checkpoints.h"
#include "app/cli/project_source.h"
#include "app/cli/run_choice.h"
#include "app/cli/verb.h"
#include "app/cli/verbs/train.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/error.h"

namespace app::cli {
namespace {

namespace fs = std::filesystem;

struct BranchOptions : TrainVerbOptions {
    std::optional<std::int64_t> step;
    std::string checkpoint;
};

// Workers and servers of a run on this computer get ports of their own: those of the run may be in use by itself.
void takeItsNumbers(const engine::spec::ClusterSpec& cluster, TrainVerbOptions& options) {
    if (options.workers > 0 || options.hosts || engine::spec::namesOtherHosts(cluster)) {
        return;
    }
    int workers = 0, servers = 0;
    for (const engine::spec::Job& job : cluster.jobs) {
        if (job.name == "worker") {
            workers = static_cast<int>(job.tasks.size());
        } else if (job.name == "ps") {
            servers = static_cast<int>(job.tasks.size());
        } else {
            return;  // a chief or an evaluator: as the run had them
        }
    }
    options.workers = workers;
    if (options.servers == 0) options.servers = servers;
}

void branch(Context& context, BranchOptions options) {
    const auto run = chooseRun(context, *context.connect(), options.project, RunChoice::kAny);
    if (!run) {
        return;
    }
    try {
        const agent::client::BranchPoint point = agent::client::branchPoint(run->run_dir, options.checkpoint, options.step);
        options.project = (fs::path(run->run_dir) / "run.json").string();
        options.initial_weights = point.file.string();
        options.settings.emplace_back("fit.initial_state=true");
        const auto project = readProject(context, options.project, options.settings);
        if (!project) {
            return;
        }
        takeItsNumbers(project->cluster.spec, options);
        std::ostream& out = options.json ? context.err : context.out;
        out << "Branch of " << run->id << (point.step > 0 ? ", behind its step " + std::to_string(point.step) : std::string()) << ": "
            << point.file.string() << '\n'
            << std::flush;
    } catch (const engine::Error& error) {
        context.err << "error: " << error.what() << '\n';
        context.exit_code = kFailed;
        return;
    }
    train(context, options);
}

}  // namespace

void addBranch(CLI::App& app, Context& context) {
    CLI::App* verb =
        app.add_subcommand("branch", "Train on from a checkpoint or the backup of a run, as a new run, with settings changed or not");
    auto options = std::make_shared<BranchOptions>();
    addTrainOptions(*verb, *options,
                    {.out = "below the agent's runs",
                     .overwrite = "a branch that left a backup goes on; a finished run is refused",
                     .threads = "the cores, shared evenly",
                     .target = "RUN",
                     .target_help = "the run's id or its beginning, or its folder; without one the newest",
                     .names_weights = false});
    auto* step = verb->add_option("--step", options->step, "from the newest checkpoint that lies behind no more than so many steps")
                     ->check(CLI::NonNegativeNumber);
    verb->add_option(
            "--checkpoint", options->checkpoint,
            "latest, best, backup, an epoch or a checkpoint's name (default: the backup of a run that was interrupted, else latest)")
        ->excludes(step);
    addWhereOptions(*verb, *options);
    verb->footer(
        std::string(
            "Where nothing is changed, the branch goes on bit for bit as the run did. Epochs count on: --set fit.epochs=N names all of "
            "them.\n") +
        kTrainFooter);
    verb->callback([&context, options] { branch(context, *options); });
}

}  // namespace app::cli
