// RandomMix's numbers and its formula: one definition for every back-end.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "engine/backend/dropout_mask.h"
#include "engine/backend/image/range_draws.h"
#include "engine/backend/image/value_range.h"
#include "engine/plan/op_attributes.h"
#include "engine/tensor/device_function.h"

namespace engine::backend {

// Inputs that one op mixes, the image among them: the layer's fields hold less.
inline constexpr int kMostMixed = 17;

namespace random_mix_detail {

// Draws the logarithm of a number of the Gamma distribution with shape `alpha` and scale 1, by Marsaglia and Tsang ("A simple method for
// generating gamma variables", 2000); a shape below 1 by the number of shape alpha + 1 times U^(1 / alpha), whose logarithm does not vanish
// where it does. `number` tells the numbers of one stream apart.
TANDEM_DEVICE inline double drawLogGamma(const RangeDraws& draws, double alpha, std::uint64_t number) {
    constexpr std::uint64_t kDrawsOfNumber = std::uint64_t{1} << 16, kDrawsOfTry = 4, kMostTries = 1000;
    const std::uint64_t first = number * kDrawsOfNumber;
    const double shape = alpha < 1 ? alpha + 1 : alpha, d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    double log_gamma = std::log(d);  // after so many tries, which nobody sees: more than nine of ten tries are taken
    for (std::uint64_t i = 1; i <= kMostTries; ++i) {
        const std::uint64_t place = first + i * kDrawsOfTry;
        const double radius = std::sqrt(-2 * std::log(1 - draws.unit(place)));
        const double normal = radius * std::cos(2 * std::numbers::pi * draws.unit(place + 1));
        const double root = 1 + c * normal;
        if (root <= 0) continue;
        const double log_v = 3 * std::log(root);
        if (std::log(1 - draws.unit(place + 2)) < 0.5 * normal * normal + d - d * root * root * root + d * log_v) {
            log_gamma = std::log(d) + log_v;
            break;
        }
    }
    return alpha < 1 ? log_gamma + std::log(1 - draws.unit(first)) / alpha : log_gamma;
}

}  // namespace random_mix_detail

// Fills the weights of `inputs` inputs, 2 to kMostMixed: w of the image and (1 - w) c of each chain. `key` is that of an item. The numbers
// stand in sample 0's stream, whether or not the sample is in the batch: those of a batch are mixed alike. Beta and Dirichlet numbers are
// shares of Gamma numbers.
TANDEM_DEVICE inline void fillMixWeights(const DropoutKey& key, const plan::RandomMix& mix, int inputs, float* weights) {
    using random_mix_detail::drawLogGamma;
    const RangeDraws draws(key, 0);
    const double of_image = drawLogGamma(draws, mix.alpha, 0), of_chains = drawLogGamma(draws, mix.alpha, 1);
    const double share = 1 / (1 + std::exp(of_chains - of_image));
    double logs[kMostMixed], largest = 0, sum = 0;
    for (int i = 1; i < inputs; ++i) {
        logs[i] = drawLogGamma(draws, mix.alpha, static_cast<std::uint64_t>(i) + 1);
        largest = i == 1 || logs[i] > largest ? logs[i] : largest;
    }
    for (int i = 1; i < inputs; ++i) sum += std::exp(logs[i] - largest);
    weights[0] = static_cast<float>(share);
    for (int i = 1; i < inputs; ++i) weights[i] = static_cast<float>((1 - share) * std::exp(logs[i] - largest) / sum);
}

TANDEM_DEVICE inline float mixHeld(const plan::RandomMix& mix, float mixed) {
    return value_range::clip(mixed, static_cast<float>(mix.low), static_cast<float>(mix.high));
}
// How fast the held value grows with the mixed one.
TANDEM_DEVICE inline float mixHeldSlope(const plan::RandomMix& mix, float mixed) {
    return value_range::clipSlope(mixed, static_cast<float>(mix.low), static_cast<float>(mix.high));
}

}  // namespace engine::backend
