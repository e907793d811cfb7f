// The input of a run: which samples a replica sees in which step, ready to be gathered.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/data/batch_stream.h"
#include "engine/data/dataset.h"
#include "engine/spec/run_spec.h"

namespace engine::data {

// x * scale + offset. Kept lazy: applied while a batch is gathered, so that a cached set keeps its source's type.
struct AffineMap {
    double scale = 1;
    double offset = 0;
    // First this one, then `next`.
    AffineMap then(const AffineMap& next) const { return {scale * next.scale, offset * next.scale + next.offset}; }
    friend bool operator==(const AffineMap&, const AffineMap&) = default;
};

// What a batch's samples go through while they are gathered.
struct SampleMap {
    AffineMap all;
    std::vector<float> scales, offsets;  // one pair an element of a sample, in place of `all`; both empty when one pair does for all
};
// data.scale and data.offset, then data.mean and data.std. Throws Error(kInvalidArgument) when these have another number of entries than
// the samples have channels.
SampleMap sampleMap(const spec::DataSpec& data, const Samples& samples);

// Batches of one set of samples. One thread; a step takes no memory. Samples are not copied: views point into the set, indices into the
// pipeline, valid until the next call.
class Pipeline {
public:
    Pipeline(std::shared_ptr<const Samples> samples, SampleMap map, BatchStreamPtr batches);

    void start(std::uint64_t pass) { batches_->start(pass); }
    // False at the end of the pass; the view then has no indices (what a replica without data brings to a step).
    bool next(tensor::BatchView& view);
    // Passes over batches without looking at their samples: where a run goes on that was interrupted.
    void skip(std::int64_t batches);

    std::int64_t batchesPerPass() const { return batches_->count(); }  // or ElementStream::kEndless
    std::int64_t largestBatch() const { return batches_->largestBatch(); }

private:
    std::shared_ptr<const Samples> samples_;
    SampleMap map_;
    BatchStreamPtr batches_;
    tensor::BatchView view_;
};

// Which training samples are trained with and which are held back: take(), then the last fraction, as Keras' validation_split does.
struct TrainingSplit {
    Extent train;
    Extent validation;  // empty without a split
};
// Throws Error(kInvalidArgument) when either part would be empty.
TrainingSplit splitTraining(const spec::DataSpec& data, std::int64_t samples);

struct ReplicaShare {
    int replicas = 1;
    int index = 0;
    std::int64_t global_batch = 64;
    bool endless = false;  // repeat(): an epoch's length is counted in steps
    std::uint64_t seed = 0;
};

// shuffle -> (repeat) -> batch -> share of this replica. AUTO is DATA for sets in memory; FILE is refused for them, as TensorFlow does.
// `prefetch` and `cache` need nothing here: the samples are in memory and making an index list costs less than handing it to another
// thread.
Pipeline trainingPipeline(const spec::DataSpec& data, std::shared_ptr<const Samples> samples, Extent part, const ReplicaShare& share);

// Every sample of `part` once over all replicas, in order: replica i takes the i-th of as many consecutive parts.
Pipeline evaluationPipeline(const spec::DataSpec& data, std::shared_ptr<const Samples> samples, Extent part, int replicas, int index,
                            std::int64_t batch_size);

}  // namespace engine::data
