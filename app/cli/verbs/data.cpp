#include "app/cli/project_source.h"
#include "app/cli/verb.h"
#include "app/cli/worker_process.h"

namespace app::cli {
namespace {

struct DataOptions {
    std::string project;
    std::vector<std::string> settings;
    bool fetch = false;
    bool check = false;
    bool json = false;
};

void data(Context& context, const DataOptions& options) {
    const auto project = findProject(context, options.project);
    if (!project) {
        context.err << "error: " << options.project
                    << ": expected a project file or a starter project (tandem-cli templates lists them), found neither\n";
        context.exit_code = kUsage;
        return;
    }
    std::vector<std::string> arguments{"data", project->string()};
    appendCommon(arguments, options.settings, 0);
    for (const auto& [is_on, flag] : {std::pair{options.fetch, "--fetch"}, {options.check, "--check"}, {options.json, "--json"}}) {
        if (is_on) {
            arguments.emplace_back(flag);
        }
    }
    runWorker(context, std::move(arguments));
}

}  // namespace

void addData(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("data", "What a project's data set is: sizes, classes, columns of a table, bad samples");
    auto options = std::make_shared<DataOptions>();
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project; its data alone counts")->required();
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->add_flag("--fetch", options->fetch, "download a set that has a name and is not on this computer, or is damaged");
    verb->add_flag(
        "--check", options->check,
        "read every sample, name all that cannot be read, count NaN and infinities, and compare labels with the project's model");
    verb->add_flag("--json", options->json, "one JSON object a line: progress, log, then data (with pictures) or error");
    verb->footer(
        "Exit codes: 0 printed, 1 the data can't be used (with --check: a run would end with an error), 2 no such project or wrong data "
        "settings.");
    verb->callback([&context, options] { data(context, *options); });
}

}  // namespace app::cli
