#include "engine/backend/gaussian_noise.h"

#include <cmath>
#include <numbers>

#include "engine/tensor/random.h"

namespace engine::backend {

// Box and Muller: two words give two numbers.
void addGaussianNoise(const DropoutKey& key, double deviation, std::uint32_t sample, std::span<const float> x, std::span<float> y) {
    const tensor::RandomStream stream({.seed = key.seed,
                                       .purpose = tensor::RandomPurpose::kDropout,
                                       .stream = static_cast<std::uint64_t>(key.layer),
                                       .epoch = key.epoch,
                                       .step = static_cast<std::uint64_t>(key.iteration)});
    constexpr std::size_t kWords = 4;
    const auto scale = static_cast<float>(deviation);
    for (std::size_t i = 0; i < x.size(); i += kWords) {
        const tensor::PhiloxCounter words = stream.block(sample, i / kWords);
        float noise[kWords];
        for (std::size_t pair = 0; pair < kWords; pair += 2) {
            // In (0, 1]: its logarithm is finite.
            const float radius = std::sqrt(-2 * std::log(1 - tensor::toUniform(words[pair])));
            const float angle = 2 * std::numbers::pi_v<float> * tensor::toUniform(words[pair + 1]);
            noise[pair] = radius * std::cos(angle);
            noise[pair + 1] = radius * std::sin(angle);
        }
        for (std::size_t k = 0; k < kWords && i + k < x.size(); ++k) y[i + k] = x[i + k] + scale * noise[k];
    }
}

}  // namespace engine::backend
