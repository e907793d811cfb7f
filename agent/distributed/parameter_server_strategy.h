// tf.distribute.ParameterServerStrategy for a program of one's own: the variables of the model live on ps tasks, workers compute by
// themselves, the chief coordinates them. cluster_coordinator.h shows a whole program.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "agent/distributed/cluster_options.h"
#include "engine/custom_training/strategy.h"

namespace agent::distributed {

class ServedCluster;

struct ParameterServerOptions {
    ClusterOptions cluster{};
    int threads = 0;  // of a worker, to compute with; 0: the cores, shared by the cluster's tasks
    // FixedShardsPartitioner, MinSizePartitioner or MaxSizePartitioner; no class: variables stay whole.
    engine::spec::ObjectSpec variable_partitioner{};
    std::optional<std::int64_t> max_staleness{};  // updates of others that a step may not know of; nothing: no bound, as in TensorFlow
};

// A value, as Strategy is. The same program runs on every task of a cluster with one chief, workers and ps, and makes one model in the
// strategy's scope: on the chief that gives the servers their values, on the others it waits for nobody. replicasInSync() is 1: a worker's
// batch is its own, and `distribute()` on a worker gives that worker all of each batch.
class ParameterServerStrategy : public engine::custom_training::Strategy {
public:
    // Reads TF_CONFIG and opens nothing. Throws Error(kInvalidArgument) for one with mistakes, without chief, worker or ps, and for a task
    // that is none of these.
    explicit ParameterServerStrategy(const ParameterServerOptions& options = {});

    const engine::spec::TaskId& task() const;
    // This task is a worker or a ps: its program ends in ClusterCoordinator::serve().
    bool isServer() const;

private:
    friend class ClusterCoordinator;
    explicit ParameterServerStrategy(std::shared_ptr<ServedCluster> cluster, const ParameterServerOptions& options);

    std::shared_ptr<ServedCluster> cluster_;
};

}  // namespace agent::distributed
