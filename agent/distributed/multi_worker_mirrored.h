// tf.distribute.MultiWorkerMirroredStrategy for a training loop of the program's own: the same program runs on every worker, each with its
// TF_CONFIG, and the loop is that of engine/custom_training/strategy.h. The header to read first for several workers.
//
//   const MultiWorkerMirroredStrategy strategy;                            // returns when all workers are there
//   Model model = strategy.scope().model(model_spec, optimizer);           // equal on all of them: the chief's weights
//   const auto data = strategy.distribute(samples, {.global_batch = 64});  // each worker's part of each batch
//   for (const DistributedBatch& inputs : data) {
//       const auto losses = strategy.run(model, inputs, step);             // gradients are added up over all workers
//       const float mean = strategy.reduceFirstAxis(ReduceOp::kMean, losses);
//       if (strategy.isChief()) std::cout << mean << '\n';
//   }
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "agent/distributed/cluster_options.h"
#include "engine/custom_training/strategy.h"

namespace agent::distributed {

struct MultiWorkerOptions {
    ClusterOptions cluster{};
    std::vector<std::string> devices{"CPU:0"};  // of each worker, one replica each
    int threads = 0;                            // of this worker, to compute with; 0: the cores, shared by the cluster's workers
    // How long one sum may take while every worker is alive. A lost worker is noticed long before.
    std::chrono::milliseconds operation_deadline{std::chrono::hours(1)};
};

// A value, as Strategy is: the last of its copies and models that goes tells the other workers that this one has ended. Who still waits for
// it then throws Error(kUnavailable): all workers make the same number of steps.
class MultiWorkerMirroredStrategy : public engine::custom_training::Strategy {
public:
    // Chief and workers train together, the chief is the first of them; a lone program without TF_CONFIG, and an evaluator, are a worker
    // alone. Listens at this task's address and returns when all others are connected.
    // Throws Error: kInvalidArgument (a TF_CONFIG with mistakes, a task that is none of chief, worker and evaluator), kAlreadyExists (the
    // port is in use), kDeadlineExceeded (naming the missing tasks after start_timeout), kFailedPrecondition (another cluster),
    // kUnimplemented (a host beyond this computer), kUnavailable (a task that had come is lost), kCancelled.
    explicit MultiWorkerMirroredStrategy(const MultiWorkerOptions& options = {});

    // "worker 0 <-> worker 1: shared memory", one pair a line; empty for a worker alone.
    std::string describe() const;
};

}  // namespace agent::distributed
