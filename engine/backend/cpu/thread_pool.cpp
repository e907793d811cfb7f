#include "engine/backend/cpu/thread_pool.h"

#include "engine/backend/cpu/processor.h"
#include "engine/spec/error.h"

namespace engine::backend::cpu {
namespace {

// Spins take tens of nanoseconds each, a yield about a microsecond when nobody else wants the core.
constexpr int kSpins = 400, kYields = 2000;

// Waits until `ready()`; returns false when it gave up after spinning and yielding.
template <typename Ready>
bool waitBriefly(Ready&& ready) {
    for (int i = 0; i < kSpins; ++i) {
        if (ready()) return true;
        pauseCore();
    }
    for (int i = 0; i < kYields; ++i) {
        if (ready()) return true;
        std::this_thread::yield();
    }
    return ready();
}

}  // namespace

ThreadPool::ThreadPool(int threads) : size_(threads) {
    ENGINE_CHECK(threads >= 1);
    for (int i = 1; i < threads; ++i) threads_.emplace_back([this, i] { serve(i); });
}

ThreadPool::~ThreadPool() {
    ends_.store(true);
    round_.fetch_add(1);
    round_.notify_all();
}

void ThreadPool::run(Work& work) {
    work_ = &work;
    abandoned_.store(false, std::memory_order_relaxed);
    arrived_.store(0, std::memory_order_relaxed);
    working_.store(size_ - 1, std::memory_order_relaxed);
    if (size_ > 1) {
        round_.fetch_add(1, std::memory_order_release);
        round_.notify_all();
    }
    std::exception_ptr error;
    {
        const FlushDenormals flush;
        try {
            work.runThread(0);
        } catch (...) {
            error = std::current_exception();
            abandoned_.store(true, std::memory_order_release);
            phase_.fetch_add(1, std::memory_order_release);
            phase_.notify_all();
        }
    }
    const auto done = [this] { return working_.load(std::memory_order_acquire) == 0; };
    while (!waitBriefly(done)) {
        const int left = working_.load(std::memory_order_acquire);
        if (left != 0) working_.wait(left, std::memory_order_acquire);
    }
    if (error) std::rethrow_exception(error);
}

bool ThreadPool::barrier() {
    if (size_ == 1) return true;
    const std::uint32_t phase = phase_.load(std::memory_order_acquire);
    if (abandoned_.load(std::memory_order_acquire)) return false;
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) == size_ - 1) {
        arrived_.store(0, std::memory_order_relaxed);
        phase_.fetch_add(1, std::memory_order_acq_rel);
        phase_.notify_all();
    } else {
        const auto passed = [this, phase] { return phase_.load(std::memory_order_acquire) != phase; };
        while (!waitBriefly(passed)) phase_.wait(phase, std::memory_order_acquire);
    }
    return !abandoned_.load(std::memory_order_acquire);
}

void ThreadPool::serve(int thread) {
    const FlushDenormals flush;
    std::uint32_t seen = 0;
    for (;;) {
        const auto called = [this, seen] { return round_.load(std::memory_order_acquire) != seen; };
        while (!waitBriefly(called)) round_.wait(seen, std::memory_order_acquire);
        if (ends_.load()) return;
        ++seen;
        work_->runThread(thread);
        if (working_.fetch_sub(1, std::memory_order_acq_rel) == 1) working_.notify_all();
    }
}

}  // namespace engine::backend::cpu
