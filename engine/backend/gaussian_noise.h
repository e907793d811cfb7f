// The normal numbers of GaussianNoise and GaussianDropout: one definition for every back-end, keyed like dropout's masks (dropout_mask.h).
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

#include "engine/backend/dropout_mask.h"
#include "engine/plan/op_attributes.h"
#include "engine/tensor/device_function.h"
#include "engine/tensor/random.h"

namespace engine::backend {

// Four normally distributed numbers, with mean 0 and deviation 1, made of four random words.
struct NormalNumbers {
    float values[4];
};
// Box and Muller: two words give two numbers.
TANDEM_DEVICE inline NormalNumbers normalNumbers(const tensor::PhiloxCounter& words) {
    NormalNumbers normal;
    for (std::size_t pair = 0; pair < 4; pair += 2) {
        // The argument is in (0, 1]: its logarithm is finite.
        const float radius = std::sqrt(-2 * std::log(1 - tensor::toUniform(words[pair])));
        const float angle = 2 * std::numbers::pi_v<float> * tensor::toUniform(words[pair + 1]);
        normal.values[pair] = radius * std::cos(angle);
        normal.values[pair + 1] = radius * std::sin(angle);
    }
    return normal;
}

// A value with its number, which is of the wanted deviation.
TANDEM_DEVICE inline float withNoise(float x, float number, bool multiplies) {
    return multiplies ? x * (1 + number) : x + number;
}

// y = withNoise(x, deviation * a normal number) for each value of the item, of the words that stand at its place in a stream of
// RandomPurpose::kDropout; y may be x. The seed of `noise` is in the item's key already.
void applyGaussianNoise(const plan::GaussianNoiseAttributes& noise, const RandomItem& item, std::span<const float> x, std::span<float> y);

}  // namespace engine::backend
