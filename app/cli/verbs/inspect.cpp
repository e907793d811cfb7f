#include <ostream>

#include "app/cli/classification_text.h"
#include "app/cli/engine_call.h"
#include "app/cli/model_source.h"
#include "app/cli/verb.h"

namespace app::cli {
namespace {

struct InspectOptions {
    std::string target;
    std::string checkpoint;
    std::string data = "test";
    std::int64_t sample = 0;
    bool json = false;
    std::vector<std::string> settings;
};

void inspect(Context& context, const InspectOptions& options) {
    const auto model = findModel(context, options.target, options.checkpoint, options.settings);
    if (!model) {
        return;
    }
    const auto answer = askEngine(
        context, modelOf(model->project),
        engine::spec::InspectQuestion{.checkpoint = model->checkpoint, .data = samplesNamed(options.data), .sample = options.sample});
    if (answer) {
        context.out << (options.json ? inspectionJson(*answer) : inspectionText(*answer));
    }
}

}  // namespace

void addInspect(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("inspect", "The best five classes of one sample, and what every layer makes of it");
    auto options = std::make_shared<InspectOptions>();
    verb->add_option("MODEL", options->target, kModelHelp)->required();
    verb->add_option("--checkpoint", options->checkpoint, kCheckpointHelp);
    verb->add_option("--data", options->data, kSamplesHelp)->capture_default_str();
    verb->add_option("--sample", options->sample, "its place in the data, from 0")->capture_default_str();
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->add_flag("--json", options->json, "one JSON object: top, layers with their maps, pixels");
    verb->footer("Exit codes: 0 printed, 1 the checkpoint or the data can't be used, 2 no checkpoint named, 3 the agent can't be reached.");
    verb->callback([&context, options] { inspect(context, *options); });
}

}  // namespace app::cli
