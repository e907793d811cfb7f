#include <ostream>

#include "app/cli/engine_call.h"
#include "app/cli/model_source.h"
#include "app/cli/verb.h"
#include "engine/spec/shape.h"

namespace app::cli {
namespace {

struct PredictOptions {
    std::string target;
    std::string checkpoint;
    std::string data = "test";
    std::string out;
    std::vector<std::string> settings;
    int threads = 0;
};

void predict(Context& context, const PredictOptions& options) {
    const auto model = findModel(context, options.target, options.checkpoint, options.settings);
    if (!model) {
        return;
    }
    const auto answer = askEngine(context, modelOf(model->project),
                                  engine::spec::PredictQuestion{.checkpoint = model->checkpoint,
                                                                .data = samplesNamed(options.data),
                                                                .out = std::filesystem::absolute(options.out),
                                                                .threads = options.threads});
    if (answer) {
        context.out << options.out << ": " << engine::spec::shapeText(answer->shape) << '\n';
    }
}

}  // namespace

void addPredict(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("predict", "The model's outputs for every sample, as a file");
    auto options = std::make_shared<PredictOptions>();
    verb->add_option("MODEL", options->target, kModelHelp)->required();
    verb->add_option("--checkpoint", options->checkpoint, kCheckpointHelp);
    verb->add_option("--data", options->data, kSamplesHelp)->capture_default_str();
    verb->add_option("--out", options->out, "the file to write: .npy (float32, samples by outputs) or .csv")->required();
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->add_option("--threads", options->threads, "threads to compute with (default: all cores)")->check(CLI::Range(1, 1024));
    verb->footer("Exit codes: 0 written, 1 the checkpoint or the data can't be used, 2 no checkpoint named, 3 the agent can't be reached.");
    verb->callback([&context, options] { predict(context, *options); });
}

}  // namespace app::cli
