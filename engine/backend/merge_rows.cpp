#include "engine/backend/merge_rows.h"

#include <algorithm>

namespace engine::backend {
namespace {

std::int64_t rowOfB(const plan::MergeAttributes& merge, const MergeSizes& sizes, std::int64_t row) {
    return merge.turned ? sizes.rows - 1 - row : row;
}

}  // namespace

MergeSizes mergeSizes(const spec::Shape& a, const spec::Shape& b) {
    MergeSizes sizes{.rows = 1, .a_width = a.back(), .b_width = b.back()};
    for (std::size_t axis = 1; axis + 1 < a.size(); ++axis) sizes.rows *= a[axis];
    return sizes;
}

void mergeSample(const plan::MergeAttributes& merge, const MergeSizes& sizes, const float* a, const float* b, float* y) {
    const std::int64_t width = sizes.a_width;
    for (std::int64_t row = 0; row < sizes.rows; ++row) {
        const float* first = a + row * width;
        const float* second = b + rowOfB(merge, sizes, row) * sizes.b_width;
        switch (merge.mode) {
            case plan::MergeMode::kConcat:
                y = std::copy_n(first, width, y);
                y = std::copy_n(second, sizes.b_width, y);
                continue;
            case plan::MergeMode::kSum:
                for (std::int64_t i = 0; i < width; ++i) y[i] = first[i] + second[i];
                break;
            case plan::MergeMode::kAverage:
                for (std::int64_t i = 0; i < width; ++i) y[i] = (first[i] + second[i]) / 2;
                break;
            case plan::MergeMode::kMultiply:
                for (std::int64_t i = 0; i < width; ++i) y[i] = first[i] * second[i];
                break;
        }
        y += width;
    }
}

void mergeSampleBack(const plan::MergeAttributes& merge, const MergeSizes& sizes, const float* a, const float* b, const float* dy,
                     float* da, float* db) {
    const std::int64_t width = sizes.a_width;
    for (std::int64_t row = 0; row < sizes.rows; ++row) {
        const std::int64_t other = rowOfB(merge, sizes, row) * sizes.b_width;
        float* first = da + row * width;
        float* second = db + other;
        if (merge.mode == plan::MergeMode::kConcat) {
            std::copy_n(dy, width, first);
            std::copy_n(dy + width, sizes.b_width, second);
            dy += width + sizes.b_width;
            continue;
        }
        const bool multiplies = merge.mode == plan::MergeMode::kMultiply;
        const float share = merge.mode == plan::MergeMode::kAverage ? 0.5F : 1.0F;
        for (std::int64_t i = 0; i < width; ++i) {
            first[i] = dy[i] * (multiplies ? b[other + i] : share);
            second[i] = dy[i] * (multiplies ? a[row * width + i] : share);
        }
        dy += width;
    }
}

}  // namespace engine::backend
