#include <algorithm>
#include <map>
#include <ostream>

#include "agent/client/project_files.h"
#include "app/cli/cluster_source.h"
#include "app/cli/project_source.h"
#include "app/cli/verb.h"
#include "engine/errors/error_catalog.h"
#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/cluster/cluster_repair.h"
#include "engine/spec/cluster/cluster_text.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/batch_advice.h"
#include "engine/spec/project/setting.h"
#include "engine/spec/validate/sample_check.h"
#include "engine/spec/validate/validate.h"

namespace app::cli {
namespace {

using engine::spec::TfConfigUse;

struct CheckOptions {
    ClusterSource source;
    std::optional<TfConfigUse> use;
    std::vector<std::string> settings;
    bool fix = false;
};

// A project: its findings, then what its replicas make of batch, epoch and learning rate.
void checkProject(Context& context, const std::string& file, const std::string& text, const std::vector<std::string>& settings) {
    engine::spec::ProjectReport report = engine::spec::parseProject(text);
    nameFile(report.diagnostics, file);
    const auto add = [&report](const engine::spec::Diagnostics& found) {
        report.diagnostics.insert(report.diagnostics.end(), found.begin(), found.end());
        return !hasErrors(report.diagnostics);
    };
    bool is_good = add({});
    for (std::size_t i = 0; i < settings.size() && is_good; ++i) {
        is_good = add(agent::client::applySettingHere(report.run, settings[i]));
    }
    if (is_good) {
        add(checkProject(report.run));
    }
    for (const engine::spec::Diagnostic& diagnostic : report.diagnostics) {
        context.out << engine::errors::withCode(toString(diagnostic)) << '\n';
    }
    if (hasErrors(report.diagnostics)) {
        const bool is_malformed = !std::all_of(settings.begin(), settings.end(), engine::spec::isSetting);
        context.exit_code = is_malformed ? kUsage : kFailed;
        return;
    }
    const engine::spec::NamedDataset* set = engine::spec::findNamedDataset(report.run.data.dataset);
    const auto tasks = planTasks(report.run).front().replicas;
    const std::int64_t samples = set == nullptr ? 0 : set->train_samples;
    const std::int64_t steps = stepsPerEpoch(report.run, samples, tasks);
    for (const std::string& line : batchAdvice(report.run, tasks, samples, steps)) {
        context.out << line << '\n';
    }
}

// A cluster that was no TF_CONFIG: what it means, in the form that TensorFlow reads.
void printCluster(Context& context, const engine::spec::ClusterText& read) {
    const engine::spec::TaskId first = read.task.value_or(engine::spec::TaskId{});
    context.out << toString(read.kind) << ": " << read.cluster.trainingTasks().size() << " workers\n"
                << toTfConfigJson(read.cluster, first) << '\n';
}

// The first option that is given and means a cluster's text; empty when there is none.
const char* clusterOption(const CheckOptions& options) {
    return options.use                         ? "--strategy"
           : options.fix                       ? "--fix"
           : options.source.options.kind       ? "--from"
           : options.source.options.first_port ? "--port"
                                               : "";
}

void refuseOption(Context& context, const std::string& option, const char* expected, const std::string& file) {
    context.err << "error: " << option << ": expected " << expected << ", got " << file << '\n';
    context.exit_code = kUsage;
}

void check(Context& context, const CheckOptions& options) {
    std::string file = options.source.file;
    std::error_code ignored;
    if (const auto starter = findProject(context, file); starter && !std::filesystem::exists(file, ignored)) {
        file = starter->string();
    }
    if (file != "-" && !std::filesystem::exists(file, ignored)) {
        context.err << "error: " << file << ": expected a file or a starter project (tandem-cli templates lists them), found neither\n";
        context.exit_code = kUsage;
        return;
    }
    const auto text = readText(context, file);
    if (!text) {
        return;
    }
    if (file.ends_with(".tandem")) {
        if (const std::string option = clusterOption(options); !option.empty()) {
            refuseOption(context, option, "a TF_CONFIG, a hostfile or Slurm's variables", file);
            return;
        }
        checkProject(context, file, *text, options.settings);
        return;
    }
    if (!options.settings.empty()) {
        refuseOption(context, "--set", "a project (*.tandem)", file);
        return;
    }
    const TfConfigUse use = options.use.value_or(TfConfigUse::kAuto);
    engine::spec::ClusterTextOptions how = options.source.options;
    how.use = use;
    how.strict_json = file.ends_with(".json");
    const engine::spec::ClusterText read = readClusterText(*text, how);
    for (const engine::spec::Diagnostic& diagnostic : read.diagnostics) {
        context.out << engine::errors::withCode(toString(diagnostic)) << '\n';
        if (!options.fix) {
            continue;
        }
        if (const auto repair = repairTfConfig(read.tf_config, use, diagnostic)) {
            context.out << "  fix: " << repair->text << "\n  " << repair->tf_config << '\n';
        }
    }
    const bool is_tf_config = read.kind == engine::spec::ClusterTextKind::kTfConfig;
    if (is_tf_config && !engine::spec::checkTfConfig(read.tf_config, use).is_json_object) {
        context.exit_code = kUsage;
    } else if (hasErrors(read.diagnostics)) {
        context.exit_code = kFailed;
    } else if (!is_tf_config) {
        printCluster(context, read);
    } else if (read.diagnostics.empty()) {
        context.out << "TF_CONFIG: every rule holds\n";
    }
}

}  // namespace

void addCheck(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand(
        "check", "Check a TF_CONFIG by TensorFlow's rules, a hostfile, Slurm's variables or a project, every finding on a line");
    auto options = std::make_shared<CheckOptions>();
    addClusterSource(*verb, options->source, "FILE",
                     "a TF_CONFIG (also inside export, os.environ, ...), an MPI hostfile, Slurm's variables, - for standard input, or a "
                     "project (*.tandem, or a starter's name)")
        ->required();
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->add_flag("--fix", options->fix, "under each finding of a TF_CONFIG the text that mends it");
    static const std::map<std::string, TfConfigUse> kUses{{"multi_worker", TfConfigUse::kMultiWorker},
                                                          {"parameter_server", TfConfigUse::kParameterServer},
                                                          {"estimator", TfConfigUse::kEstimator}};
    verb->add_option_function<std::string>(
            "--strategy", [options](const std::string& name) { options->use = kUses.at(name); },
            "multi_worker, parameter_server or estimator (default: parameter_server when a ps is listed, else multi_worker)")
        ->check(CLI::IsMember(kUses));
    verb->footer("Exit codes: 0 no errors (warnings are what makes TensorFlow hang or goes unchecked there), 1 errors, 2 no JSON object.");
    verb->callback([&context, options] { check(context, *options); });
}

}  // namespace app::cli
