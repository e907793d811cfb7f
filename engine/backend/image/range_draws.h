// The numbers that an augmentation draws for one image, each by its place in the sample's stream.
#pragma once

#include <cstdint>

#include "engine/backend/dropout_mask.h"
#include "engine/plan/op_attributes.h"
#include "engine/tensor/device_function.h"
#include "engine/tensor/random.h"

namespace engine::backend {

class RangeDraws {
public:
    TANDEM_DEVICE RangeDraws(const DropoutKey& key, std::uint32_t sample)
        : stream_(randomStream(key, tensor::RandomPurpose::kAugmentation)), sample_(sample) {}

    // The number in [0, 1) at the place.
    TANDEM_DEVICE double unit(std::uint64_t place) const { return static_cast<double>(stream_.uniform(sample_, place)); }
    // The same, spread evenly over the range.
    TANDEM_DEVICE double within(const plan::RandomRange& range, std::uint64_t place) const {
        return range.from + (range.to - range.from) * unit(place);
    }

private:
    tensor::RandomStream stream_;
    std::uint32_t sample_;
};

}  // namespace engine::backend
