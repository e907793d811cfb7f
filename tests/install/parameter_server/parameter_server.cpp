// TensorFlow's tutorial "Parameter server training with ParameterServerStrategy", its custom loop, on a line: the same program on chief,
// workers and ps, each with its TF_CONFIG. The chief prints what became of its functions. Files in TEST_FOLDER are how the test and a
// function meet: a worker that holds one is killed there.
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "agent/distributed/cluster_coordinator.h"

namespace {

using namespace agent::distributed;
using namespace engine::custom_training;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kBatch = 8;

std::filesystem::path inTestFolder(const std::string& name) {
    const char* folder = std::getenv("TEST_FOLDER");
    if (folder == nullptr) throw std::runtime_error("TEST_FOLDER: expected a folder, got none");
    return std::filesystem::path(folder) / name;
}

void tell(const std::string& name, const std::string& text) {
    std::ofstream(inTestFolder(name)) << text << std::endl;
}

void waitForFile(const std::string& name) {
    const auto end = Clock::now() + std::chrono::minutes(2);
    while (!std::filesystem::exists(inTestFolder(name))) {
        if (Clock::now() > end) throw std::runtime_error(name + ": expected the test to make it, got nothing");
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

std::shared_ptr<const engine::data::Samples> line() {
    std::vector<float> features, labels;
    for (int i = 0; i < 64; ++i) {
        features.push_back(static_cast<float>(i) / 64);
        labels.push_back(3 * features.back() - 1);
    }
    return fromTensors(features, {1}, labels);
}

// Over the whole set, on the chief.
float lossOf(const Strategy& strategy, Model& model) {
    const auto samples = line();
    const auto all = strategy.distribute(samples, {.global_batch = samples->count}).iterator().next();
    const std::vector<float> outputs = model.predict(*all);
    double sum = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const double difference = outputs[i] - (3.0 * static_cast<double>(i) / 64 - 1);
        sum += difference * difference;
    }
    return static_cast<float>(sum / static_cast<double>(outputs.size()));
}

void coordinate(const Strategy& strategy, Model& model, ClusterCoordinator& coordinator) {
    std::cout << "first " << lossOf(strategy, model) << '\n';
    for (int step = 0; step < 200; ++step) coordinator.schedule("train step");
    coordinator.join();
    std::cout << "trained " << lossOf(strategy, model) << " after " << model.iterations() << " steps\n";

    const RemoteValue held = coordinator.schedule("hold");  // its first worker is killed with it
    for (int step = 0; step < 200; ++step) coordinator.schedule("train step");
    coordinator.join();
    const auto holder = static_cast<int>(coordinator.fetch(held).numbers.at(0));
    std::cout << "held by worker " << holder << "\ntrained " << lossOf(strategy, model) << '\n';

    tell("start again", std::to_string(holder));
    const auto end = Clock::now() + std::chrono::minutes(2);
    while (static_cast<int>(coordinator.fetch(coordinator.schedule("who")).numbers.at(0)) == holder) {
        if (Clock::now() > end) throw std::runtime_error("expected the killed worker to come back, got none");
    }
    std::cout << "the other worker is back\n";

    coordinator.schedule("fail");
    try {
        coordinator.join();
    } catch (const engine::Error& error) {
        std::cout << "error " << error.what() << '\n';
    }
    std::cout << "kernel " << model.values("dense/kernel")[0] << '\n';
}

int run() {
    const ParameterServerStrategy strategy(
        {.threads = 1, .variable_partitioner = {"FixedShardsPartitioner", {{"num_shards", std::int64_t{2}}}}});
    Model model = strategy.scope().model({.name = "sequential",
                                          .input_shape = {1},
                                          .layers = {{.class_name = "Dense", .name = "dense", .config = {{"units", std::int64_t{1}}}}}},
                                         {"SGD", {{"learning_rate", 0.1}}}, 5);
    ClusterCoordinator coordinator(strategy);
    PerWorkerDataset dataset = coordinator.createPerWorkerDataset([&](int worker) {
        return strategy.distribute(line(),
                                   {.global_batch = kBatch, .repeat = 1000, .shuffle = 64, .seed = static_cast<std::uint64_t>(worker)});
    });
    coordinator.define("train step", [&](const WorkerCall&) -> Values {
        const DistributedBatch inputs = dataset.next();
        const auto losses = strategy.run(
            model, inputs, [](ReplicaContext& replica) { return meanSquaredError(replica, 1.0F / static_cast<float>(kBatch)); });
        return {.numbers = {strategy.reduceFirstAxis(ReduceOp::kMean, losses)}};
    });
    coordinator.define("hold", [](const WorkerCall& call) -> Values {
        tell("held", std::to_string(call.worker));
        waitForFile("go on");
        return {.numbers = {static_cast<float>(call.worker)}};
    });
    coordinator.define("who", [](const WorkerCall& call) -> Values { return {.numbers = {static_cast<float>(call.worker)}}; });
    coordinator.define("fail", [](const WorkerCall&) -> Values { throw std::runtime_error("a label of 7"); });

    if (coordinator.isServer()) return coordinator.serve();
    coordinate(strategy, model, coordinator);
    return 0;
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
