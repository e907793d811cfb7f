#include <ostream>

#include "app/cli/project_source.h"
#include "app/cli/verb.h"
#include "engine/spec/project/model_summary.h"

namespace app::cli {

void addSummary(CLI::App& app, Context& context) {
    struct Options {
        std::string project;
        std::vector<std::string> settings;
    };
    CLI::App* verb = app.add_subcommand("summary", "A project's layers as Keras' model.summary(), with work and memory of each");
    auto options = std::make_shared<Options>();
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project")->required();
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->footer("Exit codes: 0 printed, 1 the project has errors, 2 no such project.");
    verb->callback([&context, options] {
        if (const auto run = loadProject(context, options->project, options->settings)) {
            context.out << engine::spec::modelSummary(run->model) << '\n' << engine::spec::workSummary(*run);
        }
    });
}

}  // namespace app::cli
