#include "app/cli/verbs/export/export_code.h"

#include <ostream>

#include "app/cli/project_source.h"
#include "app/cli/text_file.h"
#include "engine/spec/keras/keras_code.h"

namespace app::cli {
namespace {

struct ExportCodeOptions {
    std::string project;
    std::string out;
    std::vector<std::string> settings;
};

void exportCode(Context& context, const ExportCodeOptions& options) {
    const auto run = readProjectForCode(context, options.project, options.settings);
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
    auto options = std::make_shared<ExportCodeOptions>();
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project")->required();
    verb->add_option("--out", options->out, "the file to write (default: standard output)");
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->footer("Exit codes: 0 written, 1 the project has errors or the file could not be written, 2 no such project.");
    verb->callback([&context, options] { exportCode(context, *options); });
}

}  // namespace app::cli
