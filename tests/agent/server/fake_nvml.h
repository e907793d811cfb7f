// What the stand-in for libnvidia-ml tells. A test finds fakeNvml() in the loaded library and changes what it returns.
#pragma once

#include <string>
#include <vector>

namespace tests::agent_server {

struct FakeGpuProcess {
    unsigned pid = 0;
    unsigned long long used_bytes = 0;
};

struct FakeGpu {
    std::string name = "NVIDIA H200", uuid;
    unsigned long long memory_bytes = 150'754'820'096, free_bytes = 149'000'000'000;
    int capability_major = 9, capability_minor = 0;
    unsigned busy_percent = 0;
    std::vector<FakeGpuProcess> processes{};
    bool is_lost = false;
};

struct FakeNvml {
    int init_status = 0;  // NVML's
    int init_calls = 0, shutdown_calls = 0;
    std::string driver_version = "580.65.06";
    int cuda_version = 13000;
    std::vector<FakeGpu> gpus;
    int nccl_version = 22803;
};

}  // namespace tests::agent_server
