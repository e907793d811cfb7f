// A libnvidia-ml.so.1 and a libnccl.so.2 that tell what a test has written into fakeNvml().
#include "tests/agent/server/fake_nvml.h"

#include <algorithm>
#include <cstring>

namespace {

tests::agent_server::FakeNvml state;

struct Memory {
    unsigned long long total, free, used;
};
struct Utilization {
    unsigned gpu, memory;
};
struct Process {
    unsigned pid;
    unsigned long long used_bytes;
    unsigned gpu_instance, compute_instance;
};
using Gpu = tests::agent_server::FakeGpu;

constexpr int kInvalidArgument = 2, kInsufficientSize = 7, kGpuIsLost = 15;

int copy(const std::string& text, char* out, unsigned bytes) {
    if (text.size() + 1 > bytes) return kInsufficientSize;
    std::memcpy(out, text.c_str(), text.size() + 1);
    return 0;
}

}  // namespace

extern "C" {

tests::agent_server::FakeNvml* fakeNvml() {
    return &state;
}

int nvmlInit_v2() {
    ++state.init_calls;
    return state.init_status;
}
int nvmlShutdown() {
    ++state.shutdown_calls;
    return 0;
}
const char* nvmlErrorString(int status) {
    return status == 9 ? "Driver Not Loaded" : "Unknown Error";
}
int nvmlSystemGetDriverVersion(char* out, unsigned bytes) {
    return copy(state.driver_version, out, bytes);
}
int nvmlSystemGetCudaDriverVersion_v2(int* version) {
    *version = state.cuda_version;
    return 0;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
    *count = static_cast<unsigned>(state.gpus.size());
    return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, Gpu** device) {
    if (index >= state.gpus.size()) return kInvalidArgument;
    if (state.gpus[index].is_lost) return kGpuIsLost;
    *device = &state.gpus[index];
    return 0;
}
int nvmlDeviceGetName(Gpu* device, char* out, unsigned bytes) {
    return copy(device->name, out, bytes);
}
int nvmlDeviceGetUUID(Gpu* device, char* out, unsigned bytes) {
    return copy(device->uuid, out, bytes);
}
int nvmlDeviceGetMemoryInfo(Gpu* device, Memory* memory) {
    *memory = {device->memory_bytes, device->free_bytes, device->memory_bytes - device->free_bytes};
    return 0;
}
int nvmlDeviceGetCudaComputeCapability(Gpu* device, int* major, int* minor) {
    *major = device->capability_major;
    *minor = device->capability_minor;
    return 0;
}
int nvmlDeviceGetUtilizationRates(Gpu* device, Utilization* rates) {
    *rates = {device->busy_percent, 0};
    return 0;
}
int nvmlDeviceGetComputeRunningProcesses_v3(Gpu* device, unsigned* count, Process* out) {
    const auto room = *count;
    *count = static_cast<unsigned>(device->processes.size());
    if (room < *count) return kInsufficientSize;
    std::transform(device->processes.begin(), device->processes.end(), out, [](const auto& one) {
        return Process{one.pid, one.used_bytes, ~0U, ~0U};
    });
    return 0;
}

int ncclGetVersion(int* version) {
    *version = state.nccl_version;
    return state.nccl_version == 0 ? 1 : 0;
}
}
