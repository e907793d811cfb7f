#include "agent/transport/push_box.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace agent::worker {
namespace {

// Longer than a cache line takes between cores; the other side is often on another core and about to answer.
constexpr int kSpins = 64;

void pauseCore() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

}  // namespace

void SharedCounter::increment() {
    value_.fetch_add(1, std::memory_order_seq_cst);
    if (sleepers_.load(std::memory_order_seq_cst) != 0) {
        ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&value_), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
    }
}

bool SharedCounter::waitBeyond(std::uint32_t seen, std::chrono::steady_clock::time_point deadline) {
    for (int i = 0; i < kSpins; ++i) {
        if (load() != seen) return true;
        pauseCore();
    }
    while (load() == seen) {
        const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - std::chrono::steady_clock::now()).count();
        if (left <= 0) return false;
        const std::timespec wait{static_cast<std::time_t>(left / 1000000000), static_cast<long>(left % 1000000000)};
        sleepers_.fetch_add(1, std::memory_order_seq_cst);
        ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&value_), FUTEX_WAIT, seen, &wait, nullptr, 0);
        sleepers_.fetch_sub(1, std::memory_order_seq_cst);
    }
    return true;
}

}  // namespace agent::worker
