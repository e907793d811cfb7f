#include "app/cli/verbs/export_code.h"

#include <ostream>

#include "app/cli/project_source.h"
#include "app/cli/text_file.h"
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/spec/validate/validate.h"

namespace app::cli {
namespace {

struct ExportOptions {
    std::string project;
    std::string out;
    std::vector<std::string> settings;
};

// What keeps a project from training here and not from being code: which computers train is TF_CONFIG's to say, and a strategy that has
// no back-end here is what the code is for.
bool isOfTraining(const engine::spec::RunSpec& run, const std::string& path) {
    const engine::spec::StrategyRow* strategy = engine::spec::findStrategy(run.strategy.name);
    return path.starts_with("cluster") || (path == "strategy.name" && strategy != nullptr && !strategy->runs);
}

// The project, unless something is wrong with it that code speaks of.
std::optional<engine::spec::RunSpec> loadForCode(Context& context, const ExportOptions& options) {
    std::optional<engine::spec::RunSpec> run = readProject(context, options.project, options.settings);
    for (const engine::spec::Diagnostic& one : run ? validate(*run) : engine::spec::Diagnostics()) {
        if (isOfTraining(*run, one.path)) continue;
        context.err << toString(one) << '\n';
        if (one.severity == engine::spec::Severity::kError) context.exit_code = kFailed;
    }
    return context.exit_code == kDone ? run : std::nullopt;
}

void exportCode(Context& context, const ExportOptions& options) {
    const auto run = loadForCode(context, options);
    if (!run) {
        return;
    }
    const std::string code = engine::spec::projectCode(*run);
    for (const std::string& part : run->code.empty() ? std::vector<std::string>() : engine::spec::partsThatDiffer(code, *run)) {
        context.err << "warning: " << options.project << ": "
                    << (part.empty()
                            ? "code: expected text that can be read, got some with errors; the project's settings are not in it"
                            : part + ": expected the text that is kept with the project to say it, got another one; change it there")
                    << '\n';
    }
    if (!giveText(options.out, code, context.out, context.err)) {
        context.exit_code = kFailed;
    }
}

}  // namespace

void addExportCode(CLI::App& group, Context& context) {
    CLI::App* verb = group.add_subcommand("code", "Model, compile and fit of a project as Keras Python");
    auto options = std::make_shared<ExportOptions>();
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project")->required();
    verb->add_option("--out", options->out, "the file to write (default: standard output)");
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->footer("Exit codes: 0 written, 1 the project has errors or the file could not be written, 2 no such project.");
    verb->callback([&context, options] { exportCode(context, *options); });
}

}  // namespace app::cli
