#include "engine/backend/cuda/session.h"

#include <algorithm>

#include "engine/spec/error.h"

namespace engine::backend::cuda {

DeviceVariables::DeviceVariables(const Variables& variables) {
    if (variables.entries().empty()) return;
    const std::byte *begin = nullptr, *end = nullptr;
    for (const Variables::Entry& entry : variables.entries()) {
        const auto* first = reinterpret_cast<const std::byte*>(entry.values.data());
        begin = begin == nullptr ? first : std::min(begin, first);
        end = end == nullptr ? first + entry.values.size_bytes() : std::max(end, first + entry.values.size_bytes());
    }
    host_ = const_cast<std::byte*>(begin);
    bytes_ = static_cast<std::size_t>(end - begin);
    memory_ = DeviceMemory(bytes_, "variables");
}

void DeviceVariables::read(cudaStream_t stream) const {
    if (bytes_ > 0) check(cudaMemcpyAsync(memory_.get(), host_, bytes_, cudaMemcpyHostToDevice, stream), "variables");
}

void DeviceVariables::write(cudaStream_t stream) const {
    if (bytes_ > 0) check(cudaMemcpyAsync(host_, memory_.get(), bytes_, cudaMemcpyDeviceToHost, stream), "variables");
}

Session::Session(int device, LibraryOptions options, Choices& choices) : device_(device) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device), "GPU:" + std::to_string(device));
    name_ =
        std::string(properties.name) + ", compute capability " + std::to_string(properties.major) + "." + std::to_string(properties.minor);
    options.device = name_;
    libraries_ = openLibraries(options, choices);
}

// Libraries end on the device that is the current one.
Session::~Session() {
    int before = device_;
    cudaGetDevice(&before);
    cudaSetDevice(device_);
    libraries_.reset();
    cudaSetDevice(before);
}

std::shared_ptr<DeviceVariables> Session::variablesOf(const Variables& variables) {
    std::weak_ptr<DeviceVariables>& known = variables_[&variables];
    if (auto shared = known.lock()) return shared;
    auto made = std::make_shared<DeviceVariables>(variables);
    made->read(stream());
    stream_.synchronize();
    known = made;
    return made;
}

bool Session::holds(const Variables& variables) const {
    const auto known = variables_.find(&variables);
    return known != variables_.end() && !known->second.expired();
}

bool Session::dropData() {
    if (data_.empty()) return false;
    stream_.synchronize();
    data_.clear();
    return true;
}

const DeviceData* Session::dataOf(const tensor::BatchView& view) {
    if (view.set == 0) return nullptr;
    struct Part {
        const void* from;
        std::size_t bytes;
        DeviceMemory DeviceData::*to;
    };
    const auto count = static_cast<std::size_t>(view.count);
    const auto bytes = [count](std::int64_t elements, std::size_t size) { return count * static_cast<std::size_t>(elements) * size; };
    const Part parts[] = {{view.samples, bytes(view.sample_elements, tensor::sizeOf(view.sample_dtype)), &DeviceData::samples},
                          {view.labels, bytes(view.label_elements, tensor::sizeOf(view.label_dtype)), &DeviceData::labels},
                          {view.sample_weights, bytes(1, sizeof(float)), &DeviceData::sample_weights}};
    const auto missing = [&](const DeviceData& data, const Part& part) {
        return part.from != nullptr && part.bytes > 0 && (data.*part.to).get() == nullptr;
    };
    const auto room = [&](const DeviceData& data) {
        std::size_t needed = 0, free = 0, total = 0;
        for (const Part& part : parts) needed += missing(data, part) ? part.bytes : 0;
        check(cudaMemGetInfo(&free, &total), "memory");
        constexpr std::size_t kPart = 2;  // others need some, too: executors that are made later
        return needed == 0 || needed <= free / kPart;
    };
    if (too_large_.contains(view.set)) return nullptr;
    if (!room(data_[view.set])) {  // the others go first
        stream_.synchronize();
        std::erase_if(data_, [&](const auto& one) { return one.first != view.set; });
        if (!room(data_[view.set])) {
            data_.erase(view.set);
            too_large_.insert(view.set);
            return nullptr;
        }
    }
    DeviceData& data = data_[view.set];
    const auto copyParts = [&] {
        bool copied = false;
        for (const Part& part : parts) {
            if (!missing(data, part)) continue;
            data.*part.to = DeviceMemory(part.bytes, "data set");
            check(cudaMemcpyAsync((data.*part.to).get(), part.from, part.bytes, cudaMemcpyHostToDevice, stream()), "data set");
            copied = true;
        }
        if (copied) stream_.synchronize();
    };
    try {
        copyParts();
    } catch (const Error& error) {  // free memory that is no one piece, or that another program has taken since
        data_.erase(view.set);
        if (error.code() != ErrorCode::kResourceExhausted) throw;
        too_large_.insert(view.set);
        return nullptr;
    }
    return &data;
}

}  // namespace engine::backend::cuda
