#include "engine/backend/gaussian_noise.h"

namespace engine::backend {

void applyGaussianNoise(const plan::GaussianNoiseAttributes& noise, const RandomItem& item, std::span<const float> x, std::span<float> y) {
    const tensor::RandomStream stream = randomStream(item.key, tensor::RandomPurpose::kDropout);
    constexpr std::size_t kWords = 4;
    const auto scale = static_cast<float>(noise.deviation);
    for (std::size_t i = 0; i < x.size(); i += kWords) {
        const NormalNumbers numbers = normalNumbers(stream.block(item.sample, i / kWords));
        for (std::size_t k = 0; k < kWords && i + k < x.size(); ++k)
            y[i + k] = withNoise(x[i + k], scale * numbers.values[k], noise.multiplies);
    }
}

}  // namespace engine::backend
