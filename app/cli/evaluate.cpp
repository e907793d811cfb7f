#include "app/cli/project_source.h"
#include "app/cli/verb.h"
#include "app/cli/worker_program.h"

namespace app::cli {
namespace {

struct EvaluateOptions {
    std::string project;
    std::string checkpoint;
    std::vector<std::string> settings;
    int threads = 0;
    bool json = false;
};

// The engine lives in tandem-worker: this verb is that program's, with its output.
void evaluate(Context& context, const EvaluateOptions& options) {
    if (!loadProject(context, options.project, options.settings)) {
        return;
    }
    std::vector<std::string> arguments{"evaluate", findProject(context, options.project)->string(), "--checkpoint", options.checkpoint};
    for (const std::string& setting : options.settings) {
        arguments.insert(arguments.end(), {"--set", setting});
    }
    if (options.threads > 0) {
        arguments.insert(arguments.end(), {"--threads", std::to_string(options.threads)});
    }
    if (options.json) {
        arguments.emplace_back("--json");
    }
    runWorkerProgram(context, std::move(arguments));
}

}  // namespace

void addEvaluate(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("evaluate", "Loss and accuracy of a checkpoint on the project's test set");
    auto options = std::make_shared<EvaluateOptions>();
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project")->required();
    verb->add_option("--checkpoint", options->checkpoint, "a folder with a file `checkpoint` (its latest is taken), or a prefix such as run/checkpoints/ckpt_3")
        ->required();
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->add_option("--threads", options->threads, "threads to compute with (default: all cores)");
    verb->add_flag("--json", options->json, "one JSON object: test_accuracy, test_loss, samples");
    verb->footer("Exit codes: 0 evaluated, 1 the checkpoint or the project can't be used, 2 no such project.");
    verb->callback([&context, options] { evaluate(context, *options); });
}

}  // namespace app::cli
