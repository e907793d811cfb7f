// Samples that are decoded on request, and the memory that keeps what was decoded.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace engine::data {

// What a reader of pictures or records leaves behind: where each sample lies. Any thread may decode.
class SampleDecoder {
public:
    virtual ~SampleDecoder() = default;
    // Writes the sample's bytes, as many as one has. Throws Error naming file and record; `into` then holds anything.
    virtual void decode(std::int64_t index, std::byte* into) const = 0;
};

// One state a sample, for all who decode into the same memory. A sample is decoded once; whoever asks meanwhile waits.
//
//   kMissing -> kDecoding -> kReady | kBad        (kDecoding -> kMissing when decoding threw)
class DecodedStates {
public:
    enum State : std::uint8_t { kMissing, kDecoding, kReady, kBad };

    explicit DecodedStates(std::int64_t count) : states_(static_cast<std::size_t>(count)) {}

    State at(std::int64_t index) const { return states_[static_cast<std::size_t>(index)].load(std::memory_order_acquire); }
    // True for the one who is to decode it; false when it is ready or bad, after waiting for whoever decodes it.
    bool claim(std::int64_t index);
    void finish(std::int64_t index, State state);

private:
    std::vector<std::atomic<State>> states_;
};

}  // namespace engine::data
