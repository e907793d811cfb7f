#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

#include "app/cli/verb.h"
#include "engine/spec/batch_advice.h"
#include "engine/spec/cluster_spec.h"
#include "engine/spec/dataset_names.h"
#include "engine/spec/task_plan.h"
#include "engine/spec/validate.h"

namespace app::cli {
namespace {

using engine::spec::TfConfigUse;

struct CheckOptions {
    std::string file;
    TfConfigUse use = TfConfigUse::kAuto;
};

// A project: its findings, then what its replicas make of batch, epoch and learning rate.
void checkProject(Context& context, const std::string& text) {
    engine::spec::ProjectReport report = engine::spec::parseProject(text);
    if (!hasErrors(report.diagnostics)) {
        const engine::spec::Diagnostics found = validate(report.run);
        report.diagnostics.insert(report.diagnostics.end(), found.begin(), found.end());
    }
    for (const engine::spec::Diagnostic& diagnostic : report.diagnostics) {
        context.out << toString(diagnostic) << '\n';
    }
    if (hasErrors(report.diagnostics)) {
        context.exit_code = kFailed;
        return;
    }
    const engine::spec::NamedDataset* set = engine::spec::findNamedDataset(report.run.data.dataset);
    const std::vector<engine::spec::TaskPlan> tasks = planTasks(report.run);
    const std::int64_t replicas = tasks.front().global_batch_size / report.run.data.batch_size_per_replica;
    const std::int64_t samples = set == nullptr ? 0 : set->train_samples;
    const std::int64_t steps = stepsPerEpoch(report.run, samples, static_cast<int>(tasks.size()));
    for (const std::string& line : batchAdvice(report.run, replicas, samples, steps)) {
        context.out << line << '\n';
    }
}

void check(Context& context, const CheckOptions& options) {
    std::string text;
    if (options.file == "-") {
        text.assign(std::istreambuf_iterator<char>(std::cin), {});
    } else {
        std::ifstream file(options.file, std::ios::binary);
        if (!file || std::filesystem::is_directory(options.file)) {
            context.err << "error: " << options.file << ": expected a file with a TF_CONFIG, could not read it\n";
            context.exit_code = kUsage;
            return;
        }
        text.assign(std::istreambuf_iterator<char>(file), {});
    }
    if (options.file.ends_with(".tandem")) {
        checkProject(context, text);
        return;
    }
    const engine::spec::TfConfigReport report = engine::spec::checkTfConfig(text, options.use);
    for (const engine::spec::Diagnostic& diagnostic : report.diagnostics) {
        context.out << toString(diagnostic) << '\n';
    }
    if (!report.is_json_object) {
        context.exit_code = kUsage;
    } else if (hasErrors(report.diagnostics)) {
        context.exit_code = kFailed;
    } else if (report.diagnostics.empty()) {
        context.out << "TF_CONFIG: every rule holds\n";
    }
}

}  // namespace

void addCheck(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("check", "Check a TF_CONFIG by TensorFlow's rules, or a project, every finding on a line");
    auto options = std::make_shared<CheckOptions>();
    verb->add_option("FILE", options->file, "a file that holds the TF_CONFIG, - for standard input, or a project (*.tandem)")->required();
    static const std::map<std::string, TfConfigUse> kUses{{"multi_worker", TfConfigUse::kMultiWorker},
                                                          {"parameter_server", TfConfigUse::kParameterServer},
                                                          {"estimator", TfConfigUse::kEstimator}};
    verb->add_option("--strategy", options->use, "multi_worker, parameter_server or estimator (default: parameter_server when a ps is listed, else multi_worker)")
        ->transform(CLI::CheckedTransformer(kUses));
    verb->footer("Exit codes: 0 no errors (warnings are what makes TensorFlow hang or goes unchecked there), 1 errors, 2 no JSON object.");
    verb->callback([&context, options] { check(context, *options); });
}

}  // namespace app::cli
