#include "engine/plan/layers/volume.h"

#include "engine/spec/error.h"

namespace engine::plan {

bool isSingleCell(const Window2D& window) {
    return !window.is_adaptive && window.kernel_h == 1 && window.kernel_w == 1 && window.stride_h == 1 && window.stride_w == 1;
}

spec::Shape volumeShape(const spec::Shape& shape) {
    constexpr std::size_t kLeast = 3;
    ENGINE_CHECK(shape.size() >= kLeast && shape.size() <= kVolumeRank);
    spec::Shape volume = shape;
    volume.insert(volume.begin() + 1, kVolumeRank - shape.size(), 1);
    return volume;
}

spec::Shape columnsView(const spec::Shape& volume) {
    ENGINE_CHECK(volume.size() == kVolumeRank);
    return {volume[0], volume[1] * volume[2], volume[3], volume[4]};
}

spec::Shape planesView(const spec::Shape& volume) {
    ENGINE_CHECK(volume.size() == kVolumeRank);
    return {volume[0], volume[1], volume[2], volume[3] * volume[4]};
}

spec::Shape withColumns(spec::Shape volume, std::int64_t columns) {
    ENGINE_CHECK(volume.size() == kVolumeRank);
    volume[3] = columns;
    return volume;
}

}  // namespace engine::plan
