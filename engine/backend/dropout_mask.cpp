#include "engine/backend/dropout_mask.h"

#include <cmath>

#include "engine/tensor/random.h"

namespace engine::backend {

RandomItem randomItem(DropoutKey of_layer, std::span<const std::uint32_t> indices, std::int64_t items_per_sample, std::int64_t item) {
    constexpr int kTimeBit = 43;  // above what tells the draws of one layer apart (engine/plan/layers/recurrent.cpp)
    const std::int64_t sample = item / items_per_sample;
    of_layer.layer += (item % items_per_sample) << kTimeBit;
    return {of_layer, indices.empty() ? static_cast<std::uint32_t>(sample) : indices[static_cast<std::size_t>(sample)]};
}

void fillDropoutMask(const DropoutKey& key, double rate, std::uint32_t sample, std::span<std::uint8_t> mask) {
    const tensor::RandomStream stream({.seed = key.seed,
                                       .purpose = tensor::RandomPurpose::kDropout,
                                       .stream = static_cast<std::uint64_t>(key.layer),
                                       .epoch = key.epoch,
                                       .step = static_cast<std::uint64_t>(key.iteration)});
    const auto threshold = static_cast<std::uint64_t>(std::llround(rate * 0x1.0p32));
    for (std::size_t i = 0; i < mask.size(); i += 4) {
        const tensor::PhiloxCounter words = stream.block(sample, i / 4);
        for (std::size_t k = 0; k < 4 && i + k < mask.size(); ++k) mask[i + k] = words[k] >= threshold ? 1 : 0;
    }
}

float dropoutScale(double rate) {
    return rate < 1 ? static_cast<float>(1 / (1 - rate)) : 0.0F;
}

}  // namespace engine::backend
