// A training loop of the program's own, as tf.distribute has it: the header to read first of this folder.
//
//   const Strategy strategy = Strategy::mirrored({.devices = {"CPU:0", "CPU:1"}});
//   const std::int64_t global_batch = 5 * strategy.replicasInSync();
//   Model model = strategy.scope().model(model_spec, {"SGD", {{"learning_rate", 0.1}}});
//   const DistributedDataset data = strategy.distribute(samples, {.global_batch = global_batch});
//   for (const DistributedBatch& inputs : data) {
//       const auto losses = strategy.run(model, inputs, [&](ReplicaContext& replica) {
//           return meanSquaredError(replica, 1.0F / global_batch);
//       });
//       std::cout << strategy.reduceFirstAxis(ReduceOp::kMean, losses) << '\n';
//   }
//
// The same loop runs on several workers with agent/distributed/multi_worker_mirrored.h, which makes the strategy from TF_CONFIG; with
// parameter servers its body is a function that agent/distributed/cluster_coordinator.h schedules.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/custom_training/distributed_dataset.h"
#include "engine/custom_training/model.h"
#include "engine/custom_training/peers.h"
#include "engine/custom_training/per_replica.h"
#include "engine/spec/project/run_spec.h"

namespace engine::custom_training {

struct StrategyOptions {
    std::vector<std::string> devices{"CPU:0"};  // one replica each; of several workers of each
    spec::ObjectSpec cross_device_ops{"NcclAllReduce", {}};
    int threads = 0;  // to compute with, shared by the devices; 0: the processor's cores
    // For parameter servers: a FixedShardsPartitioner, MinSizePartitioner or MaxSizePartitioner, where no class leaves variables whole; and
    // how many updates of others a step may not know of, where nothing sets no bound.
    spec::ObjectSpec variable_partitioner{};
    std::optional<std::int64_t> max_staleness{};
};

// tf.distribute.Strategy. A value: copies mean the same. One thread uses it with its models.
class Strategy {
public:
    static Strategy oneDevice(std::string device = "CPU:0");
    static Strategy mirrored(StrategyOptions options);
    static Strategy centralStorage(StrategyOptions options);
    // Trains over peers.workers together, each with as many devices. The maker of the peers says whose worker this is.
    static Strategy multiWorkerMirrored(Peers peers, StrategyOptions options);
    // The variables live on peers.servers. A worker's step waits for no other: each is a replica alone.
    static Strategy parameterServer(Peers peers, StrategyOptions options);

    int replicasInSync() const { return replicas_.all; }  // of all workers
    int localReplicas() const { return replicas_.here; }  // of this process
    int workers() const { return replicas_.all / replicas_.here; }
    int worker() const { return replicas_.first / replicas_.here; }
    // The one who writes what is written once: the only worker, the first of several, the coordinator.
    bool isChief() const;

    // strategy.scope(): models made in it belong to the strategy.
    class Scope {
    public:
        explicit Scope(const Strategy& strategy) : strategy_(strategy) {}
        // Weights as Keras initialises them, keyed by `seed`; of several workers the chief's. Throws Error(kInvalidArgument) for a model,
        // optimizer or strategy with mistakes, as validate() words them, and as Model's constructor does.
        Model model(spec::ModelSpec model, spec::ObjectSpec optimizer, std::uint64_t seed = 0) const;

    private:
        const Strategy& strategy_;
    };
    Scope scope() const { return Scope(*this); }

    // experimental_distribute_dataset: deals `samples` in batches of the global size. Every worker names the same samples and options, and
    // takes its part of each batch. With parameter servers the batch is one worker's.
    DistributedDataset distribute(std::shared_ptr<const data::Samples> samples, const DatasetOptions& options) const {
        return {std::move(samples), options, replicas_};
    }

    // strategy.run: one training step of `model`; `step(ReplicaContext&)` runs on every replica of this process at once and its results
    // come back. With several workers each calls it. Throws as Model::train().
    template <class Step>
    auto run(Model& model, const DistributedBatch& inputs, Step step) const {
        using Result = std::invoke_result_t<Step&, ReplicaContext&>;
        static_assert(!std::is_same_v<Result, bool>, "neighbouring bools of a vector share a byte");
        PerReplica<Result> results{std::vector<Result>(static_cast<std::size_t>(localReplicas()))};
        model.train(inputs,
                    [&](ReplicaContext& replica) { results.values[static_cast<std::size_t>(replica.localReplica())] = step(replica); });
        return results;
    }

    // strategy.reduce(op, value, axis): the functions of per_replica.h, over the replicas of all workers. With several workers each calls
    // it, in the same order among its steps, and all get the same; it is for small values such as losses. Throws as those functions, on
    // every worker, and as Model::train() when a worker is lost.
    float reduce(ReduceOp op, const PerReplica<float>& values) const;
    std::vector<float> reduce(ReduceOp op, const PerReplica<std::vector<float>>& values) const;
    float reduceFirstAxis(ReduceOp op, const PerReplica<std::vector<float>>& values) const;

protected:
    const Peers& peers() const { return peers_; }

private:
    Strategy(std::string name, StrategyOptions options, Peers peers);
    // Returns `own` of every worker in order; with one worker nothing is exchanged.
    template <class T>
    std::vector<T> gather(std::span<const T> own) const;

    spec::StrategySpec spec_;
    int threads_;
    ReplicaRange replicas_;
    Peers peers_;
};

// Losses of the samples of a replica, one a sample. Adds scale * (sum of them) to what is minimised: with 1 / global batch that is the
// global batch's mean, whatever the replicas' parts.
//   mean squared error:   mean over the outputs of (output - label)^2; the label counts for every output
//   softmax cross-entropy: log(sum(exp(outputs))) - outputs[label]; the label is a class. Throws Error(kOutOfRange) for one that is none
std::vector<float> meanSquaredError(ReplicaContext& replica, float scale);
std::vector<float> sparseSoftmaxCrossEntropy(ReplicaContext& replica, float scale);

}  // namespace engine::custom_training
