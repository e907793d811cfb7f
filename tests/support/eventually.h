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

}  // namespace tests::support
