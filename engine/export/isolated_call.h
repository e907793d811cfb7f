// Work on foreign bytes in a process of its own, for libraries that damaged files can crash, send round in circles or talk into taking all
// memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace engine::exporter {

struct IsolatedLimits {
    std::chrono::seconds deadline{10};        // by the clock, busy machines included
    std::chrono::seconds processor_time{2};   // of the work itself
    std::uint64_t memory_bytes = 512u << 20;  // beyond what this process had when it was forked
};

// What `work` returns, called in a forked child that shares nothing with this process afterwards: it may use memory and pure functions, but
// no lock that another thread of this process may hold. An Error it throws is thrown here. Throws Error(kDataLoss) with `what` in front
// when the child crashed, was not done within its limits or asked for more memory; kResourceExhausted when it could not be started.
std::string callIsolated(const std::function<std::string()>& work, const std::string& what, const IsolatedLimits& limits);

}  // namespace engine::exporter
