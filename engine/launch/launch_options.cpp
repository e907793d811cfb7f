#include "engine/launch/launch_options.h"

#include "engine/spec/cluster/host_share.h"

namespace engine::launch {

int usualNodes(const spec::ClusterSpec& cluster) {
    int tasks = 0;
    for (const spec::Job& job : cluster.jobs) tasks += static_cast<int>(job.tasks.size());
    return tasks > 1 ? tasks : 2;
}

LaunchJob jobOf(const LaunchOptions& options, const spec::RunSpec& run) {
    LaunchJob job = options.job;
    job.nodes = options.nodes.value_or(usualNodes(run.cluster.spec));
    if (options.hosts) job.hosts = spec::parseHostShares(*options.hosts);
    return job;
}

void takeProjectFile(LaunchJob& job, const std::filesystem::path& file) {
    job.project = std::filesystem::absolute(file).lexically_normal().string();
    job.name = file.stem().string();
}

}  // namespace engine::launch
