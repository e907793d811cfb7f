// Memory for tensors: zeroed, and where it is large in large pages, if the system has them for who asks (Linux: "madvise" or "always" in
// transparent_hugepage/enabled). A step passes over all of its memory: in pages of 4 KiB these are more than a processor keeps at hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace engine::tensor {

class TensorMemory {
public:
    // Values begin on lines of the cache.
    static constexpr std::size_t kAlignment = 64;

    TensorMemory() = default;
    // `bytes` >= 0. Throws std::bad_alloc.
    explicit TensorMemory(std::int64_t bytes);

    std::byte* data() const { return data_.get(); }
    std::span<std::byte> span() const { return {data_.get(), bytes_}; }

private:
    struct Free {
        std::size_t alignment;
        void operator()(std::byte* memory) const noexcept;
    };
    std::unique_ptr<std::byte, Free> data_{nullptr, Free{kAlignment}};
    std::size_t bytes_ = 0;
};

}  // namespace engine::tensor
