// A model in the scope of a strategy, and what a step function sees of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/custom_training/distributed_dataset.h"
#include "engine/custom_training/peers.h"
#include "engine/spec/project/run_spec.h"

namespace engine::custom_training {

// What a step function sees on its replica, between the forward pass and the backward pass: the outputs of the model, and room for the
// gradient of what it minimises. Lives as long as the call.
class ReplicaContext {
public:
    // `local` counts the replicas of this process.
    ReplicaContext(int local, const ReplicaRange& replicas, const backend::CustomLossCall& call);

    int replica() const { return replicas_.first + local_; }  // replica_id_in_sync_group, over all workers
    int localReplica() const { return local_; }
    int replicasInSync() const { return replicas_.all; }
    std::int64_t samples() const { return static_cast<std::int64_t>(call_.batch.indices.size()); }
    // The outputs, the gradient and the label of sample i of this replica's part.
    std::span<const float> outputs(std::int64_t i) const { return call_.outputs.subspan(offset(i), elements_); }
    std::span<float> gradient(std::int64_t i) const { return call_.gradient.subspan(offset(i), elements_); }
    float label(std::int64_t i) const;

private:
    std::size_t offset(std::int64_t i) const { return static_cast<std::size_t>(i) * elements_; }

    const int local_;
    const ReplicaRange replicas_;
    const backend::CustomLossCall& call_;
    const std::size_t elements_;  // of an output
};

struct ModelOptions {
    int threads = 1;
    std::uint64_t seed = 0;  // of the first weights
    ReplicaRange replicas{};
    Peers peers{};
};

// Keras' model and optimizer with a copy of every variable where the strategy wants one. Made by Strategy::Scope; one thread. With several
// workers each makes the same models in the same order, and calls train() as often as the others, for whom it waits. With parameter servers
// the variables live there: a worker's step pulls them and pushes gradients, which the servers apply as they come. The coordinator reads
// them; a ps only serves its model.
class Model {
public:
    // With several workers the model takes the chief's weights. Throws Error(kInvalidArgument) when another worker makes another model.
    // With parameter servers the coordinator calls the servers here and gives them its weights, unless they have some already.
    Model(spec::RunSpec run, const ModelOptions& options);
    ~Model();
    Model(Model&&) noexcept;

    // One training step: forward, `step` on every replica at once, backward, gradients added up over the replicas, update. Throws what
    // `step` throws; the model can then train no more. With several workers it throws Error(kUnavailable, kDeadlineExceeded) naming the one
    // that is lost; with parameter servers the same for a server, and kFailedPrecondition where the task is no worker.
    void train(const DistributedBatch& inputs, const std::function<void(ReplicaContext&)>& step);
    // (samples, outputs) of this process's part of a batch, without training. With parameter servers the variables are taken as they are
    // now.
    std::vector<float> predict(const DistributedBatch& inputs);

    // Updates done; with parameter servers those of all workers, as of this one's last step or of the coordinator's call.
    std::int64_t iterations() const;
    // Sets the rate of this process's steps; with several workers each sets the same.
    void setLearningRate(float rate);
    // The values of a variable such as "dense/kernel", as trained so far; with parameter servers, as they hold it now. The span is valid
    // until the next call of the model. Throws Error(kNotFound).
    std::span<const float> values(std::string_view name) const;
    // The plan that the replicas run, as text: what the strategy did. Empty before the first step.
    std::string planText() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace engine::custom_training
