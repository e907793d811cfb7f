// What data.mix says, as plain values: MixUp and CutMix of Keras 3.15, which mix the samples of a training batch with each other, and their
// labels by the same share.
//
// data.mix is an object beside data.order and no step in it, since its place is no choice. It takes whole batches, so it stands behind
// batch; shuffle, take and repeat of whole batches give the same before it and behind it; and a cache behind it would keep one mixture for
// all epochs. So it works on what comes out of all steps, just before prefetch, in training alone: validation, evaluation, predictions and
// adapt() see samples as they are. As in Keras' pipelines a batch is the global one: a sample's partner may be another replica's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/spec/project/data_spec.h"

namespace engine::spec {

enum class MixKind { kMixUp, kCutMix };

struct MixSettings {
    MixKind kind = MixKind::kMixUp;
    double alpha = 0.2;                // of MixUp: shares are drawn from Beta(alpha, alpha)
    double least = 0, most = 1;        // of CutMix: the alpha of a batch is drawn between these
    std::optional<std::int64_t> seed;  // in place of the run's
    friend bool operator==(const MixSettings&, const MixSettings&) = default;
};

// True when training batches are mixed.
bool isMixed(const DataSpec& data);
// Requires a class of mixSchemas() with fields that fit, as validate() asks for.
MixSettings mixSettings(const ObjectSpec& mix);
// "MixUp", "CutMix" of a project that mixes, as messages and chains name the step.
const std::string& mixName(const DataSpec& data);

// An image with its channels last, as CutMix cuts it.
struct ImageSize {
    std::int64_t rows = 0, columns = 0, channels = 1;
    friend bool operator==(const ImageSize&, const ImageSize&) = default;
};
// The image that a sample is: of the model's input where that has two axes (no channels) or three, else of the set's own shape; nullopt
// where neither has.
std::optional<ImageSize> imageSizeOf(const Shape& input, const Shape& stored);

}  // namespace engine::spec
