// Streams of batches, each a list of elements. How a global batch becomes one batch per replica follows tf.distribute (TensorFlow 2.21):
// batch() makes global batches; their Pieces are what DATA sharding makes of them, cycledBatches() what OFF and FILE read.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/data/element_stream.h"
#include "engine/data/mixing/mixing.h"

namespace engine::data {

// One thread. Memory is taken at construction only.
class BatchStream {
public:
    virtual ~BatchStream() = default;

    virtual void start(std::uint64_t pass) = 0;
    // The next batch, which may be empty: valid until the next call. False at the end of the pass.
    virtual bool next(std::span<const std::uint32_t>& batch) = 0;
    // How many of the latest batch's elements are whose, of a task with several devices: in order, valid as the batch. Empty with one.
    virtual std::span<const std::uint32_t> parts() const { return {}; }
    // What the latest batch's elements are mixed with (mixing/mixed_batches.h), one entry for each, valid as the batch. A partner is a
    // place in the batch, or behind its end one of guests(). Empty where nothing is mixed.
    virtual std::span<const Mixing> mixings() const { return {}; }
    // Elements of other replicas' parts, which the latest batch's are mixed with; valid as the batch.
    virtual std::span<const std::uint32_t> guests() const { return {}; }
    // Batches of a pass, or ElementStream::kEndless.
    virtual std::int64_t count() const = 0;
    virtual std::int64_t largestBatch() const = 0;
    // Of any batch of this stream.
    virtual std::int64_t mostGuests() const { return 0; }
    virtual bool isMixed() const { return false; }
};

using BatchStreamPtr = std::unique_ptr<BatchStream>;

enum class Remainder { kKeep, kDrop };

// What one worker has of every batch: a batch of b elements is cut into n = workers * devices pieces of ceil(b / n), as long as there are
// any: the last ones may be empty. Worker `index` has every workers-th piece from there, one a device. By default: all.
struct Pieces {
    int workers = 1, index = 0, devices = 1;

    // Elements of each piece that is full, of a batch of so many.
    std::size_t sizeOf(std::size_t batch) const;
    // Where in the batch a device's piece lies.
    struct Place {
        std::size_t begin = 0, size = 0;
    };
    Place of(std::size_t batch, int device) const;
    // The elements of all of a worker's pieces, at most.
    std::int64_t most(std::int64_t batch) const;
};

// Batches of n elements; the last may be smaller. Of each there are the worker's `pieces` alone, and parts() where it has several devices:
// the others' elements are skipped, so that a batch costs what the pieces cost (but see shuffle() of element_stream.h).
BatchStreamPtr batch(ElementStreamPtr source, std::int64_t n, Remainder remainder = Remainder::kKeep, const Pieces& pieces = {});

// The pieces of worker `index` of batches that are read as a whole: what is mixed needs that.
BatchStreamPtr splitBatches(BatchStreamPtr source, int workers, int index, int devices = 1);

// Deals every batch out among the devices of one task: the first ones have ceil(largest batch / devices) elements, as long as there are
// any. With one device it returns the source itself.
BatchStreamPtr dealBatches(BatchStreamPtr source, int devices);

// Batches whose sizes follow `sizes` round and round; of each the `pieces`, as batch() gives them.
BatchStreamPtr cycledBatches(ElementStreamPtr source, std::vector<std::int64_t> sizes, Remainder remainder = Remainder::kKeep,
                             const Pieces& pieces = {});

// What take, shuffle, repeat and frozen of element_stream.h do, to whole batches. A shuffle keeps copies of as many as its buffer holds.
BatchStreamPtr takeBatches(BatchStreamPtr source, std::int64_t n);
BatchStreamPtr shuffleBatches(BatchStreamPtr source, std::int64_t buffer, std::uint64_t seed, std::uint64_t stream = 0);
BatchStreamPtr repeatBatches(BatchStreamPtr source);
BatchStreamPtr frozenBatches(BatchStreamPtr source);

// Sizes for replica `index` of `replicas`, one replica a worker, that together make `global` each: `global mod replicas` times one more
// than the rest, rotated left by the index. Workers with several devices: the same, as their global batch has a whole number of elements
// for each device.
std::vector<std::int64_t> replicaBatchSizes(std::int64_t global, int replicas, int index);

// The files of a worker: every `workers`-th. Throws Error(kInvalidArgument) when there are fewer files than workers.
std::vector<Extent> shardFiles(const std::vector<Extent>& files, int workers, int index);

}  // namespace engine::data
