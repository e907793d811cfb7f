// Places among the cells of images. Only .cu files include it.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

#include "engine/backend/cuda/kernels/division.h"
#include "engine/plan/plan.h"

namespace engine::backend::cuda {

struct ImagePlace {
    std::int64_t image, channel;
    int row, column;
};
// Splits a place in a tensor of (N, H, W, C), or in one that plan::imageShape() counts as such, into image, row, column and channel.
struct ImageGrid {
    Division channels, width, height;

    explicit ImageGrid(const spec::Shape& shape) {
        const spec::Shape image = plan::imageShape(shape);
        height = Division(image[1]);
        width = Division(image[2]);
        channels = Division(image[3]);
    }
    __device__ ImagePlace place(std::int64_t at) const {
        const Division::Parts cell = channels(at), pixel = width(cell.quotient), row = height(pixel.quotient);
        return {row.quotient, cell.rest, static_cast<int>(row.rest), static_cast<int>(pixel.rest)};
    }
    __device__ std::int64_t at(std::int64_t image, int row, int column, std::int64_t channel) const {
        return ((image * height.divisor() + row) * width.divisor() + column) * channels.divisor() + channel;
    }
};

}  // namespace engine::backend::cuda
