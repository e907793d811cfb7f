// Samples in memory, batch by global batch, each batch divided among the replicas of a strategy, those of all its workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/tensor/batch_view.h"

namespace engine::custom_training {

// from_tensor_slices: `features` are (count, sample_shape), `labels` one number a sample. Throws Error(kInvalidArgument) when they do not
// agree.
std::shared_ptr<const data::Samples> fromTensors(std::span<const float> features, const spec::Shape& sample_shape,
                                                 std::span<const float> labels);

struct DatasetOptions {
    std::int64_t global_batch = 1;
    std::int64_t repeat = 1;   // passes over the samples
    std::int64_t shuffle = 0;  // size of the buffer; 0: in order
    std::uint64_t seed = 0;    // of several workers the same on each, so that their parts make one batch
};

// Which replicas of a strategy are of this process: `here` of them from `first` on, of `all`.
struct ReplicaRange {
    int all = 1;
    int first = 0;
    int here = 1;
    friend bool operator==(const ReplicaRange&, const ReplicaRange&) = default;
};

// One step's input: of the global batch the first replica takes the first part, and so on; a last batch may leave replicas, and whole
// workers, with less or nothing. Owns the indices of this process's part, and the samples together with its data set.
class DistributedBatch {
public:
    // `view` is of the whole global batch, of `samples`.
    DistributedBatch(std::shared_ptr<const data::Samples> samples, const tensor::BatchView& view, const ReplicaRange& replicas,
                     std::int64_t per_replica);

    std::int64_t globalSamples() const { return global_samples_; }
    // The samples of this process, and those of one of its replicas (ReplicaContext::localReplica()).
    std::int64_t samples() const { return static_cast<std::int64_t>(indices_.size()); }
    std::int64_t samples(int local_replica) const;
    std::int64_t largestPart() const { return per_replica_; }
    // The samples of this process's replicas. The view is valid as long as this object.
    tensor::BatchView view() const;

private:
    std::shared_ptr<const data::Samples> samples_;
    tensor::BatchView view_;
    std::int64_t global_samples_;
    std::vector<std::uint32_t> indices_;
    std::vector<std::uint32_t> parts_;  // samples by replica of this process
    std::int64_t per_replica_;
};

// iter(dist_dataset): made by DistributedDataset::iterator().
class DistributedIterator {
public:
    DistributedIterator(std::shared_ptr<const data::Samples> samples, const DatasetOptions& options, const ReplicaRange& replicas);
    ~DistributedIterator();
    DistributedIterator(DistributedIterator&&) noexcept;

    // nullopt at the end.
    std::optional<DistributedBatch> next();

private:
    struct Stream;
    std::unique_ptr<Stream> stream_;
};

// Made by Strategy::distribute(). Every iteration begins at the start, in the same order.
class DistributedDataset {
public:
    DistributedDataset(std::shared_ptr<const data::Samples> samples, const DatasetOptions& options, const ReplicaRange& replicas)
        : samples_(std::move(samples)), options_(options), replicas_(replicas) {}

    DistributedIterator iterator() const { return {samples_, options_, replicas_}; }

    // for (const DistributedBatch& inputs : dataset)
    class Position {
    public:
        using value_type = DistributedBatch;
        using difference_type = std::ptrdiff_t;
        explicit Position(DistributedIterator iterator) : iterator_(std::make_shared<DistributedIterator>(std::move(iterator))) { ++*this; }
        const DistributedBatch& operator*() const { return *current_; }
        Position& operator++() {
            current_ = iterator_->next();
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(const Position& position, std::default_sentinel_t) { return !position.current_; }

    private:
        std::shared_ptr<DistributedIterator> iterator_;
        std::optional<DistributedBatch> current_;
    };
    Position begin() const { return Position(iterator()); }
    std::default_sentinel_t end() const { return {}; }

private:
    std::shared_ptr<const data::Samples> samples_;
    DatasetOptions options_;
    ReplicaRange replicas_;
};

}  // namespace engine::custom_training
