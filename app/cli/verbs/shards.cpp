#include "app/cli/project_source.h"
#include "app/cli/verb.h"
#include "app/cli/worker_process.h"

namespace app::cli {
namespace {

struct ShardsOptions {
    std::string project;
    std::vector<std::string> settings;
    int workers = 0;
    int steps = 3;
    bool json = false;
};

void shards(Context& context, const ShardsOptions& options) {
    if (!isForWorker(context, options.project, options.settings)) {
        return;
    }
    std::vector<std::string> arguments{"shards", findProject(context, options.project)->string(), "--steps", std::to_string(options.steps)};
    appendCommon(arguments, options.settings, 0);
    if (options.workers > 0) {
        arguments.insert(arguments.end(), {"--workers", std::to_string(options.workers)});
    }
    if (options.json) {
        arguments.emplace_back("--json");
    }
    runWorker(context, std::move(arguments));
}

}  // namespace

void addShards(CLI::App& app, Context& context) {
    CLI::App* verb =
        app.add_subcommand("shards", "Which sample goes to which worker in the first steps, with batch, epoch and learning rate");
    auto options = std::make_shared<ShardsOptions>();
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project")->required();
    verb->add_option("--steps", options->steps, "how many steps (default 3)")->check(CLI::Range(1, 1000000));
    verb->add_option("--workers", options->workers, "on this computer, in place of the project's cluster")->check(CLI::Range(1, 1024));
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->add_flag("--json", options->json, "one JSON object: dataset, training_samples, policy, tasks, advice, steps");
    verb->footer(
        "The samples are those that the workers train with: with data.log_shards=N each logs its first N steps in the same words.\n"
        "Exit codes: 0 printed, 1 the project or its data can't be used, 2 no such project.");
    verb->callback([&context, options] { shards(context, *options); });
}

}  // namespace app::cli
