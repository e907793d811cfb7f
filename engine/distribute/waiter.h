// How an operation waits: spins for an instant, then gives the core away, then sleeps; looks at the peers and at its deadline.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "engine/distribute/exchange_progress.h"
#include "engine/distribute/transport.h"

namespace engine::distribute {

struct WaiterOptions {
    std::chrono::steady_clock::time_point deadline;
    const char* what = "";      // the operation in the error's words; a string literal
    Transport* poll = nullptr;  // asked to move bytes while waiting; null where the peers write into our memory themselves
    const std::atomic<bool>* cancelled = nullptr;
    const std::atomic<bool>* eager = nullptr;  // false: nobody waits for the result yet, so take no core from the computation
    ExchangeProgress* progress = nullptr;      // told of waits; null: nobody asks
};

// One per operation, on the stack of the thread that waits. What the options point to must outlive it, and so must `health`.
class Waiter {
public:
    using Clock = std::chrono::steady_clock;

    Waiter(PeerHealth& health, const WaiterOptions& options) : health_(health), options_(options) {}
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;
    ~Waiter() { moved(); }

    // Nothing could be done: waits a little. `peer` is the one whose turn it is. Throws Error: kUnavailable (a peer is lost),
    // kDeadlineExceeded (naming `peer`), kCancelled.
    void idle(int peer);
    void moved() {
        if (rounds_ > kSpins) tellEndOfWait();
        rounds_ = 0;
    }

private:
    // About two microseconds: longer than a cache line takes between cores, shorter than a switch to another process.
    static constexpr int kSpins = 64;

    void slowIdle(int peer);
    void tellEndOfWait();
    void rest(std::chrono::microseconds time);

    PeerHealth& health_;
    const WaiterOptions options_;
    int rounds_ = 0;
    Clock::time_point idle_since_{};
};

}  // namespace engine::distribute
