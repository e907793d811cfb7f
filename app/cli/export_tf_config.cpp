#include <fstream>
#include <ostream>

#include "app/cli/export_keras.h"
#include "app/cli/project_source.h"
#include "app/cli/verb.h"
#include "engine/launch/tf_config_files.h"

namespace app::cli {
namespace {

struct ExportOptions {
    std::string project;
    std::string format = "json";
    std::string out = ".";
    std::vector<std::string> settings;
};

void exportTfConfig(Context& context, const ExportOptions& options) {
    const auto run = loadProject(context, options.project, options.settings);
    if (!run) {
        return;
    }
    const auto files = engine::launch::tfConfigFiles(run->cluster.spec, *engine::launch::parseTfConfigFormat(options.format));
    if (files.empty()) {
        context.err << "error: cluster: expected at least one task to export a TF_CONFIG for, the project has none\n";
        context.exit_code = kFailed;
        return;
    }
    std::error_code failed;
    std::filesystem::create_directories(options.out, failed);
    for (const auto& [name, text] : files) {
        const std::filesystem::path path = std::filesystem::path(options.out) / name;
        std::ofstream file(path, std::ios::binary);
        file << text;
        if (!file.flush()) {
            context.err << "error: " << path.string() << ": could not be written\n";
            context.exit_code = kFailed;
            return;
        }
        context.out << path.string() << '\n';
    }
}

}  // namespace

void addExport(CLI::App& app, Context& context) {
    CLI::App* group = app.add_subcommand("export", "Write what other programs take");
    group->require_subcommand(1);
    addExportKeras(*group, context);
    CLI::App* verb = group->add_subcommand("tf-config", "TF_CONFIG of every task of a project, one file each");
    auto options = std::make_shared<ExportOptions>();
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project")->required();
    verb->add_option("--format", options->format, "json (worker-0.json), env (worker-0.env), bash (worker-0.sh) or powershell (worker-0.ps1)")
        ->check(CLI::IsMember({"json", "env", "bash", "powershell"}))
        ->capture_default_str();
    verb->add_option("--out", options->out, "folder to write to, made when missing")->capture_default_str();
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->footer("Exit codes: 0 written, 1 the project has errors or a file could not be written, 2 no such project.");
    verb->callback([&context, options] { exportTfConfig(context, *options); });
}

}  // namespace app::cli
