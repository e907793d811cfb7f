// Zeroed heap memory on a cache line's boundary.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace engine::distribute {

class AlignedMemory {
public:
    static constexpr std::size_t kAlignment = 128;

    AlignedMemory() = default;
    explicit AlignedMemory(std::size_t bytes) : bytes_(bytes) {
        const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
        if (rounded == 0) return;
        data_.reset(static_cast<std::byte*>(std::aligned_alloc(kAlignment, rounded)));
        if (!data_) throw std::bad_alloc();
        std::memset(data_.get(), 0, rounded);
    }
    std::span<std::byte> span() const { return {data_.get(), bytes_}; }

private:
    struct Free {
        void operator()(std::byte* p) const noexcept { std::free(p); }
    };
    std::unique_ptr<std::byte, Free> data_;
    std::size_t bytes_ = 0;
};

}  // namespace engine::distribute
