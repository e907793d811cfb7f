// GaussianNoise's numbers: one definition for every back-end, keyed like dropout's masks (dropout_mask.h).
#pragma once

#include <cstdint>
#include <span>

#include "engine/backend/dropout_mask.h"

namespace engine::backend {

// y = x + deviation * a normal number for each value of the sample; y may be x.
void addGaussianNoise(const DropoutKey& key, double deviation, std::uint32_t sample, std::span<const float> x, std::span<float> y);

}  // namespace engine::backend
