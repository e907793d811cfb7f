// Waits for a fact that other threads or processes bring about.
#pragma once

#include <chrono>
#include <thread>

namespace tests::support {

// Asks until it holds. False at the deadline, which is there against what hangs: a loaded machine takes many times as long as an idle one.
template <typename Fact>
bool eventually(const Fact& fact, std::chrono::milliseconds deadline = std::chrono::minutes(3)) {
    const auto end = std::chrono::steady_clock::now() + deadline;
    while (!fact()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

// Of what a moment decides: whether it holds in one of so many tries. A fault fails them all; a machine that lets a thread wait for longer
// than the moment fails one.
template <typename Try>
bool holdsOnce(const Try& attempt, int tries = 5) {
    for (int i = 0; i < tries; ++i) {
        if (attempt()) return true;
    }
    return false;
}

}  // namespace tests::support
