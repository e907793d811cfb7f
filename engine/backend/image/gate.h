// Op::gate: one definition for every back-end. All items of a batch meet the same choice, as all images of a batch do in Keras; under
// TimeDistributed each time draws its own.
#pragma once

#include <cstdint>

#include "engine/backend/dropout_mask.h"
#include "engine/backend/image/range_draws.h"
#include "engine/plan/op_attributes.h"
#include "engine/tensor/device_function.h"

namespace engine::backend {

// `key` is that of an item (keyOfItem), with the gate's seed as its layer. The choice stands in sample 0's stream, whether or not the
// sample is in the batch.
TANDEM_DEVICE inline int drawChoice(const plan::Gate& gate, const DropoutKey& key) {
    const RangeDraws draws(key, 0);
    return static_cast<int>(draws.unit(static_cast<std::uint64_t>(gate.draw)) * gate.choices);
}
TANDEM_DEVICE inline bool isOpen(const plan::Gate& gate, const DropoutKey& key) {
    return drawChoice(gate, key) == gate.open_at;
}

}  // namespace engine::backend
