// Members of a collective as threads of the test.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "engine/distribute/loopback.h"
#include "engine/distribute/ring.h"

namespace tests::support {

// Runs fn(0) ... fn(n - 1), each on a thread; when all have ended, throws again what the first of them by rank threw.
inline void spawnRanks(int n, const std::function<void(int)>& fn) {
    std::vector<std::exception_ptr> errors(static_cast<std::size_t>(n));
    {
        std::vector<std::jthread> threads;
        for (int rank = 0; rank < n; ++rank) {
            threads.emplace_back([&, rank] {
                try {
                    fn(rank);
                } catch (...) {
                    errors[static_cast<std::size_t>(rank)] = std::current_exception();
                }
            });
        }
    }
    for (const std::exception_ptr& error : errors) {
        if (error) std::rethrow_exception(error);
    }
}

// The same with a loopback collective for each, which goes when fn returns or throws: the others then notice at once.
inline void spawnRanks(int n, const std::function<void(engine::distribute::Collective&)>& fn, engine::distribute::RingOptions options = {},
                       engine::distribute::LoopbackOptions loopback = {}) {
    auto transports = engine::distribute::makeLoopbackTransports(n, loopback);
    spawnRanks(n, std::function<void(int)>([&](int rank) {
                   const auto collective =
                       engine::distribute::makeRingCollective(std::move(transports[static_cast<std::size_t>(rank)]), options);
                   fn(*collective);
               }));
}

}  // namespace tests::support
