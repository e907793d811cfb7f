#include "engine/backend/cpu/convolution/padded_images.h"

#include <algorithm>

namespace engine::backend::cpu {
namespace {

// Rows that are asked for before they are copied: the processor's own prefetchers end where a page of memory does, and a row or two is one.
constexpr std::int64_t kRowsAhead = 4;

// Asks for `count` floats that lie `after` floats behind `p`; they may lie outside the array.
void askFor(const float* p, std::int64_t after, std::int64_t count) {
    constexpr std::uintptr_t kLine = 64;
    const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(p) + static_cast<std::uintptr_t>(after) * sizeof(float);
    const std::uintptr_t bytes = static_cast<std::uintptr_t>(count) * sizeof(float);
    for (std::uintptr_t at = 0; at < bytes; at += kLine) __builtin_prefetch(reinterpret_cast<const void*>(first + at));
}

}  // namespace

ImageFrame frameOf(const ConvolutionGeometry& g) {
    return {.rows = g.height,
            .row = g.width * g.channels,
            .top = g.window.pad_top,
            .bottom = g.window.pad_bottom,
            .left = g.window.pad_left * g.channels,
            .right = g.window.pad_right * g.channels};
}

PaddedImages::PaddedImages(const ImageFrame& frame, const float* images, float* scratch)
    : frame_(frame),
      images_(images),
      values_(frame.isPadded() ? scratch : images),
      copies_(frame.isPadded() ? scratch : nullptr),
      distance_(frame.paddedRows() * frame.paddedRow()),
      row_(frame.paddedRow()) {}

PaddedImages::PaddedImages(const float* padded, std::int64_t distance, std::int64_t row)
    : values_(padded), distance_(distance), row_(row) {}

void PaddedImages::makeRows(std::int64_t image, std::int64_t end) {
    if (copies_ == nullptr) return;
    if (image != image_) made_ = 0;
    image_ = image;
    for (; made_ < std::min(end, frame_.paddedRows()); ++made_) makeRow(image, made_);
}

void PaddedImages::makeRow(std::int64_t image, std::int64_t padded_row) {
    float* to = copies_ + image * distance_ + padded_row * row_;
    const std::int64_t row = padded_row - frame_.top;
    if (row < 0 || row >= frame_.rows) {
        std::fill_n(to, row_, 0.0F);
        return;
    }
    to = std::fill_n(to, frame_.left, 0.0F);
    const float* from = images_ + (image * frame_.rows + row) * frame_.row;
    askFor(from, kRowsAhead * frame_.row, frame_.row);
    to = std::copy_n(from, frame_.row, to);
    std::fill_n(to, frame_.right, 0.0F);
}

}  // namespace engine::backend::cpu
