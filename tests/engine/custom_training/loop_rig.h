// The samples, the model and the loop of the tests of this folder.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/custom_training/strategy.h"
#include "tests/support/model_builder.h"

namespace engine::custom_training {

inline constexpr std::int64_t kBatch = 12;

// 30 points of 2 x - y + 0.5: with batches of 12 the last one has 6.
inline std::shared_ptr<const data::Samples> points() {
    std::vector<float> features, labels;
    for (int i = 0; i < 30; ++i) {
        const float x = static_cast<float>(i % 6) / 6, y = static_cast<float>(i % 5) / 5;
        features.insert(features.end(), {x, y});
        labels.push_back(2 * x - y + 0.5F);
    }
    return fromTensors(features, {2}, labels);
}

inline Model denseModel(const Strategy& strategy, const spec::ObjectSpec& optimizer = {"Adam", {{"learning_rate", 0.05}}},
                        std::uint64_t seed = 3) {
    return strategy.scope().model(
        tests::support::model({2},
                              {tests::support::layer("Dense", "dense", {{"units", std::int64_t{4}}, {"activation", std::string("relu")}}),
                               tests::support::layer("Dense", "dense_1", {{"units", std::int64_t{1}}})}),
        optimizer, seed);
}

// The mean loss of each step.
inline std::vector<float> trainOn(const Strategy& strategy, Model& model, const DistributedDataset& dataset) {
    std::vector<float> losses;
    for (const DistributedBatch& inputs : dataset) {
        const auto per_example =
            strategy.run(model, inputs, [](ReplicaContext& replica) { return meanSquaredError(replica, 1.0F / kBatch); });
        losses.push_back(strategy.reduceFirstAxis(ReduceOp::kMean, per_example));
    }
    return losses;
}

inline std::vector<float> weightsOf(const Model& model) {
    std::vector<float> weights;
    for (const char* name : {"dense/kernel", "dense/bias", "dense_1/kernel", "dense_1/bias"}) {
        const std::span<const float> values = model.values(name);
        weights.insert(weights.end(), values.begin(), values.end());
    }
    return weights;
}

}  // namespace engine::custom_training
