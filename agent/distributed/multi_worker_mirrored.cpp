#include "agent/distributed/multi_worker_mirrored.h"

#include <utility>

#include "agent/distributed/users_secret.h"
#include "agent/transport/grpc_transport.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/strategy_table.h"

namespace agent::distributed {

namespace custom = engine::custom_training;
namespace spec = engine::spec;

namespace {

custom::Peers peersOf(const MultiWorkerOptions& options) {
    const ClusterOptions& cluster = options.cluster;
    custom::Peers peers;
    peers.config = readTfConfig(cluster, spec::TfConfigUse::kMultiWorker);
    spec::RunSpec run;
    run.strategy.name = spec::strategyName(spec::StrategyKind::kMultiWorkerMirrored);
    const spec::TaskPlan plan = spec::planTask(run, peers.config);
    if (plan.replicas < 2) {
        if (spec::isEvaluator(plan)) peers.config = {};  // it trains with nobody
        return peers;
    }
    worker::ConnectOptions connect;
    connect.start_timeout = cluster.start_timeout;
    connect.lost_after = cluster.lost_after;
    connect.operation_deadline = options.operation_deadline;
    connect.threads = threadsFor(peers.config.cluster, options.threads);
    worker::ConnectCallbacks callbacks;
    callbacks.on_log = cluster.log;
    callbacks.is_cancelled = cluster.is_cancelled;
    if (cluster.log) {
        callbacks.on_listening = [&] { cluster.log("listening at " + plan.address); };
        callbacks.on_waiting = [&](const std::string& text, const std::vector<spec::TaskId>&) { cluster.log(text); };
    }
    peers.workers = worker::connectCollective(plan, peers.config, cluster.transport, usersSecret(), connect, callbacks);
    return peers;
}

custom::StrategyOptions strategyOptions(const MultiWorkerOptions& options, const custom::Peers& peers) {
    return {.devices = options.devices, .threads = threadsFor(peers.config.cluster, options.threads)};
}

custom::Strategy strategyOf(const MultiWorkerOptions& options) {
    custom::Peers peers = peersOf(options);
    custom::StrategyOptions settings = strategyOptions(options, peers);
    return custom::Strategy::multiWorkerMirrored(std::move(peers), std::move(settings));
}

}  // namespace

MultiWorkerMirroredStrategy::MultiWorkerMirroredStrategy(const MultiWorkerOptions& options) : Strategy(strategyOf(options)) {}

std::string MultiWorkerMirroredStrategy::describe() const {
    return peers().workers ? peers().workers->describe() : "";
}

}  // namespace agent::distributed
