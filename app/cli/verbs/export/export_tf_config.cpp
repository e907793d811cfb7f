#include <filesystem>
#include <ostream>

#include "app/cli/cluster_source.h"
#include "app/cli/project_source.h"
#include "app/cli/text_file.h"
#include "app/cli/verb.h"
#include "app/cli/verbs/export/export_code.h"
#include "app/cli/verbs/export/export_diagram.h"
#include "app/cli/verbs/export/export_keras.h"
#include "app/cli/verbs/export/export_launch.h"
#include "app/cli/verbs/export/export_run.h"
#include "app/cli/verbs/export/export_script.h"
#include "app/cli/verbs/export/export_tensorboard.h"
#include "engine/launch/tf_config_files.h"
#include "engine/spec/cluster/cluster_edit.h"
#include "engine/spec/validate/validate.h"

namespace app::cli {
namespace {

struct ExportTfConfigOptions {
    std::string project;
    std::string format = "json";
    std::string out = ".";
    std::vector<std::string> settings;
    ClusterSource cluster;
};

// Returns the project's cluster, or that of --cluster alone. Mistakes in the rest of a project do not matter here: TF_CONFIG is for
// whatever will run there.
std::optional<engine::spec::RunSpec> clusterOf(Context& context, const ExportTfConfigOptions& options) {
    engine::spec::RunSpec run;
    if (!options.project.empty()) {
        auto project = readProject(context, options.project, options.settings);
        if (!project) {
            return std::nullopt;
        }
        run = std::move(*project);
    }
    if (!options.cluster.file.empty()) {
        const auto read = readCluster(context, options.cluster);
        if (!read) {
            return std::nullopt;
        }
        engine::spec::useCluster(run, read->cluster);
    }
    bool failed = false;
    for (const engine::spec::Diagnostic& found : validate(run)) {
        if (found.path.starts_with("cluster")) {
            context.err << toString(found) << '\n';
            failed = failed || found.severity == engine::spec::Severity::kError;
        }
    }
    if (failed) {
        context.exit_code = kFailed;
        return std::nullopt;
    }
    return run;
}

void exportTfConfig(Context& context, const ExportTfConfigOptions& options) {
    if (options.project.empty() && options.cluster.file.empty()) {
        context.err << "error: export tf-config: expected a PROJECT or --cluster FILE, got neither\n";
        context.exit_code = kUsage;
        return;
    }
    const auto run = clusterOf(context, options);
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
        if (!writeWholeText(path, text, context.err)) {
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
    addExportCode(*group, context);
    addExportScript(*group, context);
    addExportDiagram(*group, context);
    addExportKeras(*group, context);
    addExportOnnx(*group, context);
    addExportData(*group, context);
    addExportReport(*group, context);
    addExportTensorboard(*group, context);
    addExportLaunch(*group, context);
    CLI::App* verb = group->add_subcommand("tf-config", "TF_CONFIG of every task of a project, one file each");
    auto options = std::make_shared<ExportTfConfigOptions>();
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project");
    addClusterSource(*verb, options->cluster, "--cluster",
                     "a TF_CONFIG, an MPI hostfile or Slurm's variables: its cluster in place of the project's; - for standard input");
    verb->add_option("--format", options->format,
                     "json (worker-0.json), env (worker-0.env), bash (worker-0.sh) or powershell (worker-0.ps1)")
        ->check(CLI::IsMember({"json", "env", "bash", "powershell"}))
        ->capture_default_str();
    verb->add_option("--out", options->out, "folder to write to, made when missing")->capture_default_str();
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->footer("Exit codes: 0 written, 1 the cluster has errors or a file could not be written, 2 no such project or file.");
    verb->callback([&context, options] { exportTfConfig(context, *options); });
}

}  // namespace app::cli
