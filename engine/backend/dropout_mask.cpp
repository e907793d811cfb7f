#include "engine/backend/dropout_mask.h"

#include <cmath>

namespace engine::backend {

RandomItem randomItem(DropoutKey of_layer, std::span<const std::uint32_t> indices, std::int64_t items_per_sample, std::int64_t item) {
    const std::int64_t sample = item / items_per_sample;
    return {keyOfItem(of_layer, items_per_sample, item),
            indices.empty() ? static_cast<std::uint32_t>(sample) : indices[static_cast<std::size_t>(sample)]};
}

std::uint64_t dropoutThreshold(double rate) {
    return static_cast<std::uint64_t>(std::llround(rate * 0x1.0p32));
}

void fillDropoutMask(const DropoutKey& key, double rate, std::uint32_t sample, std::span<std::uint8_t> mask) {
    const tensor::RandomStream stream = randomStream(key, tensor::RandomPurpose::kDropout);
    const std::uint64_t threshold = dropoutThreshold(rate);
    for (std::size_t i = 0; i < mask.size(); i += 4) {
        const tensor::PhiloxCounter words = stream.block(sample, i / 4);
        for (std::size_t k = 0; k < 4 && i + k < mask.size(); ++k) mask[i + k] = words[k] >= threshold ? 1 : 0;
    }
}

float dropoutScale(double rate) {
    return rate < 1 ? static_cast<float>(1 / (1 - rate)) : 0.0F;
}

}  // namespace engine::backend
