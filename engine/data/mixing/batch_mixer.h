// Mixes the samples of a batch while they are gathered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/data/mixing/mixing.h"
#include "engine/tensor/batch_view.h"

namespace engine::data {

// Owns the memory of one mixed batch: float32 samples and labels, taken once. One thread.
class BatchMixer {
public:
    // `most`: samples of the largest batch. `samples` gives the sizes and is not kept.
    BatchMixer(const MixRule& rule, const Samples& samples, std::int64_t most);

    // `mixings` of a batch of a set in memory with partners as places in the set; they lie here until the next call.
    std::span<const Mixing> inSet(std::span<const Mixing> mixings, std::span<const std::uint32_t> batch,
                                  std::span<const std::uint32_t> guests);
    // Reads the samples of `view` with its scale, mixes them (partners are places in view.samples, as the indices are) and makes `view` one
    // of the result: float32, unscaled, without a set; parts stay. `elements`: the samples' positions in the set. Valid until the next
    // call.
    void mix(tensor::BatchView& view, std::span<const std::uint32_t> elements, std::span<const Mixing> mixings);

private:
    void mixSample(const tensor::BatchView& view, std::uint32_t own, const Mixing& mixing, std::span<float> to);

    const MixRule rule_;
    const std::size_t sample_elements_, label_elements_;
    std::vector<float> samples_, labels_;
    std::vector<float> partner_;  // the sample or the label at work
    std::vector<std::uint32_t> places_;
    std::vector<Mixing> in_set_;
};

}  // namespace engine::data
