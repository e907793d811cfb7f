#include "engine/sweep/sweep_settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "engine/spec/catalog/monitor_direction.h"
#include "engine/spec/cluster/host_share.h"
#include "engine/spec/error.h"
#include "engine/spec/names.h"
#include "engine/spec/project/logged_metrics.h"
#include "engine/spec/validate/validate.h"

namespace engine::sweep {
namespace {

using spec::Diagnostics;
using spec::Severity;

void add(Diagnostics& found, const std::string& path, const std::string& message) {
    found.push_back({Severity::kError, path, message, ""});
}

void requireRange(Diagnostics& found, const char* name, std::int64_t value, std::int64_t least, std::int64_t most) {
    if (value >= least && value <= most) return;
    add(found, name, "expected " + std::to_string(least) + " to " + std::to_string(most) + ", got " + std::to_string(value));
}

// What the value changes for the worse.
void tryValue(Diagnostics& found, const spec::RunSpec& project, const Diagnostics& before, const std::string& path,
              const std::string& value) {
    spec::RunSpec tried = project;
    Diagnostics after = spec::applySetting(tried, path + "=" + value);
    if (!hasErrors(after)) after = validate(tried);
    for (const spec::Diagnostic& one : after) {
        if (one.severity != Severity::kError || std::find(before.begin(), before.end(), one) != before.end()) continue;
        add(found, path, "with the value " + value + ": " + (one.path == path || one.path.empty() ? "" : one.path + ": ") + one.message);
        return;
    }
}

std::vector<std::string> triedValues(const SweepField& field) {
    return field.kind == SweepField::Kind::kChoice ? field.choices : std::vector{valueAt(field, 0), valueAt(field, 1)};
}

void checkFields(Diagnostics& found, const SweepSettings& settings, const spec::RunSpec& project) {
    const Diagnostics before = validate(project);
    std::vector<std::string> paths;
    for (const SweepField& field : settings.fields) {
        if (const std::string problem = fieldProblem(field); !problem.empty()) {
            const std::size_t colon = problem.find(": ");
            add(found, problem.substr(0, colon), problem.substr(colon + 2));
            continue;
        }
        if (std::find(paths.begin(), paths.end(), field.path) != paths.end())
            add(found, field.path, "expected each field once, got it twice");
        paths.push_back(field.path);
        if (field.path == "fit.seed" && settings.seeds > 1) {
            add(found, field.path,
                "expected one run a configuration where the seed is a field, got seeds " + std::to_string(settings.seeds));
        }
        if (field.path == "fit.epochs" && settings.method == Method::kAsha) {
            add(found, field.path, "expected another field: asha says how many epochs a run trains");
        }
        if (field.path == "fit.epochs" && settings.max_epochs > 0) {
            add(found, field.path, "expected another field beside max_epochs, which says how many epochs a run trains");
        }
        for (const std::string& value : triedValues(field)) tryValue(found, project, before, field.path, value);
    }
}

// What a run of the project has told of by the end of its first rung.
std::set<std::string> logsOf(const SweepSettings& settings, const spec::RunSpec& project) {
    std::set<std::string> names = spec::monitoredNames(project);
    const std::vector<std::int64_t>& listed = project.fit.validation_epochs;
    const std::int64_t first = listed.empty() ? project.fit.validation_freq : *std::min_element(listed.begin(), listed.end());
    if (project.fit.steps == 0 && first > rungsOf(settings, longestOf(settings, project)).front()) {
        std::erase_if(names, [](const std::string& name) { return name.starts_with("val_"); });
    }
    return names;
}

// A project as some values make it, and these values in words.
struct Variant {
    spec::RunSpec project;
    std::string values{};
};

// The project with each combination of those values that change what it logs; itself where none does. Empty for more combinations than
// are worth trying: a trial says itself what it lacks.
std::vector<Variant> variantsOf(const SweepSettings& settings, const spec::RunSpec& project) {
    constexpr std::size_t kMost = 64;
    std::vector<Variant> variants{{project}};
    for (const SweepField& field : settings.fields) {
        const std::vector<std::string> values = triedValues(field);
        const auto with = [&](spec::RunSpec run, const std::string& value) {
            static_cast<void>(spec::applySetting(run, field.path + "=" + value));
            return run;
        };
        const bool changes_logs = std::any_of(values.begin(), values.end(), [&](const std::string& value) {
            return logsOf(settings, with(project, value)) != logsOf(settings, project);
        });
        if (!changes_logs) continue;
        if (variants.size() * values.size() > kMost) return {};
        std::vector<Variant> more;
        for (const Variant& variant : variants) {
            for (const std::string& value : values) {
                more.push_back(
                    {with(variant.project, value), variant.values + (variant.values.empty() ? "" : ", ") + field.path + "=" + value});
            }
        }
        variants = std::move(more);
    }
    return variants;
}

void checkObjective(Diagnostics& found, const SweepSettings& settings, const spec::RunSpec& project) {
    for (const Variant& variant : variantsOf(settings, project)) {
        const std::set<std::string> logs = logsOf(settings, variant.project);
        if (logs.contains(settings.objective.log)) continue;
        add(found, "objective",
            (variant.values.empty() ? "" : "with " + variant.values + ": ") + "expected " +
                spec::oneOf(std::vector<std::string>(logs.begin(), logs.end())) + ", got " + settings.objective.log);
        return;
    }
}

}  // namespace

std::string_view toString(Method method) {
    constexpr std::array<std::string_view, 3> kNames{"grid", "random", "asha"};
    return kNames[static_cast<std::size_t>(method)];
}

Objective objectiveOf(const std::string& log) {
    return {log, spec::betterDirection(log).value_or(spec::Direction::kRising) == spec::Direction::kRising};
}

std::int64_t longestOf(const SweepSettings& settings, const spec::RunSpec& project) {
    return settings.max_epochs > 0 ? settings.max_epochs : std::max<std::int64_t>(1, project.fit.epochs);
}

std::vector<std::int64_t> rungsOf(const SweepSettings& settings, std::int64_t longest) {
    std::vector<std::int64_t> rungs{longest};
    double epochs = static_cast<double>(longest);
    while (settings.method == Method::kAsha) {
        epochs /= settings.reduction;
        const std::int64_t rounded = std::llround(epochs);
        if (epochs < static_cast<double>(settings.min_epochs) - 1e-9 || rounded >= rungs.front()) break;
        rungs.insert(rungs.begin(), rounded);
    }
    return rungs;
}

int gridSize(const std::vector<SweepField>& fields) {
    std::int64_t size = 1;
    for (const SweepField& field : fields) {
        size = std::min<std::int64_t>(size * static_cast<std::int64_t>(gridValues(field).size()), kMostTrials + 1);
        if (size == 0) return 0;
    }
    return static_cast<int>(size);
}

Diagnostics checkSweep(const SweepSettings& settings, const spec::RunSpec& project) {
    Diagnostics found;
    requireRange(found, "trials", settings.trials, 0, kMostTrials);
    requireRange(found, "seeds", settings.seeds, 1, kMostSeeds);
    requireRange(found, "at_once", settings.at_once, 1, kMostAtOnce);
    if (settings.method == Method::kAsha) {
        requireRange(found, "reduction", settings.reduction, 2, kMostReduction);
        requireRange(found, "min_epochs", settings.min_epochs, 1, longestOf(settings, project));
        if (project.fit.steps > 0) add(found, "fit.steps", "expected 0: asha counts epochs, got " + std::to_string(project.fit.steps));
    }
    if (settings.max_epochs < 0) add(found, "max_epochs", "expected 0 or more, got " + std::to_string(settings.max_epochs));
    if (project.estimator) add(found, "estimator", "expected a project that fit() trains, got one of an estimator");
    if (settings.objective.log.empty()) add(found, "objective", "expected a log of an epoch's end such as val_accuracy, got none");
    if (settings.fields.empty()) add(found, "fields", "expected a field to vary, got none");
    checkFields(found, settings, project);
    if (!hasErrors(found)) checkObjective(found, settings, project);
    if (!hasErrors(found)) {
        const int size = gridSize(settings.fields);
        if (settings.trials == 0 || settings.method == Method::kGrid) {
            for (const SweepField& field : settings.fields) {
                if (size > 0 || !gridValues(field).empty()) continue;
                add(found, field.path,
                    settings.method == Method::kGrid
                        ? "expected a number of points for a grid, such as " + valuesText(field) + ":4, got none"
                        : "expected trials, or points as in " + valuesText(field) + ":4, got neither");
            }
            if (size > kMostTrials) add(found, "fields", "expected at most " + std::to_string(kMostTrials) + " configurations, got more");
        }
    }
    const Place& place = settings.place;
    requireRange(found, "workers", place.workers, 0, kMostAtOnce);
    requireRange(found, "servers", place.servers, 0, kMostAtOnce);
    if (place.servers > 0 && place.workers == 0 && place.hosts.empty())
        add(found, "servers", "expected workers or hosts beside it, got neither");
    if (!place.hosts.empty()) {
        if (place.workers > 0) add(found, "workers", "expected 0 beside hosts, which say it, got " + std::to_string(place.workers));
        try {
            std::vector<spec::HostShare> shares = spec::parseHostShares(place.hosts);
            if (!place.spread) spec::dealServers(shares, place.servers);
            if (place.spread && place.servers > 0)
                add(found, "servers", "expected 0 where each run has one host, got " + std::to_string(place.servers));
        } catch (const Error& error) {
            add(found, "hosts", error.what());
        }
    } else if (place.spread) {
        add(found, "spread", "expected hosts beside it, got none");
    }
    if (place.slurm && (place.workers > 0 || place.servers > 0 || !place.hosts.empty())) {
        add(found, "slurm", "expected no workers, servers and hosts beside it, which it says itself, got some");
    }
    return found;
}

}  // namespace engine::sweep
