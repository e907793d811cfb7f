// What the executors of one device share: its streams, libraries, variables and data sets. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "engine/backend/cuda/handles.h"
#include "engine/backend/cuda/libraries.h"
#include "engine/backend/executor.h"
#include "engine/tensor/batch_view.h"

namespace engine::backend::cuda {

// The device's copy of a Variables store, of the same layout.
class DeviceVariables {
public:
    explicit DeviceVariables(const Variables& variables);
    DeviceVariables(const DeviceVariables&) = delete;
    DeviceVariables& operator=(const DeviceVariables&) = delete;

    // The device's copy of `values`, which point into the store's memory.
    std::byte* onDevice(const float* values) const { return memory_.get() + (reinterpret_cast<const std::byte*>(values) - host_); }
    void read(cudaStream_t stream) const;   // store -> device
    void write(cudaStream_t stream) const;  // device -> store
    std::size_t bytes() const { return bytes_; }

private:
    std::byte* host_ = nullptr;
    std::size_t bytes_ = 0;
    DeviceMemory memory_;
};

// A data set that stays on the device.
struct DeviceData {
    DeviceMemory samples, labels, sample_weights;
};

class Session {
public:
    // `device`: of the runtime. Throws Error.
    Session(int device, LibraryOptions options, Choices& choices);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    int device() const { return device_; }
    cudaStream_t stream() const { return stream_.get(); }  // steps
    cudaStream_t copies() const { return copies_.get(); }  // to the device, ahead of the steps that need them
    cudaStream_t reductions() const { return reductions_.get(); }
    Libraries* libraries() const { return libraries_.get(); }  // or null
    const std::string& name() const { return name_; }          // "NVIDIA H200 (compute capability 9.0)"

    // The same for every executor of a store, as long as one has it.
    std::shared_ptr<DeviceVariables> variablesOf(const Variables& variables);
    bool holds(const Variables& variables) const;
    // The set that a view points into, copied when it is first asked for; null when the view is none of a set, or it does not fit.
    const DeviceData* dataOf(const tensor::BatchView& view);
    // Frees the copies of data sets. True when there were any: pointers from dataOf() are void then, and the next call copies anew.
    bool dropData();

private:
    int device_;
    std::string name_;
    Stream stream_, copies_, reductions_;
    std::unique_ptr<Libraries> libraries_;
    std::map<const Variables*, std::weak_ptr<DeviceVariables>> variables_;
    std::map<std::uint64_t, DeviceData> data_;
    std::set<std::uint64_t> too_large_;
};

}  // namespace engine::backend::cuda
