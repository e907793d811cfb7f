#include "agent/load/gpu_probe.h"
#include "engine/thread/mutex.h"

#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include <dlfcn.h>

namespace agent::load {

namespace spec = engine::spec;

namespace {

// NVML's interface as far as it is used here: numbers and layouts that its versioned names keep for good.
using Device = struct DeviceRecord*;
constexpr int kSuccess = 0, kInsufficientSize = 7;
constexpr unsigned kTextBytes = 96;

struct Memory {
    unsigned long long total, free, used;
};
struct Utilization {
    unsigned gpu, memory;  // percent
};
struct NvmlProcess {
    unsigned pid;
    unsigned long long used_bytes;  // ~0: not told
    unsigned gpu_instance, compute_instance;
};
constexpr unsigned long long kNotTold = ~0ULL;

// A library that is closed with it; empty when it could not be loaded.
class Library {
public:
    Library(const std::string& name, std::string& problem) : handle_(::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (handle_ == nullptr) {
            problem = ::dlerror();
        }
    }
    ~Library() {
        if (handle_ != nullptr) {
            ::dlclose(handle_);
        }
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    explicit operator bool() const { return handle_ != nullptr; }
    template <typename Function>
    bool find(const char* name, Function*& function) const {
        function = reinterpret_cast<Function*>(::dlsym(handle_, name));
        return function != nullptr;
    }

private:
    void* handle_;
};

bool hasDriver() {
    std::error_code error;
    return std::filesystem::exists("/proc/driver/nvidia/version", error) || std::filesystem::exists("/dev/dxg", error);
}

}  // namespace

// The library, initialised.
class GpuProbe::Nvml {
public:
    // nullptr, and why in `reason`.
    static std::unique_ptr<Nvml> open(const std::string& name, std::string& reason) {
        std::string problem;
        std::unique_ptr<Nvml> nvml(new Nvml(name, problem));
        if (!nvml->library_) {
            reason = hasDriver() ? "the NVIDIA driver's library can't be loaded: " + problem : "no NVIDIA driver";
            return nullptr;
        }
        if (!nvml->findAll()) {
            reason = name + " is not the NVIDIA driver's, or too old";
            return nullptr;
        }
        const int status = nvml->init_();
        if (status != kSuccess) {
            reason = std::string("the NVIDIA driver does not answer: ") + nvml->error_string_(status);
            return nullptr;
        }
        nvml->initialised_ = true;
        return nvml;
    }
    ~Nvml() {
        if (initialised_) {
            shutdown_();
        }
    }
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    // nullopt and `reason` when the driver does not tell.
    std::optional<std::vector<Device>> devices(std::string& reason) const {
        unsigned count = 0;
        if (const int status = device_count_(&count); status != kSuccess) {
            reason = std::string("the NVIDIA driver does not answer: ") + error_string_(status);
            return std::nullopt;
        }
        std::vector<Device> devices;
        for (unsigned i = 0; i < count; ++i) {
            Device device = nullptr;
            if (device_by_index_(i, &device) == kSuccess) {  // else it fell off the bus, or is another user's
                devices.push_back(device);
            }
        }
        return devices;
    }
    std::string driverVersion() const {
        std::array<char, kTextBytes> text{};
        return driver_version_(text.data(), kTextBytes) == kSuccess ? text.data() : "";
    }
    int cudaVersion() const {
        int version = 0;
        return cuda_version_(&version) == kSuccess ? version : 0;
    }
    std::string name(Device device) const { return text(name_, device); }
    std::string uuid(Device device) const { return text(uuid_, device); }
    Memory memory(Device device) const {
        Memory memory{};
        return memory_(device, &memory) == kSuccess ? memory : Memory{};
    }
    std::pair<int, int> capability(Device device) const {
        std::pair<int, int> value{0, 0};
        return capability_(device, &value.first, &value.second) == kSuccess ? value : std::pair(0, 0);
    }
    double busy(Device device) const {
        Utilization use{};
        return utilization_(device, &use) == kSuccess ? use.gpu / 100.0 : 0;
    }
    std::vector<NvmlProcess> processes(Device device) const {
        std::vector<NvmlProcess> found(16);
        for (int attempt = 0; attempt < 4; ++attempt) {  // some may begin meanwhile
            auto count = static_cast<unsigned>(found.size());
            const int status = processes_(device, &count, found.data());
            if (status == kInsufficientSize) {
                found.resize(count + 16);
                continue;
            }
            found.resize(status == kSuccess ? count : 0);
            return found;
        }
        return {};
    }

private:
    using TextOf = int(Device, char*, unsigned);

    Nvml(const std::string& name, std::string& problem) : library_(name, problem) {}

    bool findAll() {
        return library_.find("nvmlInit_v2", init_) && library_.find("nvmlShutdown", shutdown_) &&
               library_.find("nvmlErrorString", error_string_) && library_.find("nvmlSystemGetDriverVersion", driver_version_) &&
               library_.find("nvmlSystemGetCudaDriverVersion_v2", cuda_version_) && library_.find("nvmlDeviceGetCount_v2", device_count_) &&
               library_.find("nvmlDeviceGetHandleByIndex_v2", device_by_index_) && library_.find("nvmlDeviceGetName", name_) &&
               library_.find("nvmlDeviceGetUUID", uuid_) && library_.find("nvmlDeviceGetMemoryInfo", memory_) &&
               library_.find("nvmlDeviceGetCudaComputeCapability", capability_) &&
               library_.find("nvmlDeviceGetUtilizationRates", utilization_) &&
               library_.find("nvmlDeviceGetComputeRunningProcesses_v3", processes_);
    }
    static std::string text(TextOf* function, Device device) {
        std::array<char, kTextBytes> text{};
        return function(device, text.data(), kTextBytes) == kSuccess ? text.data() : "";
    }

    Library library_;
    bool initialised_ = false;
    int (*init_)() = nullptr;
    int (*shutdown_)() = nullptr;
    const char* (*error_string_)(int) = nullptr;
    int (*driver_version_)(char*, unsigned) = nullptr;
    int (*cuda_version_)(int*) = nullptr;
    int (*device_count_)(unsigned*) = nullptr;
    int (*device_by_index_)(unsigned, Device*) = nullptr;
    TextOf* name_ = nullptr;
    TextOf* uuid_ = nullptr;
    int (*memory_)(Device, Memory*) = nullptr;
    int (*capability_)(Device, int*, int*) = nullptr;
    int (*utilization_)(Device, Utilization*) = nullptr;
    int (*processes_)(Device, unsigned*, NvmlProcess*) = nullptr;
};

GpuProbe::GpuProbe(GpuLibraries libraries, std::optional<std::string> visible_devices)
    : libraries_(std::move(libraries)), visible_devices_(std::move(visible_devices)) {}

GpuProbe::~GpuProbe() = default;

const GpuProbe::Nvml* GpuProbe::opened() {
    if (!nvml_) {
        nvml_ = Nvml::open(libraries_.nvml, no_gpu_reason_);
    }
    return nvml_.get();
}

// The library is only asked for its version: it stays with those who need it.
void GpuProbe::findNccl() {
    if (!nccl_version_.empty()) {
        return;
    }
    std::string problem;
    const Library nccl(libraries_.nccl, problem);
    int (*version_of)(int*) = nullptr;
    int version = 0;
    if (!nccl) {
        no_nccl_reason_ = libraries_.nccl + " is not installed";
    } else if (!nccl.find("ncclGetVersion", version_of) || version_of(&version) != 0) {
        no_nccl_reason_ = libraries_.nccl + " does not tell its version";
    } else {
        nccl_version_ = spec::ncclVersionText(version);
        no_nccl_reason_.clear();
    }
}

spec::GpuInventory GpuProbe::inventory() {
    const engine::MutexLock lock(mutex_);
    spec::GpuInventory inventory;
    const Nvml* nvml = opened();
    const auto devices = nvml == nullptr ? std::nullopt : nvml->devices(no_gpu_reason_);
    if (!devices || devices->empty()) {
        inventory.no_gpu_reason = devices ? "an NVIDIA driver, but no GPU" : no_gpu_reason_;
        inventory.no_nccl_reason = "no GPU";
        return inventory;
    }
    inventory.driver_version = nvml->driverVersion();
    inventory.cuda_version = nvml->cudaVersion();
    for (const Device device : *devices) {
        const Memory memory = nvml->memory(device);
        const auto [major, minor] = nvml->capability(device);
        inventory.gpus.push_back({nvml->name(device), nvml->uuid(device), static_cast<std::int64_t>(memory.total),
                                  static_cast<std::int64_t>(memory.free), major, minor});
    }
    spec::hideGpus(inventory, visible_devices_);
    findNccl();
    inventory.nccl_version = nccl_version_;
    inventory.no_nccl_reason = no_nccl_reason_;
    return inventory;
}

GpuUse GpuProbe::use() {
    const engine::MutexLock lock(mutex_);
    GpuUse use;
    const Nvml* nvml = opened();
    std::string reason;
    const auto devices = nvml == nullptr ? std::nullopt : nvml->devices(reason);
    if (!devices) {
        return use;
    }
    for (const Device device : *devices) {
        const Memory memory = nvml->memory(device);
        use.gpus.push_back(
            {nvml->name(device), nvml->busy(device), static_cast<std::int64_t>(memory.used), static_cast<std::int64_t>(memory.total)});
        for (const NvmlProcess& process : nvml->processes(device)) {
            if (process.used_bytes != kNotTold) {
                use.process_memory_bytes[static_cast<int>(process.pid)] += static_cast<std::int64_t>(process.used_bytes);
            }
        }
    }
    return use;
}

}  // namespace agent::load
