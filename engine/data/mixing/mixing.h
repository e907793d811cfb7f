// MixUp (Zhang et al., arXiv:1710.09412) and CutMix (Yun et al., arXiv:1905.04899) of a batch, as Keras 3.15 computes them: which sample is
// mixed with which and by how much, and what becomes of values and labels. Functions without a state; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/data/dataset.h"
#include "engine/spec/mixing/mix_settings.h"
#include "engine/spec/project/data_spec.h"
#include "engine/tensor/random.h"

namespace engine::data {

// What happens to one sample of a batch. With s = share, the label is s * own + (1 - s) * partner's. With MixUp each value is mixed so,
// too; with CutMix the pixels of a box are the partner's: those of columns x with left <= x < right in rows y with top <= y < bottom.
struct Mixing {
    std::uint32_t partner = 0;  // a place in a batch or in a set, as who hands it over says
    float share = 1;
    float left = 0, right = 0, top = 0, bottom = 0;  // in pixels; no box with MixUp
    friend bool operator==(const Mixing&, const Mixing&) = default;
};

// What the mixing of a run follows.
struct MixRule {
    spec::MixSettings settings;
    spec::ImageSize image;   // of CutMix
    std::uint64_t seed = 0;  // settings.seed, else the run's
};
// nullopt where data.mix is none. `input` is the model's input shape. Throws Error(kInvalidArgument) naming data.mix for a class that
// nobody knows, and for CutMix of samples without rows and columns.
std::optional<MixRule> mixRule(const spec::DataSpec& data, const spec::Shape& input, const Samples& samples, std::uint64_t run_seed);

// CutMix' box of an image: as many rows and columns, in proportion, as make 1 - weight of its area, its place by two numbers from 0 to 1.
// `share` is what the box leaves; `partner` stays 0.
Mixing cutBox(float weight, float across, float down, const spec::ImageSize& image);

// One Mixing for each sample of a batch, with places in the batch as partners. Partners are a permutation, drawn by Fisher and Yates;
// shares are drawn from Beta(alpha, alpha), as a ratio of two Gamma variables (Marsaglia and Tsang 2000; in logarithms, so that no alpha is
// too small). `random` is the batch's stream: a sample's numbers depend on it and on the sample's place alone.
void drawMixings(const MixRule& rule, const tensor::RandomStream& random, std::span<Mixing> batch);
// The two halves of that, in this order: share and box of `count` samples of the batch from place `first` on, and the partners of all.
void drawShares(const MixRule& rule, const tensor::RandomStream& random, std::span<Mixing> batch, std::size_t first, std::size_t count);
void drawPartners(const tensor::RandomStream& random, std::span<Mixing> batch);
// A number from Beta(alpha, alpha), alpha > 0. `blocks` counts the blocks of four words that were drawn under `index`.
double drawBeta(const tensor::RandomStream& random, std::uint64_t index, std::uint64_t& blocks, double alpha);

// values[k] = share * values[k] + (1 - share) * partner[k]; of equal size.
void mixValues(std::span<float> values, std::span<const float> partner, float share);

// The pixels of a box, [first, last) of rows and columns; empty where the box holds no pixel.
struct PixelBox {
    std::int64_t first_row = 0, last_row = 0, first_column = 0, last_column = 0;
    friend bool operator==(const PixelBox&, const PixelBox&) = default;
};
PixelBox pixelsOf(const Mixing& mixing, const spec::ImageSize& image);

}  // namespace engine::data
