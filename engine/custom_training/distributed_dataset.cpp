#include "engine/custom_training/distributed_dataset.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "engine/data/pipeline.h"
#include "engine/spec/error.h"

namespace engine::custom_training {
namespace {

data::ByteBuffer bytesOf(std::span<const float> values) {
    data::ByteBuffer bytes(values.size_bytes());
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), values.size_bytes());
    return bytes;
}

data::BatchStreamPtr batchesOf(const data::Samples& samples, const DatasetOptions& options) {
    if (options.global_batch < 1 || options.repeat < 1 || options.shuffle < 0) {
        throw Error(ErrorCode::kInvalidArgument, "data set: expected a global batch and passes of at least 1, got " +
                                                     std::to_string(options.global_batch) + " and " + std::to_string(options.repeat));
    }
    data::ElementStreamPtr elements = data::range(0, static_cast<std::uint32_t>(samples.count));
    if (options.shuffle > 0) elements = data::shuffle(std::move(elements), options.shuffle, options.seed);
    if (options.repeat > 1) elements = data::take(data::repeat(std::move(elements)), options.repeat * samples.count);
    return data::batch(std::move(elements), options.global_batch);
}

}  // namespace

std::shared_ptr<const data::Samples> fromTensors(std::span<const float> features, const spec::Shape& sample_shape,
                                                 std::span<const float> labels) {
    auto samples = std::make_shared<data::Samples>();
    const auto elements = static_cast<std::size_t>(data::elementsOf(sample_shape));
    if (labels.empty() || features.size() != labels.size() * elements) {
        throw Error(ErrorCode::kInvalidArgument, "tensors: expected " + std::to_string(elements) + " features for each of " +
                                                     std::to_string(labels.size()) + " labels, got " + std::to_string(features.size()));
    }
    samples->source = samples->label_source = "tensors";
    samples->count = static_cast<std::int64_t>(labels.size());
    samples->sample_shape = sample_shape;
    samples->sample_dtype = samples->label_dtype = tensor::DType::kFloat32;
    samples->samples = bytesOf(features);
    samples->labels = bytesOf(labels);
    return samples;
}

DistributedBatch::DistributedBatch(std::shared_ptr<const data::Samples> samples, const tensor::BatchView& view,
                                   const ReplicaRange& replicas, std::int64_t per_replica)
    : samples_(std::move(samples)), view_(view), global_samples_(std::ssize(view.indices)), per_replica_(per_replica) {
    for (int replica = replicas.first; replica < replicas.first + replicas.here; ++replica) {
        const std::int64_t begin = std::min(replica * per_replica, global_samples_);
        const std::int64_t count = std::min(per_replica, global_samples_ - begin);
        const auto part = view.indices.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
        indices_.insert(indices_.end(), part.begin(), part.end());
        parts_.push_back(static_cast<std::uint32_t>(count));
    }
}

std::int64_t DistributedBatch::samples(int local_replica) const {
    ENGINE_CHECK(local_replica >= 0 && local_replica < std::ssize(parts_));
    return parts_[static_cast<std::size_t>(local_replica)];
}

tensor::BatchView DistributedBatch::view() const {
    tensor::BatchView view = view_;
    view.indices = indices_;
    view.parts = parts_;
    return view;
}

struct DistributedIterator::Stream {
    std::shared_ptr<const data::Samples> samples;
    data::Pipeline pipeline;
    ReplicaRange replicas;
    std::int64_t per_replica;
};

DistributedIterator::DistributedIterator(std::shared_ptr<const data::Samples> samples, const DatasetOptions& options,
                                         const ReplicaRange& replicas) {
    data::BatchStreamPtr batches = batchesOf(*samples, options);
    const std::int64_t per_replica = (options.global_batch + replicas.all - 1) / replicas.all;
    stream_ = std::make_unique<Stream>(Stream{samples, data::Pipeline(std::move(samples), {}, std::move(batches)), replicas, per_replica});
}
DistributedIterator::~DistributedIterator() = default;
DistributedIterator::DistributedIterator(DistributedIterator&&) noexcept = default;

std::optional<DistributedBatch> DistributedIterator::next() {
    tensor::BatchView view;
    if (!stream_->pipeline.next(view)) return std::nullopt;
    return DistributedBatch(stream_->samples, view, stream_->replicas, stream_->per_replica);
}

}  // namespace engine::custom_training
