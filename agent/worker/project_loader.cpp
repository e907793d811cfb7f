#include "agent/worker/project_loader.h"

#include <algorithm>
#include <ostream>

#include "agent/local/setting_files.h"
#include "engine/errors/error_catalog.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/spec/validate/validate.h"
#include "engine/thread/usable_cores.h"

namespace agent::worker {

namespace spec = engine::spec;

namespace {

constexpr std::uint64_t kMostProjectBytes = std::uint64_t{64} << 20;  // more is no project of a person

// True when none of them is an error.
bool tell(const std::string& name, const spec::Diagnostics& diagnostics, std::ostream& errors) {
    for (const spec::Diagnostic& diagnostic : diagnostics) {
        errors << name << ": " << engine::errors::withCode(spec::toString(diagnostic)) << '\n';
    }
    return !spec::hasErrors(diagnostics);
}

std::string hostOf(const std::string& address) {
    const auto parsed = spec::parseHostPort(address);
    if (!parsed || parsed->host.empty() || parsed->host == "127.0.0.1" || parsed->host == "[::1]" || parsed->host == "::1") {
        return "localhost";
    }
    return parsed->host;
}

bool applyTfConfig(LoadedProject& project, std::string_view tf_config, std::ostream& errors) {
    if (tf_config.empty()) {
        if (project.run.cluster.spec.trainingTasks().size() < 2 && project.run.cluster.spec.taskCount("ps") == 0) {
            project.run.cluster.spec = {};
            return true;
        }
        errors
            << "error: the project's cluster has " << project.run.cluster.spec.trainingTasks().size()
            << " tasks, expected TF_CONFIG in the environment, or --job_name and --task_index, to say which one this is (tandem-cli export "
               "tf-config writes it)\n";
        return false;
    }
    const spec::StrategyRow* strategy = spec::findStrategy(project.run.strategy.name);
    const bool is_clustered = strategy != nullptr && strategy->is_clustered;
    spec::TfConfigReport report =
        spec::checkTfConfig(tf_config, is_clustered ? spec::tfConfigUse(project.run.strategy.name) : spec::TfConfigUse::kAuto);
    if (!tell("TF_CONFIG", report.diagnostics, errors) || !report.is_json_object) {
        if (!spec::hasErrors(report.diagnostics)) {
            errors << "TF_CONFIG: error: expected a JSON object\n";
        }
        return false;
    }
    // As in TensorFlow, one worker that trains with the devices of its computer needs no cluster.
    const std::vector<spec::TaskId> tasks = report.config.cluster.trainingTasks();
    const bool has_servers = report.config.cluster.taskCount("ps") > 0;
    if (!has_servers && tasks.size() == 1 && report.config.task == tasks.front() && !is_clustered) {
        project.run.cluster.spec = {};
        return true;
    }
    project.config = std::move(report.config);
    project.run.cluster.spec = project.config.cluster;
    if (!is_clustered && (has_servers || project.config.cluster.trainingTasks().size() > 1)) {
        const std::string taken =
            spec::strategyName(has_servers ? spec::StrategyKind::kParameterServer : spec::StrategyKind::kMultiWorkerMirrored);
        errors << "TF_CONFIG has " << project.config.cluster.trainingTasks().size()
               << (has_servers ? " training tasks and a ps: " : " tasks: ") << taken << " takes the place of " << project.run.strategy.name
               << '\n';
        project.run.strategy.name = taken;
    }
    return true;
}

// False when there are errors; what is only information is not told.
bool isValid(const spec::RunSpec& run, const std::filesystem::path& file, std::ostream& errors) {
    spec::Diagnostics found = spec::validate(run);
    std::erase_if(found, [](const spec::Diagnostic& diagnostic) { return diagnostic.severity == spec::Severity::kInfo; });
    return tell(file.string(), found, errors);
}

// The project with its settings, not validated.
std::optional<spec::RunSpec> readRun(const std::filesystem::path& file, const std::vector<std::string>& settings, std::ostream& errors) {
    std::string text;
    try {
        text = engine::files::readWhole(file, kMostProjectBytes);
    } catch (const engine::Error& error) {
        errors << "error: " << error.what() << '\n';
        return std::nullopt;
    }
    spec::ProjectReport report = spec::parseProject(text);
    if (!tell(file.string(), report.diagnostics, errors)) {
        return std::nullopt;
    }
    for (const std::string& setting : settings) {
        if (!tell("--set " + setting, convert::applySettingIn(std::filesystem::current_path(), report.run, setting), errors)) {
            return std::nullopt;
        }
    }
    return std::move(report.run);
}

}  // namespace

std::optional<LoadedProject> loadProject(const std::filesystem::path& file, const std::vector<std::string>& settings,
                                         const TaskSource& source, std::ostream& errors) {
    std::optional<spec::RunSpec> run = readRun(file, settings, errors);
    if (!run) {
        return std::nullopt;
    }
    LoadedProject project{std::move(*run), {}};
    std::string tf_config(source.tf_config);
    try {
        if (source.flags != spec::TaskFlags()) tf_config = spec::tfConfigOf(source.flags, project.run.cluster.spec);
        if (source.ranked != spec::RankedTask()) tf_config = spec::tfConfigOf(source.ranked, project.run.cluster.spec);
    } catch (const engine::Error& error) {
        errors << "error: " << error.what() << '\n';
        return std::nullopt;
    }
    if (!applyTfConfig(project, tf_config, errors)) {
        return std::nullopt;
    }
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    if (std::string& weights = project.run.fit.initial_weights; !weights.empty()) {
        weights = (folder / weights).lexically_normal().string();  // an absolute name stays absolute
    }
    if (!isValid(project.run, file, errors)) {
        return std::nullopt;
    }
    return project;
}

void requireValid(const spec::RunSpec& run) {
    std::string lines;
    for (const spec::Diagnostic& one : spec::validate(run)) {
        lines += one.severity == spec::Severity::kError ? (lines.empty() ? "" : "\n") + one.path + ": " + one.message : "";
    }
    if (!lines.empty()) {
        throw engine::Error(engine::ErrorCode::kInvalidArgument, lines);
    }
}

spec::RunSpec modelAlone(const spec::EngineQuestion& question) {
    spec::RunSpec run = spec::withoutCluster(question.run);
    if (std::string& weights = run.fit.initial_weights; !weights.empty()) {
        weights = (std::filesystem::path(question.base_dir) / weights).lexically_normal().string();  // an absolute name stays absolute
    }
    requireValid(run);
    return run;
}

int threadsPerTask(const spec::RunSpec& run, const std::string& own_address, int granted) {
    if (run.cluster.threads_per_task > 0) {
        return static_cast<int>(run.cluster.threads_per_task);
    }
    const int cores = engine::usableCores();
    if (granted > 0) return std::min(granted, cores);
    int tasks_here = 0;
    for (const spec::Job& job : run.cluster.spec.jobs) {
        for (const auto& [index, address] : job.tasks) {
            tasks_here += hostOf(address) == hostOf(own_address) ? 1 : 0;
        }
    }
    return std::max(1, cores / std::max(1, tasks_here));
}

}  // namespace agent::worker
