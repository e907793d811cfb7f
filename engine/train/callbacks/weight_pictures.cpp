#include "engine/train/callbacks/weight_pictures.h"

#include <algorithm>
#include <cmath>

namespace engine::train {
namespace {

constexpr std::int64_t kMostPictures = 64;

// How to walk through the weight: element (picture, y, x, channel) lies at the sum of index times stride.
struct Layout {
    std::int64_t pictures = 0, height = 0, width = 0, channels = 1;
    std::int64_t picture_stride = 0, row_stride = 0, column_stride = 0, channel_stride = 0;
};

Layout layoutOf(spec::Shape shape) {
    std::erase(shape, 1);
    if (shape.size() == 1) {
        return {.pictures = 1, .height = shape[0], .width = 1, .row_stride = 1};
    }
    if (shape.size() == 2) {
        const bool stands = shape[0] > shape[1];
        return stands ? Layout{.pictures = 1, .height = shape[1], .width = shape[0], .row_stride = 1, .column_stride = shape[1]}
                      : Layout{.pictures = 1, .height = shape[0], .width = shape[1], .row_stride = shape[1], .column_stride = 1};
    }
    if (shape.size() == 3) {
        return {.pictures = shape[2],
                .height = shape[0],
                .width = shape[1],
                .picture_stride = 1,
                .row_stride = shape[1] * shape[2],
                .column_stride = shape[2]};
    }
    if (shape.size() == 4 && shape[2] == 3) {
        return {.pictures = shape[3],
                .height = shape[0],
                .width = shape[1],
                .channels = 3,
                .picture_stride = 1,
                .row_stride = shape[1] * 3 * shape[3],
                .column_stride = 3 * shape[3],
                .channel_stride = shape[3]};
    }
    return {};
}

}  // namespace

std::vector<exporter::Picture> weightPictures(const spec::Shape& shape, std::span<const float> values) {
    const Layout layout = layoutOf(shape);
    std::vector<exporter::Picture> pictures;
    if (values.empty()) {
        return pictures;
    }
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const float scale = *most > *least ? 255.0F / (*most - *least) : 0.0F;
    for (std::int64_t p = 0; p < std::min(layout.pictures, kMostPictures); ++p) {
        exporter::Picture picture{layout.height, layout.width, layout.channels, {}};
        for (std::int64_t y = 0; y < layout.height; ++y) {
            for (std::int64_t x = 0; x < layout.width; ++x) {
                for (std::int64_t c = 0; c < layout.channels; ++c) {
                    const auto at = static_cast<std::size_t>(p * layout.picture_stride + y * layout.row_stride + x * layout.column_stride +
                                                             c * layout.channel_stride);
                    const float shade = (values[at] - *least) * scale;
                    picture.pixels.push_back(std::isfinite(shade) ? static_cast<std::uint8_t>(std::clamp(shade, 0.0F, 255.0F)) : 0);
                }
            }
        }
        pictures.push_back(std::move(picture));
    }
    return pictures;
}

}  // namespace engine::train
