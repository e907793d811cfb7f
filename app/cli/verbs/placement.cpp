#include <nlohmann/json.hpp>
#include <ostream>

#include "app/cli/engine_call.h"
#include "app/cli/project_source.h"
#include "app/cli/verb.h"

namespace app::cli {
namespace {

struct PlacementOptions {
    std::string project;
    std::vector<std::string> settings;
    bool json = false;
};

void placement(Context& context, const PlacementOptions& options) {
    const auto project = loadForEngine(context, options.project, options.settings);
    const auto placed = project ? askEngine(context, *project, engine::spec::PlacementQuestion()) : std::nullopt;
    if (!placed) {
        return;
    }
    for (const engine::spec::PlacedOp& op : placed->ops) {
        if (options.json) {
            context.out
                << nlohmann::json{{"task", op.task}, {"replica", op.replica}, {"name", op.name}, {"kind", op.kind}, {"device", op.device}}
                << '\n';
        } else {
            context.out << op.name << ": (" << op.kind << "): " << op.device << '\n';
        }
    }
}

}  // namespace

void addPlacement(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("placement", "The device of every variable and op, for every replica of a project");
    auto options = std::make_shared<PlacementOptions>();
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project")->required();
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first, such as strategy.logical_cpus=2")
        ->take_all();
    verb->add_flag("--json", options->json, "one JSON object a line: device, kind, name, replica, task");
    verb->footer("Exit codes: 0 printed, 1 the project can't be used, 2 no such project, 3 the agent can't be reached.");
    verb->callback([&context, options] { placement(context, *options); });
}

}  // namespace app::cli
