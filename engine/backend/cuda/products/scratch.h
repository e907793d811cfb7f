// Pieces of an op's scratch memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace engine::backend::cuda {

class ScratchLayout {
public:
    // Adds a piece of `bytes` and returns where it begins, in bytes.
    std::int64_t add(std::int64_t bytes) {
        const std::int64_t at = bytes_;
        bytes_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
        return at;
    }
    std::int64_t bytes() const { return bytes_; }

private:
    static constexpr std::int64_t kAlignment = 256;
    std::int64_t bytes_ = 0;
};

}  // namespace engine::backend::cuda
