#include "engine/distribute/waiter.h"

#include <thread>

#include "engine/spec/error.h"

namespace engine::distribute {
namespace {

using namespace std::chrono_literals;

// A peer that is late by less than this is awaited without sleep: waking up costs some 50 us.
constexpr auto kYieldFor = 1ms;
constexpr auto kNapFor = 100ms;

void pauseCore() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

}  // namespace

void Waiter::idle(int peer) {
    if (rounds_++ < kSpins && (options_.eager == nullptr || options_.eager->load(std::memory_order_relaxed))) {
        if (options_.poll != nullptr) options_.poll->poll(0us);
        pauseCore();
        return;
    }
    slowIdle(peer);
}

void Waiter::slowIdle(int peer) {
    health_.check(peer);
    if (options_.cancelled != nullptr && options_.cancelled->load(std::memory_order_acquire)) {
        throw Error(ErrorCode::kCancelled, std::string(options_.what) + ": ended while it waited for " + toString(health_.name(peer)));
    }
    const auto now = Clock::now();
    if (rounds_ <= kSpins + 1) {
        idle_since_ = now;
        rounds_ = kSpins + 1;
    }
    if (options_.progress != nullptr) options_.progress->waitsFor(peer, idle_since_);
    if (now >= options_.deadline) {
        throw Error(ErrorCode::kDeadlineExceeded, std::string(options_.what) + ": gave up waiting for " + toString(health_.name(peer)) +
                                                      ", which is alive but did not answer before the operation's deadline");
    }
    const bool eager = options_.eager == nullptr || options_.eager->load(std::memory_order_relaxed);
    const auto waited = now - idle_since_;
    if (waited >= kNapFor) {
        rest(1000us);
    } else if (waited >= kYieldFor || !eager) {
        rest(100us);
    } else {
        rest(0us);
        std::this_thread::yield();
    }
}

// The computation has stood still where it waits itself; what waits beside it tells only whom it waits for.
void Waiter::tellEndOfWait() {
    if (options_.progress == nullptr || idle_since_ == Clock::time_point()) return;
    options_.progress->goesOn();
    if (options_.eager == nullptr) options_.progress->addWait(Clock::now() - idle_since_);
}

void Waiter::rest(std::chrono::microseconds time) {
    if (options_.poll != nullptr) {
        options_.poll->poll(time);
    } else if (time.count() > 0) {
        std::this_thread::sleep_for(time);
    }
}

}  // namespace engine::distribute
