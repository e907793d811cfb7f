#include "engine/sweep/sweep_project.h"

#include <algorithm>
#include <cstdio>

#include "engine/spec/error.h"
#include "engine/spec/validate/validate.h"

namespace engine::sweep {
namespace {

constexpr const char* kBackup = "BackupAndRestore";

void requireNoErrors(const spec::Diagnostics& found) {
    for (const spec::Diagnostic& one : found) {
        if (one.severity == spec::Severity::kError) {
            throw Error(ErrorCode::kInvalidArgument, (one.path.empty() ? "" : one.path + ": ") + one.message);
        }
    }
}

void keepBackup(spec::RunSpec& run, bool behind_the_end) {
    const auto is_backup = [](const spec::ObjectSpec& callback) { return callback.class_name == kBackup; };
    auto backup = std::find_if(run.callbacks.begin(), run.callbacks.end(), is_backup);
    if (backup == run.callbacks.end()) backup = run.callbacks.insert(backup, {kBackup, {}});
    if (behind_the_end) backup->config.set("delete_checkpoint", false);
}

}  // namespace

std::string shortPath(const std::string& path) {
    std::string text = path;
    for (const char* skipped : {"compile.", "model.", ".config"}) {
        const std::string part = skipped;
        if (part.front() == '.') {
            for (std::size_t at = text.find(part + "."); at != std::string::npos; at = text.find(part + ".")) text.erase(at, part.size());
        } else if (text.starts_with(part)) {
            text.erase(0, part.size());
        }
    }
    return text;
}

std::string labelOf(const std::vector<SweepField>& fields, const Configuration& configuration) {
    std::string text;
    for (std::size_t i = 0; i < fields.size() && i < configuration.size(); ++i) {
        text += (text.empty() ? "" : ", ") + shortPath(fields[i].path) + " " + configuration[i];
    }
    return text;
}

spec::RunSpec trialProject(const spec::RunSpec& project, const Sweep& sweep, const Job& job) {
    spec::RunSpec run = project;
    const SweepSettings& settings = sweep.settings();
    const Trial& trial = sweep.trials()[static_cast<std::size_t>(job.trial)];
    for (std::size_t i = 0; i < settings.fields.size(); ++i) {
        requireNoErrors(spec::applySetting(run, settings.fields[i].path + "=" + trial.configuration[i]));
    }
    const bool is_asha = settings.method == Method::kAsha;
    if (is_asha || settings.max_epochs > 0) run.fit.epochs = job.epochs;
    run.fit.seed += job.seed;
    run.name = "Sweep " + std::to_string(job.trial + 1) + ": " + labelOf(settings.fields, trial.configuration);
    keepBackup(run, is_asha);
    requireNoErrors(validate(run));
    return run;
}

std::string trialFolder(const Sweep& sweep, const Job& job) {
    char number[16];
    std::snprintf(number, sizeof number, "%03d", job.trial + 1);
    const bool has_own = sweep.settings().place.slurm && job.rung > 0;
    return "trials/" + std::string(number) + (sweep.settings().seeds > 1 ? "-seed-" + std::to_string(job.seed) : "") +
           (has_own ? "-rung-" + std::to_string(job.rung + 1) : "");
}

}  // namespace engine::sweep
