// The way back through relu, and the bias' gradient, in one pass over dy. Only .cu files include it.
#pragma once

#include <cstdint>

#include "engine/backend/cuda/kernels/column_sums.h"
#include "engine/backend/cuda/kernels/values.h"

namespace engine::backend::cuda {

// dz = dy where y is positive; sums of its columns. Without y (linear) dz is dy, and nothing is stored.
template <typename T>
struct ReluGradient {
    const T *dy, *y;
    T* dz;
    std::int64_t columns;

    template <int width>
    __device__ void add(std::int64_t row, std::int64_t column, SumsOfColumns<1, width>& to) const {
        const std::int64_t at = row * columns + column;
        float values[width];
        loadPack(dy + at, values);
        if (y != nullptr) {
            float outputs[width];
            loadPack(y + at, outputs);
#pragma unroll
            for (int i = 0; i < width; ++i) values[i] = outputs[i] > 0 ? values[i] : 0;
            if (dz != nullptr) storePack(dz + at, values);
        }
#pragma unroll
        for (int i = 0; i < width; ++i) to.values[0][i] += values[i];
    }
};

}  // namespace engine::backend::cuda
