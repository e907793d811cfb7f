// The custom training loop of TensorFlow's guide "Distributed training with TensorFlow": Dense(1) on a thousand copies of one sample,
// mirrored over two devices. Prints the mean loss of each step; fails when it does not fall.
#include <exception>
#include <iostream>
#include <map>
#include <optional>

#include "engine/custom_training/strategy.h"

namespace {

using namespace engine::custom_training;

// One step on every replica; the mean of all per-example losses.
float trainStep(const Strategy& strategy, Model& model, const DistributedBatch& inputs, std::int64_t global_batch_size) {
    const PerReplica<std::vector<float>> per_example_losses = strategy.run(
        model, inputs, [&](ReplicaContext& replica) { return meanSquaredError(replica, 1.0F / static_cast<float>(global_batch_size)); });
    return reduceFirstAxis(ReduceOp::kMean, per_example_losses);
}

int run() {
    const Strategy strategy = Strategy::mirrored({.devices = {"CPU:0", "CPU:1"}, .cross_device_ops = {"HierarchicalCopyAllReduce", {}}});
    constexpr std::int64_t kBatchSizePerReplica = 5;
    const std::int64_t global_batch_size = kBatchSizePerReplica * strategy.replicasInSync();
    const std::map<std::int64_t, double> learning_rates{{5, 0.1}, {10, 0.15}};

    Model model = strategy.scope().model({.name = "sequential",
                                          .input_shape = {1},
                                          .layers = {{.class_name = "Dense", .name = "dense", .config = {{"units", std::int64_t{1}}}}}},
                                         {"SGD", {{"learning_rate", learning_rates.at(global_batch_size)}}});
    const DistributedDataset dataset =
        strategy.distribute(fromTensors(std::vector{1.0F}, {1}, std::vector{1.0F}), {.global_batch = global_batch_size, .repeat = 1000});

    std::optional<float> first;
    float last = 0;
    for (const DistributedBatch& inputs : dataset) {
        last = trainStep(strategy, model, inputs, global_batch_size);
        if (!first) first = last;
        std::cout << last << '\n';
    }
    std::cout << "ten steps more, with an iterator of our own\n";
    DistributedIterator iterator = dataset.iterator();
    for (int step = 0; step < 10; ++step) {
        std::cout << trainStep(strategy, model, *iterator.next(), global_batch_size) << '\n';
    }
    std::cout << model.planText();
    const bool falls = first && last < *first / 1000 && model.iterations() == 110;
    if (!falls) std::cerr << "expected a falling loss over 110 steps\n";
    return falls ? 0 : 1;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << '\n';
        return 1;
    }
}
