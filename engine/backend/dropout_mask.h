// Dropout's random mask: one definition for every back-end. The mask of a sample depends on seed, epoch, iteration, layer and the sample's
// index in the data set (BatchView::numbersInSet()), not on its place in the batch: any number of workers drops the same units.
#pragma once

#include <cstdint>
#include <span>

#include "engine/tensor/device_function.h"
#include "engine/tensor/random.h"

namespace engine::backend {

struct DropoutKey {
    std::uint64_t seed = 0;  // StepControl
    std::uint64_t epoch = 0;
    std::int64_t iteration = 0;
    std::int64_t layer = 0;  // the layer's own seed, as its attributes have it
};

// The key of an item's numbers. Where a sample has several items (TimeDistributed) each time has a key of its own.
TANDEM_DEVICE inline DropoutKey keyOfItem(DropoutKey of_layer, std::int64_t items_per_sample, std::int64_t item) {
    constexpr int kTimeBit = 43;  // above what tells the draws of one layer apart (engine/plan/layers/recurrent.cpp)
    of_layer.layer += (item % items_per_sample) << kTimeBit;
    return of_layer;
}

TANDEM_DEVICE inline tensor::RandomKey randomKey(const DropoutKey& key, tensor::RandomPurpose purpose) {
    tensor::RandomKey random;
    random.seed = key.seed;
    random.purpose = purpose;
    random.stream = static_cast<std::uint64_t>(key.layer);
    random.epoch = key.epoch;
    random.step = static_cast<std::uint64_t>(key.iteration);
    return random;
}
TANDEM_DEVICE inline tensor::RandomStream randomStream(const DropoutKey& key, tensor::RandomPurpose purpose) {
    return tensor::RandomStream(randomKey(key, purpose));
}

// What an item of a batch draws its numbers from: the layer's key, told apart by time where a sample has several items (TimeDistributed),
// and the sample's index in the data set.
struct RandomItem {
    DropoutKey key{};
    std::uint32_t sample = 0;
};
// `indices`: of the batch's samples; empty: sample i is number i.
RandomItem randomItem(DropoutKey of_layer, std::span<const std::uint32_t> indices, std::int64_t items_per_sample, std::int64_t item);

// mask[i] = 1 where unit i of the sample is kept, with probability 1 - rate: where its word, number i of the sample's in a stream of
// RandomPurpose::kDropout, reaches the threshold. Kept values are then scaled by dropoutScale(rate).
std::uint64_t dropoutThreshold(double rate);
void fillDropoutMask(const DropoutKey& key, double rate, std::uint32_t sample, std::span<std::uint8_t> mask);
// 1 / (1 - rate); 0 for rate 1, where nothing is kept.
float dropoutScale(double rate);

}  // namespace engine::backend
