#include "app/cli/verbs/export/export_script.h"

#include <ostream>

#include "app/cli/project_source.h"
#include "app/cli/text_file.h"
#include "engine/script/script.h"

namespace app::cli {
namespace {

struct ExportScriptOptions {
    std::string project;
    std::string api = "keras";
    std::string out;
    std::vector<std::string> settings;
};

void exportScript(Context& context, const ExportScriptOptions& options) {
    const auto run = readProjectForCode(context, options.project, options.settings);
    if (!run) {
        return;
    }
    const engine::script::Script script = engine::script::writeScript(*run, *engine::script::apiOf(options.api));
    for (const engine::spec::Diagnostic& finding : script.findings) {
        context.err << toString(finding) << '\n';
    }
    if (!script.isWritten() || !giveText(options.out, script.text, context.out, context.err)) {
        context.exit_code = kFailed;
    }
}

}  // namespace

void addExportScript(CLI::App& group, Context& context) {
    CLI::App* verb = group.add_subcommand("script", "A whole Python program that trains a project without Tandem");
    auto options = std::make_shared<ExportScriptOptions>();
    std::vector<std::string> names;
    for (const engine::script::ApiRow& row : engine::script::apis()) names.emplace_back(row.name);
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project")->required();
    verb->add_option("--api", options->api,
                     "keras (compile and fit), custom-loop (steps written out), estimator (tf.estimator) or torch (PyTorch)")
        ->check(CLI::IsMember(names))
        ->capture_default_str();
    verb->add_option("--out", options->out, "the file to write (default: standard output)");
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->footer(
        "Exit codes: 0 written, 1 the project has errors, the framework has no equal for something of it, or the file could not be "
        "written, 2 no such project.");
    verb->callback([&context, options] { exportScript(context, *options); });
}

}  // namespace app::cli
