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
//       std::cout << reduceFirstAxis(ReduceOp::kMean, losses) << '\n';
//   }
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/custom_training/distributed_dataset.h"
#include "engine/custom_training/per_replica.h"
#include "engine/spec/project/run_spec.h"

namespace engine::custom_training {

// What a step function sees on its replica, between the forward pass and the backward pass: the outputs of the model, and room for the
// gradient of what it minimises. Lives as long as the call.
class ReplicaContext {
public:
    ReplicaContext(int replica, int replicas, const backend::CustomLossCall& call);

    int replica() const { return replica_; }
    int replicasInSync() const { return replicas_; }
    std::int64_t samples() const { return static_cast<std::int64_t>(call_.batch.indices.size()); }
    // Of sample i of this replica's part.
    std::span<const float> outputs(std::int64_t i) const { return call_.outputs.subspan(offset(i), elements_); }
    std::span<float> gradient(std::int64_t i) const { return call_.gradient.subspan(offset(i), elements_); }
    float label(std::int64_t i) const;

private:
    std::size_t offset(std::int64_t i) const { return static_cast<std::size_t>(i) * elements_; }

    const int replica_;
    const int replicas_;
    const backend::CustomLossCall& call_;
    const std::size_t elements_;  // of an output
};

// Keras' model and optimizer with a copy of every variable where the strategy wants one. Made by Strategy::Scope; one thread.
class Model {
public:
    Model(spec::RunSpec run, int threads, std::uint64_t seed);
    ~Model();
    Model(Model&&) noexcept;

    // One training step: forward, `step` on every replica at once, backward, gradients added up over the replicas, update. Throws what
    // `step` throws; the model can then train no more.
    void train(const DistributedBatch& inputs, const std::function<void(ReplicaContext&)>& step);
    // (samples, outputs) of a batch, without training.
    std::vector<float> predict(const DistributedBatch& inputs);

    // Updates done.
    std::int64_t iterations() const;
    void setLearningRate(float rate);
    // Of a variable such as "dense/kernel", as trained so far. Throws Error(kNotFound).
    std::span<const float> values(std::string_view name) const;
    // The plan that the replicas run, as text: what the strategy did. Empty before the first step.
    std::string planText() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

struct StrategyOptions {
    std::vector<std::string> devices{"CPU:0"};  // one replica each
    spec::ObjectSpec cross_device_ops{"NcclAllReduce", {}};
    int threads = 0;  // to compute with, shared by the devices; 0: the processor's cores
};

// tf.distribute.Strategy for the devices of one process. A value: copies mean the same.
class Strategy {
public:
    static Strategy oneDevice(std::string device = "CPU:0");
    static Strategy mirrored(StrategyOptions options);
    static Strategy centralStorage(StrategyOptions options);

    int replicasInSync() const { return static_cast<int>(spec_.devices.size()); }

    // strategy.scope(): models made in it belong to the strategy.
    class Scope {
    public:
        explicit Scope(const Strategy& strategy) : strategy_(strategy) {}
        // Weights as Keras initialises them, keyed by `seed`. Throws Error(kInvalidArgument) for a model, optimizer or strategy with
        // mistakes, as validate() words them.
        Model model(spec::ModelSpec model, spec::ObjectSpec optimizer, std::uint64_t seed = 0) const;

    private:
        const Strategy& strategy_;
    };
    Scope scope() const { return Scope(*this); }

    // experimental_distribute_dataset: `samples` in batches of the global size.
    DistributedDataset distribute(std::shared_ptr<const data::Samples> samples, const DatasetOptions& options) const {
        return {std::move(samples), options, replicasInSync()};
    }

    // strategy.run: one training step of `model`; `step(ReplicaContext&)` runs on every replica at once and its results come back.
    template <class Step>
    auto run(Model& model, const DistributedBatch& inputs, Step step) const {
        using Result = std::invoke_result_t<Step&, ReplicaContext&>;
        static_assert(!std::is_same_v<Result, bool>, "neighbouring bools of a vector share a byte");
        PerReplica<Result> results{std::vector<Result>(static_cast<std::size_t>(replicasInSync()))};
        model.train(inputs, [&](ReplicaContext& replica) { results.values[static_cast<std::size_t>(replica.replica())] = step(replica); });
        return results;
    }

private:
    Strategy(std::string name, StrategyOptions options);

    spec::StrategySpec spec_;
    int threads_;
};

// Losses of the samples of a replica, one a sample. Adds scale * (sum of them) to what is minimised: with 1 / global batch that is the
// global batch's mean, whatever the replicas' parts.
//   mean squared error:   mean over the outputs of (output - label)^2; the label counts for every output
//   softmax cross-entropy: log(sum(exp(outputs))) - outputs[label]; the label is a class. Throws Error(kOutOfRange) for one that is none
std::vector<float> meanSquaredError(ReplicaContext& replica, float scale);
std::vector<float> sparseSoftmaxCrossEntropy(ReplicaContext& replica, float scale);

}  // namespace engine::custom_training
