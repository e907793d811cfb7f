#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace engine::tensor {

enum class DType { kFloat32, kBFloat16, kFloat16, kUInt8, kInt32, kInt64 };

constexpr std::size_t sizeOf(DType type) {
    switch (type) {
        case DType::kFloat32:
            return 4;
        case DType::kBFloat16:
        case DType::kFloat16:
            return 2;
        case DType::kUInt8:
            return 1;
        case DType::kInt32:
            return 4;
        case DType::kInt64:
            return 8;
    }
    return 0;
}

// A float of 16 bits.
constexpr bool isLow(DType type) {
    return type == DType::kBFloat16 || type == DType::kFloat16;
}

std::string_view toString(DType type);  // "float32": Keras' names

}  // namespace engine::tensor
