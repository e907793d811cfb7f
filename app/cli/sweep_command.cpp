#include "app/cli/sweep_command.h"

#include <algorithm>
#include <cstddef>

#include "engine/launch/shell_text.h"
#include "engine/spec/cluster/host_share.h"

namespace app::cli {
namespace {

namespace sweep = engine::sweep;

std::string shellQuoted(const std::string& word) {
    constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.=-+/:,";
    const bool is_plain = !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
    return is_plain ? word : engine::launch::singleQuoted(word);
}

std::string option(const std::string& name, const std::string& value) {
    return " --" + name + " " + shellQuoted(value);
}
std::string option(const std::string& name, int value) {
    return value > 0 ? option(name, std::to_string(value)) : "";
}
std::string optionUnlessEmpty(const std::string& name, const std::string& value) {
    return value.empty() ? "" : option(name, value);
}

std::string slurmOptions(const sweep::SlurmJob& job, const SweepOrigin& origin) {
    std::string text = " --slurm" + option("nodes", job.nodes);
    if (job.tasks_per_node != 1) text += option("tasks-per-node", job.tasks_per_node);
    text += option("cpus-per-task", job.cpus_per_task) + option("gpus-per-task", job.gpus_per_task);
    text += optionUnlessEmpty("memory", job.memory) + optionUnlessEmpty("time", job.time) + optionUnlessEmpty("partition", job.partition);
    return text + (origin.programs ? option("programs", *origin.programs) : "");
}

// Of runs that have a host each, the share of the one where the trial's first run was.
std::string hostsText(const sweep::Place& place, const sweep::Trial& trial) {
    if (!place.spread || trial.runs.empty()) return place.hosts;
    const std::string& host = trial.runs.front().host;
    for (const engine::spec::HostShare& share : engine::spec::parseHostShares(place.hosts)) {
        if (share.host == host && share.workers != 1) return host + ":" + std::to_string(share.workers);
    }
    return host;
}

std::string placeOptions(const sweep::Place& place, const sweep::Trial& trial) {
    return option("workers", place.workers) + optionUnlessEmpty("hosts", hostsText(place, trial)) + option("servers", place.servers);
}

}  // namespace

std::string commandOf(const sweep::Sweep& sweep, int trial, const SweepOrigin& origin) {
    const sweep::SweepSettings& settings = sweep.settings();
    const sweep::Trial& one = sweep.trials()[static_cast<std::size_t>(trial)];
    std::string text = std::string("tandem-cli ") + (settings.place.slurm ? "submit " : "train ") + shellQuoted(origin.project);
    for (const std::string& setting : origin.settings) text += option("set", setting);
    for (std::size_t i = 0; i < settings.fields.size(); ++i) text += option("set", settings.fields[i].path + "=" + one.configuration[i]);
    // The project's own epochs stay where the sweep does not say how many a run trains (engine/sweep/sweep_project.h).
    if (settings.method == sweep::Method::kAsha || settings.max_epochs > 0) {
        const std::size_t rung = std::max<std::size_t>(one.values.size(), 1) - 1;
        text += option("set", "fit.epochs=" + std::to_string(sweep.rungs()[rung]));
    }
    return text + (settings.place.slurm ? slurmOptions(*settings.place.slurm, origin) : placeOptions(settings.place, one));
}

}  // namespace app::cli
