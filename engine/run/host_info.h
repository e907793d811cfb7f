// What a computer has to offer, as its agent tells it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/spec/cluster/gpu.h"

namespace engine::run {

struct HostInfo {
    std::string host_name;
    std::string agent_version;
    std::string cpu_model;
    std::string vector_units;  // "AVX-512", "AVX2", "SSE2"
    int cores = 0;             // that the agent may use
    std::int64_t memory_bytes = 0, memory_available_bytes = 0;
    std::int64_t disk_available_bytes = 0;  // where runs are kept
    std::string runs_dir;
    spec::GpuInventory gpus;
    std::vector<std::string> datasets;   // names found on the host
    std::vector<std::string> addresses;  // of its interfaces, as numbers
    std::string runs_notice;             // what users should know of the index of runs, such as that it was damaged; empty: nothing
    std::string direct_notice{};         // why no paired computer is let in, of an agent with --listen; empty: they are
    friend bool operator==(const HostInfo&, const HostInfo&) = default;
};

}  // namespace engine::run
