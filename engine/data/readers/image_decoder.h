// PNG and JPEG pictures as bytes, and their size made what a model takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace engine::data {

struct Image {
    std::int64_t rows = 0, columns = 0, channels = 0;
    std::vector<std::byte> pixels;  // (rows, columns, channels), row by row
};

enum class Interpolation { kNearest, kBilinear };

// `channels` 3 (red, green, blue) or 1 (gray: 0.299 R + 0.587 G + 0.114 B). Transparency is left out, 16 bits a channel become 8. PNG is
// told from JPEG by the first bytes. Uses the memory of `image` again. Throws Error(kDataLoss) without a file's name: neither of the two,
// damaged, cut short, or larger than 2^28 pixels.
void decodeImage(std::span<const std::byte> bytes, int channels, Image& image);

// Pixel centres lie at half coordinates and nothing is smoothed first, as tf.image.resize does; bilinear values are rounded to the nearest
// byte. `into` has rows * columns * image.channels bytes.
void resizeImage(const Image& image, std::int64_t rows, std::int64_t columns, Interpolation interpolation, std::byte* into);

}  // namespace engine::data
