#include "app/cli/project_source.h"
#include "app/cli/verb.h"
#include "app/cli/worker_process.h"

namespace app::cli {
namespace {

struct PlacementOptions {
    std::string project;
    std::vector<std::string> settings;
    bool json = false;
};

void placement(Context& context, const PlacementOptions& options) {
    if (!isForWorker(context, options.project, options.settings)) {
        return;
    }
    std::vector<std::string> arguments{"placement", findProject(context, options.project)->string()};
    for (const std::string& setting : options.settings) {
        arguments.insert(arguments.end(), {"--set", setting});
    }
    if (options.json) {
        arguments.emplace_back("--json");
    }
    runWorker(context, std::move(arguments));
}

}  // namespace

void addPlacement(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("placement", "The device of every variable and op, for every replica of a project");
    auto options = std::make_shared<PlacementOptions>();
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project")->required();
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first, such as strategy.logical_cpus=2")
        ->take_all();
    verb->add_flag("--json", options->json, "one JSON object a line: device, kind, name, replica, task");
    verb->footer("Exit codes: 0 printed, 1 the project can't be used, 2 no such project.");
    verb->callback([&context, options] { placement(context, *options); });
}

}  // namespace app::cli
