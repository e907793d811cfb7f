// The order in which samples pass the steps of the input pipeline: which orders there are, and what each means. They are those of tf.data:
//
//   shuffle, batch    samples are mixed                     batch, shuffle    whole batches change places
//   cache, shuffle    a new order in each epoch             shuffle, cache    the first epoch's order in all of them
//   shuffle, repeat   one epoch, then the next              repeat, shuffle   epochs are mixed at their border
//   repeat, batch     batches go over an epoch's border     batch, repeat     each epoch ends in a smaller batch
//   take, shuffle     the first n samples                   shuffle, take     other n in each epoch (before cache: n drawn once)
//   take, batch       n samples                             batch, take       n batches
//   scale, normalize  (x * scale + offset - mean) / std     normalize, scale  (x - mean) / std * scale + offset
//
// The maps work on one sample at a time: beside the other steps their places change no value. Impossible are cache or take behind repeat,
// whose samples have no end, and anything behind prefetch, which readies whole batches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/diagnostic.h"
#include "engine/spec/project/run_spec.h"

namespace engine::spec {

// "take", "scale", "normalize", "one_hot", "cache", "shuffle", "repeat", "batch", "prefetch": as in data.order.
const char* dataStepName(DataStep step);
std::optional<DataStep> dataStepOf(std::string_view name);
std::vector<std::string> dataStepNames();  // in the usual order

// Tells if samples go round without an end, which is what repeat does: so it is with fit.steps_per_epoch.
enum class Passes { kOneAnEpoch, kEndless };
Passes passesOf(const RunSpec& run);

// True when the step does anything as `data` stands. Batch always does.
bool isOn(const DataSpec& data, Passes passes, DataStep step);

struct OrderMeaning {
    bool take_is_first = true;         // take: the first of the set, before the split; else of the training part
    bool take_counts_batches = false;  // else samples
    bool take_varies = false;          // other samples in each epoch
    bool shuffles_batches = false;     // else samples
    bool mixes_epochs = false;
    bool repeats_batches = false;
    bool keeps_first_order = false;  // cache holds the order too
    bool normalizes_first = false;
    friend bool operator==(const OrderMeaning&, const OrderMeaning&) = default;
};
// The meaning of the order of the steps that are on; take_is_first depends on the place of take alone.
OrderMeaning meaningOf(const DataSpec& data, Passes passes);

// The findings at the paths "data.order" and "data.shuffle": errors for orders that are not possible, warnings for those that are seldom
// meant, information on what the others do. None for the usual one.
Diagnostics orderFindings(const DataSpec& data, Passes passes);

// The order with `step` beside `other`; both are in it.
enum class Side { kBefore, kBehind };
std::vector<DataStep> movedStep(std::vector<DataStep> order, DataStep step, Side side, DataStep other);

// What is left for training after take (where it comes first) and the split, of `samples` in the set.
std::int64_t trainedSamples(const DataSpec& data, std::int64_t samples);

// The steps that are on, as tf.data would spell them: "dataset.map(scale).cache().shuffle(10000).batch(128).prefetch(2)"; with data.mix
// ".map(MixUp)" before prefetch.
std::string chainText(const RunSpec& run, std::int64_t global_batch);

}  // namespace engine::spec
