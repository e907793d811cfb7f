// GaussianNoise's numbers: one definition for every back-end, keyed like dropout's masks (dropout_mask.h).
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

#include "engine/backend/dropout_mask.h"
#include "engine/tensor/device_function.h"
#include "engine/tensor/random.h"

namespace engine::backend {

// Of four words: mean 0, deviation 1.
struct NormalNumbers {
    float values[4];
};
// Box and Muller: two words give two numbers.
TANDEM_DEVICE inline NormalNumbers normalNumbers(const tensor::PhiloxCounter& words) {
    NormalNumbers normal;
    for (std::size_t pair = 0; pair < 4; pair += 2) {
        // In (0, 1]: its logarithm is finite.
        const float radius = std::sqrt(-2 * std::log(1 - tensor::toUniform(words[pair])));
        const float angle = 2 * std::numbers::pi_v<float> * tensor::toUniform(words[pair + 1]);
        normal.values[pair] = radius * std::cos(angle);
        normal.values[pair + 1] = radius * std::sin(angle);
    }
    return normal;
}

// y = x + deviation * a normal number for each value of the sample, of the words that stand at its place in a stream of
// RandomPurpose::kDropout; y may be x.
void addGaussianNoise(const DropoutKey& key, double deviation, std::uint32_t sample, std::span<const float> x, std::span<float> y);

}  // namespace engine::backend
