// A fused update as runs of flat memory, and the plain loop over one.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/plan/optimizer.h"
#include "engine/plan/plan.h"

namespace engine::backend {

// Equal positions of the arrays belong together. Padding between tensors may be inside: parameters, slots and gradients are zero there and
// stay so.
struct FlatRun {
    float* parameter = nullptr;
    const float* gradient = nullptr;
    std::vector<float*> slots;  // in the order of plan::slotNames()
    std::int64_t count = 0;
};

// The runs of a kUpdate, a kFusedUpdate or a gradient op with apply_update; `address` gives the memory of a tensor. Neighbours with the
// same distances in all arrays become one run: with a planned memory layout a bucket is one run. Call once, at construction of an executor.
std::vector<FlatRun> flatRuns(const plan::Plan& plan, const plan::Op& op, const std::function<float*(plan::TensorId)>& address);

// The formulas of engine/plan/optimizer.h in float32, element by element. `step_size` is plan::stepSize(); weights and slots change in
// place.
void updateRange(const plan::UpdateRule& rule, float step_size, const FlatRun& run, std::int64_t begin, std::int64_t end);

}  // namespace engine::backend
