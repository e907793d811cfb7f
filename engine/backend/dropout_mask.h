// Dropout's random mask: one definition for every back-end. The mask of a sample depends on seed, epoch, iteration, layer and the sample's
// index in the data set (BatchView::indices), not on its place in the batch: any number of workers drops the same units.
#pragma once

#include <cstdint>
#include <span>

namespace engine::backend {

struct DropoutKey {
    std::uint64_t seed = 0;  // StepControl
    std::uint64_t epoch = 0;
    std::int64_t iteration = 0;
    std::int64_t layer = 0;  // plan::Op::dropout_seed
};

// What an item of a batch draws its numbers from: the layer's key, told apart by time where a sample has several items (TimeDistributed),
// and the sample's index in the data set.
struct RandomItem {
    DropoutKey key{};
    std::uint32_t sample = 0;
};
// `indices`: of the batch's samples; empty: sample i is number i.
RandomItem randomItem(DropoutKey of_layer, std::span<const std::uint32_t> indices, std::int64_t items_per_sample, std::int64_t item);

// mask[i] = 1 where unit i of the sample is kept, with probability 1 - rate. Kept values are then scaled by dropoutScale(rate).
void fillDropoutMask(const DropoutKey& key, double rate, std::uint32_t sample, std::span<std::uint8_t> mask);
// 1 / (1 - rate); 0 for rate 1, where nothing is kept.
float dropoutScale(double rate);

}  // namespace engine::backend
