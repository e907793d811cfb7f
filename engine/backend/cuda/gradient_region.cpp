#include "engine/backend/cuda/gradient_region.h"

#include <algorithm>
#include <variant>

namespace engine::backend::cuda {

GradientRegion::GradientRegion(const plan::Plan& plan, const ExecutorOptions& options, cudaStream_t stream)
    : plan_(plan),
      collective_(options.collective),
      is_mirrored_(collective_ == nullptr && !options.region.empty()),
      device_(alignedBytes(static_cast<std::size_t>(std::max<std::int64_t>(plan.shared_bytes, 0))), "gradients"),
      host_(options.region),
      tickets_(plan.buckets.size()) {
    if (device_.size() > 0) check(cudaMemsetAsync(device_.get(), 0, device_.size(), stream), "gradients");
    const bool sums_on_host = collective_ != nullptr && collective_->onStreams() == nullptr;
    if (!host_.empty()) {
        registered_ = RegisteredMemory(host_);
    } else if (sums_on_host && plan.shared_bytes > 0) {
        const auto bytes = static_cast<std::size_t>(plan.shared_bytes);
        own_ = PinnedMemory(bytes, "gradients");
        host_ = {own_.get(), bytes};
    }
}

std::byte* GradientRegion::onDevice(int bucket) const {
    return device_.get() + plan_.buckets[static_cast<std::size_t>(bucket)].offset_bytes;
}

std::span<float> GradientRegion::onHost(int bucket) const {
    const plan::Bucket& of = plan_.buckets[static_cast<std::size_t>(bucket)];
    return {reinterpret_cast<float*>(host_.data() + of.offset_bytes), static_cast<std::size_t>(of.bytes) / sizeof(float)};
}

void GradientRegion::copyToDevice(cudaStream_t stream) const {
    if (!is_mirrored_) return;
    check(cudaMemcpyAsync(device_.get(), host_.data(), static_cast<std::size_t>(plan_.shared_bytes), cudaMemcpyHostToDevice, stream),
          "region");
}

void GradientRegion::copyToHost(cudaStream_t stream) const {
    if (!is_mirrored_) return;
    check(cudaMemcpyAsync(host_.data(), device_.get(), static_cast<std::size_t>(plan_.shared_bytes), cudaMemcpyDeviceToHost, stream),
          "region");
}

void GradientRegion::startReduction(const plan::Op& op, cudaStream_t stream) {
    const std::span<float> bucket = onHost(op.bucket);
    check(cudaMemcpyAsync(bucket.data(), onDevice(op.bucket), bucket.size_bytes(), cudaMemcpyDeviceToHost, stream), "gradients");
    check(cudaStreamSynchronize(stream), "gradients");
    const auto* route = std::get_if<spec::ReduceRoute>(&op.attributes);
    tickets_[static_cast<std::size_t>(op.bucket)] =
        route == nullptr ? collective_->startAllReduceSum(bucket) : collective_->startReduceSum(bucket, *route);
}

void GradientRegion::awaitReduction(int bucket, cudaStream_t stream) {
    collective_->wait(tickets_[static_cast<std::size_t>(bucket)]);
    const std::span<float> values = onHost(bucket);
    check(cudaMemcpyAsync(onDevice(bucket), values.data(), values.size_bytes(), cudaMemcpyHostToDevice, stream), "gradients");
}

}  // namespace engine::backend::cuda
