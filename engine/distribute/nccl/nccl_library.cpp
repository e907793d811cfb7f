#include "engine/distribute/nccl/nccl_library.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <future>
#include <thread>
#include <type_traits>
#include <utility>

#include <cuda_runtime.h>
#include <dlfcn.h>
#include <nccl.h>

#include "engine/spec/cluster/gpu.h"
#include "engine/spec/error.h"

namespace engine::distribute::nccl {
namespace {

static_assert(sizeof(CommunicatorId::bytes) == NCCL_UNIQUE_ID_BYTES);

constexpr const char* kFile = "libnccl.so.2";

// The library's functions; never unloaded, its threads may outlive a communicator.
struct Functions {
    decltype(&ncclGetVersion) get_version = nullptr;
    decltype(&ncclGetErrorString) get_error_string = nullptr;
    decltype(&ncclGetLastError) get_last_error = nullptr;
    decltype(&ncclGetUniqueId) get_unique_id = nullptr;
    decltype(&ncclCommInitRankConfig) comm_init_rank_config = nullptr;
    decltype(&ncclCommGetAsyncError) comm_get_async_error = nullptr;
    decltype(&ncclCommFinalize) comm_finalize = nullptr;
    decltype(&ncclCommDestroy) comm_destroy = nullptr;
    decltype(&ncclCommAbort) comm_abort = nullptr;
    decltype(&ncclAllReduce) all_reduce = nullptr;
    decltype(&ncclBroadcast) broadcast = nullptr;

    // The name of the first one that is missing; empty when there is none.
    std::string find(void* library) {
        std::string missing;
        const auto one = [&](const char* name, auto& function) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
            if (function == nullptr && missing.empty()) missing = name;
        };
        one("ncclGetVersion", get_version);
        one("ncclGetErrorString", get_error_string);
        one("ncclGetLastError", get_last_error);
        one("ncclGetUniqueId", get_unique_id);
        one("ncclCommInitRankConfig", comm_init_rank_config);
        one("ncclCommGetAsyncError", comm_get_async_error);
        one("ncclCommFinalize", comm_finalize);
        one("ncclCommDestroy", comm_destroy);
        one("ncclCommAbort", comm_abort);
        one("ncclAllReduce", all_reduce);
        one("ncclBroadcast", broadcast);
        return missing;
    }
};

// What trySum() needs: a stream, an event and a float of the device.
class Trial {
public:
    Trial() = default;
    ~Trial() {
        if (event != nullptr) cudaEventDestroy(event);
        if (stream != nullptr) cudaStreamDestroy(stream);
        if (data != nullptr) cudaFree(data);
    }
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

    cudaError_t make() {
        cudaError_t status = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        if (status == cudaSuccess) status = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
        if (status == cudaSuccess) status = cudaMalloc(reinterpret_cast<void**>(&data), sizeof(float));
        if (status == cudaSuccess) status = cudaMemsetAsync(data, 0, sizeof(float), stream);
        return status;
    }

    float* data = nullptr;
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
};

class NcclCommunicator final : public Communicator {
public:
    NcclCommunicator(const Functions& functions, const CommunicatorId& id, int rank, int size) : f_(functions) {
        cudaGetDevice(&device_);
        ncclUniqueId unique{};
        std::memcpy(unique.internal, id.bytes.data(), sizeof unique.internal);
        ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
        config.blocking = 0;
        const ncclResult_t result = f_.comm_init_rank_config(&comm_, size, unique, rank, &config);
        if (result != ncclSuccess && result != ncclInProgress) {
            throw Error(ErrorCode::kUnavailable, "NCCL: " + textOf(result));
        }
    }

    // Ends the communicator in order, unless something is still under way: then nobody could say how long that takes.
    ~NcclCommunicator() override {
        if (comm_ != nullptr) {
            const bool in_order = state().progress == Progress::kDone;
            end([f = f_, comm = std::exchange(comm_, nullptr), in_order] { in_order ? finish(f, comm) : void(f.comm_abort(comm)); });
        }
        // Who does not come back in time goes on alone: the library is never unloaded.
        if (ending_.valid()) ending_.wait_for(kLongestEnd);
    }

    State state() override {
        if (comm_ == nullptr) return {Progress::kFailed, "it was ended"};
        ncclResult_t result = ncclSuccess;
        if (const ncclResult_t asked = f_.comm_get_async_error(comm_, &result); asked != ncclSuccess) return stateOf(asked);
        if (result == ncclSuccess && trial_ && trial_is_recorded_) {
            const cudaError_t status = cudaEventQuery(trial_->event);
            if (status == cudaErrorNotReady) return {Progress::kGoesOn};
            trial_.reset();
            if (status != cudaSuccess) return {Progress::kFailed, cudaGetErrorString(status)};
        } else if (result == ncclSuccess && trial_) {
            const cudaError_t status = cudaEventRecord(trial_->event, trial_->stream);
            trial_is_recorded_ = true;
            return status == cudaSuccess ? State{Progress::kGoesOn} : State{Progress::kFailed, cudaGetErrorString(status)};
        }
        return stateOf(result);
    }

    State sum(float* data, std::size_t count, StreamCollective::Stream stream) override {
        return stateOf(f_.all_reduce(data, data, count, ncclFloat, ncclSum, comm_, static_cast<cudaStream_t>(stream)));
    }

    State broadcast(std::byte* data, std::size_t bytes, int root, StreamCollective::Stream stream) override {
        return stateOf(f_.broadcast(data, data, bytes, ncclInt8, root, comm_, static_cast<cudaStream_t>(stream)));
    }

    State trySum() override {
        trial_ = std::make_unique<Trial>();
        trial_is_recorded_ = false;
        if (const cudaError_t status = trial_->make(); status != cudaSuccess) return {Progress::kFailed, cudaGetErrorString(status)};
        const State state = sum(trial_->data, 1, trial_->stream);
        return state.progress == Progress::kDone ? State{Progress::kGoesOn} : state;
    }

    void abort() override {
        if (comm_ == nullptr) return;
        end([f = f_, comm = std::exchange(comm_, nullptr)] { f.comm_abort(comm); });
    }

private:
    // The library lets go of a communicator only when every graph that was captured with it is gone, and whoever holds the graphs may be
    // waiting for us: so on a thread of its own. What is under way on the device ends at once.
    template <typename Work>
    void end(Work work) {
        std::promise<void> done;
        ending_ = done.get_future();
        std::thread([device = device_, work = std::move(work), trial = std::shared_ptr(std::move(trial_)),
                     done = std::move(done)]() mutable {
            cudaSetDevice(device);
            work();
            trial.reset();  // its sum is over only now
            done.set_value();
        }).detach();
    }
    static void finish(const Functions& f, ncclComm_t comm) {
        constexpr int kPolls = 5000;
        ncclResult_t result = f.comm_finalize(comm);
        for (int i = 0; result == ncclInProgress && i < kPolls; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (f.comm_get_async_error(comm, &result) != ncclSuccess) break;
        }
        result == ncclSuccess ? f.comm_destroy(comm) : f.comm_abort(comm);
    }

    std::string textOf(ncclResult_t result) const {
        std::string text = f_.get_error_string(result);
        const char* last = comm_ == nullptr ? nullptr : f_.get_last_error(comm_);
        if (last != nullptr && *last != '\0') text += std::string(": ") + last;
        return text;
    }
    State stateOf(ncclResult_t result) const {
        if (result == ncclSuccess) return {Progress::kDone};
        if (result == ncclInProgress) return {Progress::kGoesOn};
        return {Progress::kFailed, textOf(result)};
    }

    static constexpr std::chrono::seconds kLongestEnd{5};

    const Functions& f_;
    int device_ = 0;
    ncclComm_t comm_ = nullptr;
    std::future<void> ending_;
    std::unique_ptr<Trial> trial_;
    bool trial_is_recorded_ = false;
};

class NcclLibrary final : public Library {
public:
    explicit NcclLibrary(const Functions& functions) : f_(functions) {}

    std::string version() const override {
        int number = 0;
        return f_.get_version(&number) == ncclSuccess ? spec::ncclVersionText(number) : "";
    }
    CommunicatorId newId() override {
        ncclUniqueId unique{};
        if (const ncclResult_t result = f_.get_unique_id(&unique); result != ncclSuccess) {
            throw Error(ErrorCode::kUnavailable, std::string("NCCL: ") + f_.get_error_string(result));
        }
        CommunicatorId id;
        std::memcpy(id.bytes.data(), unique.internal, sizeof unique.internal);
        return id;
    }
    std::unique_ptr<Communicator> join(const CommunicatorId& id, int rank, int size) override {
        return std::make_unique<NcclCommunicator>(f_, id, rank, size);
    }

private:
    const Functions f_;
};

}  // namespace

void prepareEnvironment() {
    ::setenv("NCCL_RUNTIME_CONNECT", "0", 0);
}

std::shared_ptr<Library> openLibrary(std::string& reason) {
    void* library = ::dlopen(kFile, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        reason = std::string(kFile) + " can't be loaded: " + ::dlerror();
        return nullptr;
    }
    Functions functions;
    if (const std::string missing = functions.find(library); !missing.empty()) {
        reason = std::string(kFile) + " is too old: it has no " + missing;
        ::dlclose(library);
        return nullptr;
    }
    return std::make_shared<NcclLibrary>(functions);
}

}  // namespace engine::distribute::nccl
