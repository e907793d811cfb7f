// Single elements of typed memory, at any alignment. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/tensor/dtype.h"
#include "engine/tensor/float16.h"

namespace engine::tensor {

template <typename T>
T load(const std::byte* data, std::int64_t index) {
    T value;
    std::memcpy(&value, data + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    return value;
}

// The element as float32. The upper half of a float32 is a bfloat16.
inline float elementValue(const std::byte* data, DType type, std::int64_t index) {
    switch (type) {
        case DType::kFloat32:
            return load<float>(data, index);
        case DType::kUInt8:
            return static_cast<float>(load<std::uint8_t>(data, index));
        case DType::kInt32:
            return static_cast<float>(load<std::int32_t>(data, index));
        case DType::kInt64:
            return static_cast<float>(load<std::int64_t>(data, index));
        case DType::kBFloat16: {
            const std::uint32_t word = std::uint32_t{load<std::uint16_t>(data, index)} << 16;
            float value;
            std::memcpy(&value, &word, sizeof value);
            return value;
        }
        case DType::kFloat16:
            return fromFloat16(load<std::uint16_t>(data, index));
    }
    return 0;
}

}  // namespace engine::tensor
