#include "agent/distributed/parameter_server_strategy.h"

#include "agent/distributed/served_cluster.h"

namespace agent::distributed {

namespace custom = engine::custom_training;

ParameterServerStrategy::ParameterServerStrategy(const ParameterServerOptions& options)
    : ParameterServerStrategy(std::make_shared<ServedCluster>(options.cluster, options.max_staleness), options) {}

ParameterServerStrategy::ParameterServerStrategy(std::shared_ptr<ServedCluster> cluster, const ParameterServerOptions& options)
    : Strategy(custom::Strategy::parameterServer({.config = cluster->config(), .servers = cluster},
                                                 {.threads = threadsFor(cluster->config().cluster, options.threads),
                                                  .variable_partitioner = options.variable_partitioner,
                                                  .max_staleness = options.max_staleness})),
      cluster_(std::move(cluster)) {}

const engine::spec::TaskId& ParameterServerStrategy::task() const {
    return cluster_->task();
}

bool ParameterServerStrategy::isServer() const {
    return cluster_->role() != custom::ParameterServers::Role::kCoordinator;
}

}  // namespace agent::distributed
