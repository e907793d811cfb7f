// The custom training loop of TensorFlow's tutorial "Custom training loop with Keras and MultiWorkerMirroredStrategy", on points in two
// classes: the same program on every worker, each with its TF_CONFIG; without one it is a worker alone. Prints the loss of each step and
// the weights at the end.
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>
#include <thread>
#include <vector>

#include "agent/distributed/multi_worker_mirrored.h"

namespace {

using namespace agent::distributed;
using namespace engine::custom_training;

constexpr std::int64_t kGlobalBatch = 12;

std::shared_ptr<const engine::data::Samples> points() {
    std::vector<float> features, labels;
    for (int i = 0; i < 50; ++i) {  // the last batch has 2
        const auto x = static_cast<float>(std::sin(i)), y = static_cast<float>(std::cos(3 * i));
        features.insert(features.end(), {x, y});
        labels.push_back(x + y > 0 ? 1.0F : 0.0F);
    }
    return fromTensors(features, {2}, labels);
}

// Where the test asks for it, worker 2 stands still in the middle until it is killed.
void holdWhereAsked(const Strategy& strategy, const Model& model) {
    const char* folder = std::getenv("TEST_FOLDER");
    if (folder == nullptr || strategy.worker() != 2 || model.iterations() != 3) return;
    if (!std::filesystem::exists(std::filesystem::path(folder) / "worker 2 holds")) return;
    std::ofstream(std::filesystem::path(folder) / "held") << "held" << std::endl;
    std::this_thread::sleep_for(std::chrono::minutes(2));
}

void run() {
    const MultiWorkerMirroredStrategy strategy;
    // Another seed on each worker: all of them get the chief's weights.
    Model model = strategy.scope().model(
        {.name = "sequential",
         .input_shape = {2},
         .layers = {{.class_name = "Dense", .name = "hidden", .config = {{"units", std::int64_t{8}}, {"activation", std::string("relu")}}},
                    {.class_name = "Dense", .name = "scores", .config = {{"units", std::int64_t{2}}}}}},
        {"SGD", {{"learning_rate", 0.2}}}, static_cast<std::uint64_t>(1 + strategy.worker()));
    const DistributedDataset dataset = strategy.distribute(points(), {.global_batch = kGlobalBatch, .repeat = 6, .shuffle = 50, .seed = 7});

    std::cout << std::setprecision(std::numeric_limits<float>::max_digits10);
    std::cout << "workers " << strategy.workers() << '\n';
    for (const DistributedBatch& inputs : dataset) {
        holdWhereAsked(strategy, model);
        const auto losses = strategy.run(model, inputs, [](ReplicaContext& replica) {
            return sparseSoftmaxCrossEntropy(replica, 1.0F / static_cast<float>(kGlobalBatch));
        });
        std::cout << "loss " << strategy.reduceFirstAxis(ReduceOp::kMean, losses) << '\n';
    }
    for (const char* name : {"hidden/kernel", "hidden/bias", "scores/kernel", "scores/bias"}) {
        std::cout << "weights";
        for (const float value : model.values(name)) std::cout << ' ' << value;
        std::cout << '\n';
    }
}

}  // namespace

int main() {
    try {
        run();
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << '\n';
        return 1;
    }
}
