#include "engine/backend/gaussian_noise.h"

namespace engine::backend {

void addGaussianNoise(const DropoutKey& key, double deviation, std::uint32_t sample, std::span<const float> x, std::span<float> y) {
    const tensor::RandomStream stream = randomStream(key, tensor::RandomPurpose::kDropout);
    constexpr std::size_t kWords = 4;
    const auto scale = static_cast<float>(deviation);
    for (std::size_t i = 0; i < x.size(); i += kWords) {
        const NormalNumbers noise = normalNumbers(stream.block(sample, i / kWords));
        for (std::size_t k = 0; k < kWords && i + k < x.size(); ++k) y[i + k] = x[i + k] + scale * noise.values[k];
    }
}

}  // namespace engine::backend
