#include <ostream>

#include "app/cli/classification_text.h"
#include "app/cli/engine_call.h"
#include "app/cli/model_source.h"
#include "app/cli/verb.h"

namespace app::cli {
namespace {

struct EvaluateOptions {
    std::string target;
    std::string checkpoint;
    std::vector<std::string> settings;
    int threads = 0, mistakes = 0;
    bool json = false, confusion = false;
};

void evaluate(Context& context, const EvaluateOptions& options) {
    const auto model = findModel(context, options.target, options.checkpoint, options.settings);
    if (!model) {
        return;
    }
    const auto answer = askEngine(
        context, modelOf(model->project),
        engine::spec::EvaluateQuestion{
            .checkpoint = model->checkpoint, .threads = options.threads, .confusion = options.confusion, .mistakes = options.mistakes});
    if (answer) {
        context.out << (options.json ? evaluationJson(*answer) : evaluationText(*answer));
    }
}

}  // namespace

void addEvaluate(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("evaluate", "Loss and accuracy of a checkpoint on the project's test set");
    auto options = std::make_shared<EvaluateOptions>();
    verb->add_option("MODEL", options->target, kModelHelp)->required();
    verb->add_option("--checkpoint", options->checkpoint, kCheckpointHelp);
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->add_option("--threads", options->threads, "threads to compute with (default: all cores)")->check(CLI::Range(1, 1024));
    verb->add_flag("--json", options->json, "one JSON object: test_accuracy, test_loss, samples");
    verb->add_flag("--confusion", options->confusion, "also which class was taken for which, and the accuracy of each class");
    verb->add_option("--mistakes", options->mistakes, "also so many of the wrong answers, the surest first")->check(CLI::Range(0, 1000));
    verb->footer(
        "Exit codes: 0 evaluated, 1 the checkpoint or the project can't be used, 2 no checkpoint named, 3 the agent can't be reached.");
    verb->callback([&context, options] { evaluate(context, *options); });
}

}  // namespace app::cli
