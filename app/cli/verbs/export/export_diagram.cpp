#include "app/cli/verbs/export/export_diagram.h"

#include <ostream>

#include "app/cli/project_source.h"
#include "app/cli/text_file.h"
#include "engine/report/model_dot.h"

namespace app::cli {
namespace {

struct ExportDiagramOptions {
    std::string project;
    std::string out;
    std::string rankdir = "TB";
    engine::report::DotOptions boxes;
    std::vector<std::string> settings;
};

void exportDiagram(Context& context, const ExportDiagramOptions& options) {
    const auto run = readProject(context, options.project, options.settings);
    if (!run) {
        return;
    }
    engine::report::DotOptions boxes = options.boxes;
    boxes.left_to_right = options.rankdir == "LR";
    const std::string text = engine::report::modelDot(run->model, boxes);
    if (!giveText(options.out, text, context.out, context.err)) {
        context.exit_code = kFailed;
    }
}

}  // namespace

void addExportDiagram(CLI::App& group, Context& context) {
    CLI::App* verb = group.add_subcommand("diagram", "The layers of a project as boxes and arrows, for Graphviz");
    auto options = std::make_shared<ExportDiagramOptions>();
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project")->required();
    verb->add_option("--out", options->out, "the file to write (default: standard output)");
    verb->add_option("--rankdir", options->rankdir, "TB (top to bottom) or LR (left to right)")
        ->check(CLI::IsMember({"TB", "LR"}))
        ->capture_default_str();
    verb->add_flag("!--no-shapes", options->boxes.show_shapes, "leave out the shapes of input and output");
    verb->add_flag("!--no-activations", options->boxes.show_layer_activations, "leave out the activations");
    verb->add_flag("!--no-params", options->boxes.show_params, "leave out the numbers of parameters");
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->footer(
        "tandem-cli export diagram PROJECT | dot -Tpng -o model.png draws it; dot is Graphviz'. A layer that does not fit has the shape "
        "?.\n"
        "Exit codes: 0 written, 1 the file could not be written, 2 no such project.");
    verb->callback([&context, options] { exportDiagram(context, *options); });
}

}  // namespace app::cli
