// A computer as the fake agent describes it.
#pragma once

#include "agent/client/agent_client.h"

namespace tests {

inline engine::run::HostInfo sampleHost() {
    engine::run::HostInfo host;
    host.host_name = "laptop";
    host.agent_version = "0.1.0";
    host.cpu_model = "Example CPU";
    host.vector_units = "AVX-512";
    host.cores = 8;
    host.memory_bytes = 16'642'998'272;
    host.memory_available_bytes = 12'025'908'428;
    host.disk_available_bytes = 44'023'414'784;
    host.runs_dir = "/runs";
    host.gpus.no_gpu_reason = "no NVIDIA driver";
    host.datasets = {"mnist"};
    return host;
}

}  // namespace tests
