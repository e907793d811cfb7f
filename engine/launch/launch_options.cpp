#include "engine/launch/launch_options.h"

#include <algorithm>

#include "engine/spec/cluster/host_share.h"
#include "engine/spec/error.h"
#include "engine/spec/validate/validate.h"

namespace engine::launch {
namespace {

void requireNoErrors(const spec::Diagnostics& found) {
    const auto error = std::find_if(found.begin(), found.end(), [](const auto& one) { return one.severity == spec::Severity::kError; });
    if (error == found.end()) return;
    throw Error(ErrorCode::kInvalidArgument, (error->path.empty() ? "--set" : error->path) + ": " + error->message);
}

}  // namespace

int usualNodes(const spec::ClusterSpec& cluster) {
    int tasks = 0;
    for (const spec::Job& job : cluster.jobs) tasks += static_cast<int>(job.tasks.size());
    return tasks > 1 ? tasks : 2;
}

LaunchJob jobOf(const LaunchOptions& options, const spec::RunSpec& run) {
    LaunchJob job = options.job;
    job.nodes = options.nodes.value_or(usualNodes(run.cluster.spec));
    const auto seed = std::find_if(options.settings.begin(), options.settings.end(),
                                   [](const std::string& setting) { return setting.starts_with("fit.seed="); });
    if (job.seeds > 1 && seed != options.settings.end()) {
        throw Error(ErrorCode::kInvalidArgument,
                    "--seeds: expected no setting of fit.seed beside it, which gives each run a seed of its own, got " + *seed);
    }
    if (options.hosts) job.hosts = spec::parseHostShares(*options.hosts);
    return job;
}

spec::RunSpec withSettings(spec::RunSpec run, const std::vector<std::string>& settings) {
    for (const std::string& setting : settings) requireNoErrors(spec::applySetting(run, setting));
    if (!settings.empty()) requireNoErrors(spec::validate(run));
    return run;
}

void takeProjectFile(LaunchJob& job, const std::filesystem::path& file) {
    job.project = std::filesystem::absolute(file).lexically_normal().string();
    job.name = file.stem().string();
}

}  // namespace engine::launch
