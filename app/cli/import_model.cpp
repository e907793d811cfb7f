#include "app/cli/verb.h"
#include "app/cli/worker_process.h"

namespace app::cli {

void addImport(CLI::App& app, Context& context) {
    struct Options {
        std::string file;
        std::string out;
    };
    CLI::App* verb = app.add_subcommand("import", "A project from a model file of Keras, which begins with the file's weights");
    auto options = std::make_shared<Options>();
    verb->add_option("FILE", options->file, ".keras, .h5 (a whole model) or the JSON of model.to_json()")->required();
    verb->add_option("--out", options->out, "the project file to write; must not exist")->required();
    verb->footer("Exit codes: 0 written, 1 the file can't be read or has a layer that can't be represented.");
    verb->callback([&context, options] { runWorker(context, {"import", options->file, "--out", options->out}); });
}

}  // namespace app::cli
