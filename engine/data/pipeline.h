// The input of a run: which samples a replica sees in which step, ready to be gathered.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/data/batch_stream.h"
#include "engine/data/dataset.h"
#include "engine/data/decode_ahead.h"
#include "engine/data/mixing/batch_mixer.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/run_spec.h"

namespace engine::data {

// The map x * scale + offset. It is applied only when a batch is gathered, so that a cached set keeps its source's type.
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
// data.scale and data.offset, then data.mean and data.std, or the other way round (data.order). Throws Error(kInvalidArgument) when these
// have another number of entries than the samples have channels.
SampleMap sampleMap(const spec::DataSpec& data, const Samples& samples);

// Batches of one set of samples. One thread; a step takes no memory. Samples in memory are not copied: views point into the set, indices
// into the pipeline, valid until the next call. Samples that are decoded on request come from DecodeAhead. Where batches are mixed
// (BatchStream::isMixed()), views point to a batch in the pipeline's own memory.
class Pipeline {
public:
    // `rule`: what the batches are mixed by, if they are.
    Pipeline(std::shared_ptr<const Samples> samples, SampleMap map, BatchStreamPtr batches, const DecodeOptions& decoding = {},
             const std::optional<MixRule>& rule = {});

    void start(std::uint64_t pass);
    // False at the end of the pass; the view then has no indices (what a replica without data brings to a step). Throws what decoding
    // threw.
    bool next(tensor::BatchView& view);
    // The positions in the set of the last batch's samples.
    std::span<const std::uint32_t> elements() const { return elements_; }
    // How many of them are whose, of a task with several devices; as in the last batch's view.
    std::span<const std::uint32_t> parts() const { return parts_; }
    // Passes over batches without looking at their samples, for a run that goes on after it was interrupted. Only after start().
    void skip(std::int64_t batches);

    std::int64_t batchesPerPass() const { return batches_->count(); }  // or ElementStream::kEndless
    std::int64_t largestBatch() const { return batches_->largestBatch(); }

private:
    std::shared_ptr<const Samples> samples_;
    SampleMap map_;
    BatchStreamPtr batches_;
    std::unique_ptr<DecodeAhead> ahead_;  // null for samples in memory; draws from batches_
    std::unique_ptr<BatchMixer> mixer_;   // null: samples as they are
    tensor::BatchView view_;
    std::span<const std::uint32_t> elements_;
    std::span<const std::uint32_t> parts_;
};

// Which training samples are trained with and which are held back: take where data.order has it first, then the last fraction, as Keras'
// validation_split does.
struct TrainingSplit {
    Extent train;
    Extent validation;  // empty without a split
};
// Throws Error(kInvalidArgument) when either part would be empty.
TrainingSplit splitTraining(const spec::DataSpec& data, std::int64_t samples);

// The share of one task.
struct ReplicaShare {
    int replicas = 1;  // tasks
    int index = 0;
    int devices = 1;  // of each task, a part of its batches each
    std::int64_t global_batch = 64;
    bool endless = false;  // repeat(): an epoch's length is counted in steps
    std::uint64_t seed = 0;
    spec::Shape input{};  // of the model, as data.mix looks at samples; empty: as the set has them
};

// The share of one task of a run.
ReplicaShare shareOf(const spec::RunSpec& run, const spec::TaskPlan& task);

// True when each replica reads files of its own: with FILE, or with AUTO for a set that is read file by file. Throws
// Error(kInvalidArgument) for FILE with another set, as TensorFlow does.
bool isShardedByFile(const spec::DataSpec& data, const Samples& samples, int replicas);

// Which samples of `part` a task sees, in batches: the steps in the order of data.order, then the share of this task, in a part for each of
// its devices; where each task reads files of its own or everything (OFF), these go through steps of its own. AUTO is DATA for sets that
// are not read file by file. With data.mix a batch is mixed before it is split, so that what a sample becomes does not depend on the number
// of replicas (DATA); tasks that read batches of their own mix these, each by numbers of its own. Throws Error(kInvalidArgument) for an
// order that is not possible, and as mixRule() does.
BatchStreamPtr trainingBatches(const spec::DataSpec& data, const Samples& samples, Extent part, const ReplicaShare& share);

// The same as a pipeline. For samples in memory `prefetch` and `cache` need nothing: making an index list costs less than handing it to
// another thread.
Pipeline trainingPipeline(const spec::DataSpec& data, std::shared_ptr<const Samples> samples, Extent part, const ReplicaShare& share);

// Every sample of `part` once over all replicas, in order: replica i takes the i-th of as many consecutive parts.
Pipeline evaluationPipeline(const spec::DataSpec& data, std::shared_ptr<const Samples> samples, Extent part, int replicas, int index,
                            std::int64_t batch_size);

}  // namespace engine::data
