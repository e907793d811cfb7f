#include "engine/tensor/tensor_memory.h"

#include <algorithm>
#include <cstring>
#include <new>

#include <sys/mman.h>

namespace engine::tensor {
namespace {

// A large page of most processors, and what is filled to whole pages: of less, more would be wasted than a step gains.
constexpr std::size_t kLargePage = std::size_t{2} << 20, kLarge = std::size_t{1} << 20;

std::size_t wholePages(std::size_t bytes) {
    return (bytes + kLargePage - 1) / kLargePage * kLargePage;
}

}  // namespace

TensorMemory::TensorMemory(std::int64_t bytes) : bytes_(static_cast<std::size_t>(bytes)) {
    const bool is_large = bytes_ >= kLarge;
    const std::size_t alignment = is_large ? kLargePage : kAlignment, size = is_large ? wholePages(bytes_) : std::max(bytes_, kAlignment);
    data_ = {static_cast<std::byte*>(::operator new (size, std::align_val_t{alignment})), Free{alignment}};
#ifdef MADV_HUGEPAGE
    if (is_large) ::madvise(data_.get(), size, MADV_HUGEPAGE);  // a wish: without large pages everything works as well
#endif
    std::memset(data_.get(), 0, std::max(bytes_, std::min(size, kAlignment)));
}

void TensorMemory::Free::operator()(std::byte* memory) const noexcept {
    ::operator delete (memory, std::align_val_t{alignment});
}

}  // namespace engine::tensor
