// Counts what a whole program takes from operator new, on all its threads. Defines the operators: included by one source of a program.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace tests::support {

inline std::atomic<std::int64_t> allocations{0};

inline void* countedAllocation(std::size_t size, std::size_t alignment) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    const std::size_t rounded = (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
    if (void* memory = std::aligned_alloc(alignment, rounded)) return memory;
    throw std::bad_alloc();
}

// This is not inlined: the compiler would report a free() of what operator new gave as a mistake.
[[gnu::noinline]] inline void release(void* memory) noexcept {
    std::free(memory);
}

}  // namespace tests::support

void* operator new(std::size_t size) {
    return tests::support::countedAllocation(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return tests::support::countedAllocation(size, static_cast<std::size_t>(alignment));
}
// The standard library's temporary buffers: the same memory as every delete below frees.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    tests::support::allocations.fetch_add(1, std::memory_order_relaxed);
    return std::malloc(std::max<std::size_t>(size, 1));
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    tests::support::release(memory);
}
void operator delete(void* memory) noexcept {
    tests::support::release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    tests::support::release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    tests::support::release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    tests::support::release(memory);
}
