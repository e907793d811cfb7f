#include "engine/backend/cuda/backend.h"

#include <array>
#include <cstdio>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/backend/cuda/cuda_executor.h"
#include "engine/distribute/nccl/nccl_library.h"
#include "engine/spec/cluster/gpu.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace engine::backend::cuda {
namespace {

std::string versionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string uuidText(const char (&bytes)[16]) {
    std::string text = "GPU";
    for (int i = 0; i < 16; ++i) {
        std::array<char, 4> byte{};
        std::snprintf(byte.data(), byte.size(), "%02x", static_cast<unsigned>(static_cast<unsigned char>(bytes[i])));
        text += (i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "") + std::string(byte.data());
    }
    return text;
}

GpuDevice deviceAt(int index) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, index), "GPU:" + std::to_string(index));
    GpuDevice device;
    device.index = index;
    device.name = properties.name;
    device.uuid = uuidText(properties.uuid.bytes);
    device.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    device.major = properties.major;
    device.minor = properties.minor;
    return device;
}

class Backend final : public GpuBackend {
public:
    explicit Backend(std::vector<GpuDevice> devices) : devices_(std::move(devices)) {}

    std::vector<GpuDevice> devices() const override { return devices_; }

    std::unique_ptr<Executor> makeExecutor(const plan::Plan& plan, Variables& variables, const ExecutorOptions& options) override {
        return std::make_unique<CudaExecutor>(plan, variables, options, sessionOf(deviceOf(plan)));
    }

    void setOptions(const GpuOptions& options) override {
        const MutexLock lock(mutex_);
        options_ = options;
    }
    std::map<std::string, std::string> choices() const override { return choices_.all(); }
    void setChoices(const std::map<std::string, std::string>& choices) override {
        for (const auto& [work, algorithm] : choices) choices_.remember(work, algorithm);
    }
    std::string describe() const override {
        int driver = 0, runtime = 0;
        check(cudaDriverGetVersion(&driver), "driver");
        check(cudaRuntimeGetVersion(&runtime), "runtime");
        return "CUDA " + versionText(runtime) + ", driver for CUDA " + versionText(driver);
    }
    std::string ncclVersion(std::string& reason) override {
        const auto library = nccl(reason);
        return library == nullptr ? "" : library->version();
    }
    distribute::nccl::NcclConnection connectNccl(int index, distribute::Collective& host) override {
        const DeviceGuard guard(cardOf(index));
        std::string reason;
        std::shared_ptr<distribute::nccl::Library> library = nccl(reason);
        if (library == nullptr) return {.collective = nullptr, .problem = reason};
        return distribute::nccl::connect(host, std::move(library));
    }

private:
    // The runtime's number.
    int cardOf(int logical) const { return devices_[static_cast<std::size_t>(logical) % devices_.size()].index; }

    // Opened when it is first asked for.
    std::shared_ptr<distribute::nccl::Library> nccl(std::string& reason) {
        const MutexLock lock(mutex_);
        if (!nccl_is_known_) nccl_ = distribute::nccl::openLibrary(no_nccl_reason_);
        nccl_is_known_ = true;
        reason = no_nccl_reason_;
        return nccl_;
    }

    // Logical devices beyond those of the machine share them, each with streams and libraries of its own. A session lives as long as one
    // of its executors: its memory goes with the last one.
    std::shared_ptr<Session> sessionOf(int logical) {
        const MutexLock lock(mutex_);
        const auto key = std::make_tuple(logical, options_.tensor_float_32_execution, options_.op_determinism);
        if (auto session = sessions_[key].lock()) return session;
        const int device = cardOf(logical);
        const DeviceGuard guard(device);
        const LibraryOptions options{
            .device = {}, .tensor_float_32 = options_.tensor_float_32_execution, .tries = !options_.op_determinism};
        auto session = std::make_shared<Session>(device, options, choices_);
        sessions_[key] = session;
        return session;
    }

    const std::vector<GpuDevice> devices_;
    Mutex mutex_;
    GpuOptions options_;
    Choices choices_;
    std::map<std::tuple<int, bool, bool>, std::weak_ptr<Session>> sessions_;
    bool nccl_is_known_ = false;
    std::shared_ptr<distribute::nccl::Library> nccl_;
    std::string no_nccl_reason_;
};

}  // namespace

int deviceOf(const plan::Plan& plan) {
    for (const plan::Op& op : plan.ops) {
        const std::size_t at = op.device.rfind("GPU:");
        if (at == std::string::npos) continue;
        int index = 0;
        for (std::size_t i = at + 4; i < op.device.size() && op.device[i] >= '0' && op.device[i] <= '9'; ++i) {
            index = index * 10 + (op.device[i] - '0');
        }
        return index;
    }
    return 0;
}

std::unique_ptr<GpuBackend> makeBackend(std::string* reason) {
    const auto refuse = [&](const std::string& why) -> std::unique_ptr<GpuBackend> {
        if (reason != nullptr) *reason = why;
        return nullptr;
    };
    int driver = 0, runtime = 0, count = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) return refuse("no NVIDIA driver is installed");
    check(cudaRuntimeGetVersion(&runtime), "runtime");
    // Within a CUDA major version any driver will do.
    if (driver / 1000 < runtime / 1000) {
        return refuse("the NVIDIA driver is too old: it is for CUDA " + versionText(driver) + ", CUDA " +
                      versionText(runtime / 1000 * 1000) + " or newer is needed");
    }
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess && status != cudaErrorNoDevice) {
        cudaGetLastError();
        return refuse(std::string("the NVIDIA driver does not answer: ") + cudaGetErrorString(status));
    }
    if (status == cudaErrorNoDevice || count == 0) return refuse("the NVIDIA driver finds no GPU");
    std::vector<GpuDevice> devices;
    std::string obstacle;
    for (int i = 0; i < count; ++i) {
        const GpuDevice device = deviceAt(i);
        const std::string why = spec::gpuObstacle(spec::Gpu{device.name, device.uuid, device.memory_bytes, 0, device.major, device.minor});
        if (why.empty()) devices.push_back(device);
        if (obstacle.empty()) obstacle = why;
    }
    if (devices.empty()) return refuse(obstacle);
    distribute::nccl::prepareEnvironment();
    return std::make_unique<Backend>(std::move(devices));
}

}  // namespace engine::backend::cuda
