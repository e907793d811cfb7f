// Batches of which each knows how its elements are mixed: the stream that stands behind all steps of data.order.
#pragma once

#include <cstdint>

#include "engine/data/batch_stream.h"
#include "engine/data/mixing/mixing.h"

namespace engine::data {

// The source's batches, with mixings() by the rule. What a batch gets depends on (seed, stream, pass, its number in the pass) alone: the
// same on every replica that sees the whole batch, in every run, and when a pass goes on behind batches that were skipped. Shares and boxes
// are drawn for the elements of `pieces` alone; partners, of which each depends on all others, for the whole batch.
BatchStreamPtr mixBatches(BatchStreamPtr source, const MixRule& rule, std::uint64_t stream, const Pieces& pieces = {});

}  // namespace engine::data
