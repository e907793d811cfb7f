// A fused update as runs of flat memory, and the plain loops over one.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/backend/update_formulas.h"
#include "engine/plan/optimizer.h"
#include "engine/plan/plan.h"

namespace engine::backend {

// Equal positions of the arrays belong together. Padding between tensors may be inside: parameters, slots and gradients are zero there (or
// what slots begin with) and no one looks at them.
struct FlatRun {
    float* parameter = nullptr;
    const float* gradient = nullptr;
    std::array<float*, plan::kMaxSlots> slots{};  // in the order of plan::slotsOf(optimizer); null where the variable has none
    std::int64_t count = 0;
    // The last two axes of a run that is a variable of two axes or more; no rows of another.
    std::int64_t rows = 0, columns = 0;
};

// The runs of a kUpdate, a kFusedUpdate or a gradient op with a fused update; `address` gives the memory of a tensor. Neighbours with the
// same distances in all arrays become one run: with a planned memory layout a bucket is one run. Where the rule takes whole variables
// (spec::takesWholeVariables()) each is a run. Call once, at construction of an executor.
std::vector<FlatRun> flatRuns(const plan::Plan& plan, const plan::Op& op, const std::function<float*(plan::TensorId)>& address);

// Elements of a run from `begin` on. Slots of other shapes than the variable's must not be looked at in it.
FlatRun partOf(const FlatRun& run, std::int64_t begin, std::int64_t count);

// The optimizer's own slots of a run by their part in the formula (engine/backend/update_formulas.h); null where it has none.
std::array<float*, kUpdateValues> updateValues(const plan::UpdateRule& rule, const std::array<float*, plan::kMaxSlots>& slots);

// All that an update element by element does to a run but preparing its gradients: the formulas of engine/spec/catalog/update_kind.h in
// float32. Weights and slots change in place.
void updateRun(const plan::UpdateRule& rule, const plan::StepFactors& factors, const FlatRun& run);
// Its parts: weight decay with the formula, and the moving average after it (nothing when the rule keeps none).
void updateWeights(const plan::UpdateRule& rule, const plan::StepFactors& factors, const FlatRun& run);
void updateAverage(const plan::UpdateRule& rule, const plan::StepFactors& factors, const FlatRun& run);

}  // namespace engine::backend
