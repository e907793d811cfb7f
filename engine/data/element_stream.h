// Streams of elements (positions in a data set), as decorators: what tf.data does before batch(). They move indices, never samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace engine::data {

// One thread. Memory is taken at construction only.
class ElementStream {
public:
    static constexpr std::int64_t kEndless = -1;

    virtual ~ElementStream() = default;

    // Starts a pass. Passes with equal numbers are equal.
    virtual void start(std::uint64_t pass) = 0;
    // Fills `out` from its beginning; fewer than out.size() only at the end of the pass.
    virtual std::size_t read(std::span<std::uint32_t> out) = 0;
    // Passes over n elements, those that others read; returns how many there were, fewer than n only at the end of the pass. It costs
    // nothing for each element, but behind a shuffle.
    virtual std::size_t skip(std::size_t n) = 0;
    // Elements of a pass, or kEndless.
    virtual std::int64_t count() const = 0;
    // Elements that are still to come in the pass that was started, or kEndless.
    virtual std::int64_t left() const = 0;
};

using ElementStreamPtr = std::unique_ptr<ElementStream>;

// [begin, end), one file or one part of a set in memory.
struct Extent {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    friend bool operator==(const Extent&, const Extent&) = default;
};

// The elements of the extents, one after the other.
ElementStreamPtr extents(std::vector<Extent> parts);
ElementStreamPtr range(std::uint32_t begin, std::uint32_t end);
// The first n.
ElementStreamPtr take(ElementStreamPtr source, std::int64_t n);
// Every element whose position in the pass is index modulo shards.
ElementStreamPtr shard(ElementStreamPtr source, int shards, int index);
// A window of `buffer` elements: each read draws one of them and refills its place, as tf.data's shuffle does. The order depends on
// (seed, stream, pass) alone, and changes with each pass.
// An element that is passed over is drawn, too: which one the next draw finds in its place depends on all draws before, back to the last
// one of that place, which is `buffer` draws ago on average. So every worker draws the order of the whole global batch, and this alone of
// its data's cost grows with the number of workers: a number, a read and a write of the window for each element, no memory, no sample.
ElementStreamPtr shuffle(ElementStreamPtr source, std::int64_t buffer, std::uint64_t seed, std::uint64_t stream = 0);
// Pass after pass without an end. start(p) begins with the source's pass p * 2^32, so that what is shuffled below differs between passes.
// A source without elements stays at its end.
ElementStreamPtr repeat(ElementStreamPtr source);
// The source's first pass in every pass: what a cache behind a shuffle does.
ElementStreamPtr frozen(ElementStreamPtr source);

}  // namespace engine::data
