// Updates of weights, for the ops that do more than that.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/flat_update.h"

namespace engine::backend::cuda {

// What a gradient op with a fused update does: its gradients, then the update of their parameters.
BoundOp withUpdate(BoundOp gradients, const Context& context, const plan::Op& op, std::size_t rule);

// An update element by element, of one launch for many runs. `step` and `factors` are memory of the device, here and below.
BoundOp bindElements(const plan::UpdateRule& rule, const std::vector<FlatRun>& runs, const StepParameters* step,
                     const plan::StepFactors* factors);

// The updates of rules that take whole variables: each run is one. Lamb's, Adafactor's and Muon's.
BoundOp bindNormScaledUpdate(const plan::UpdateRule& rule, const std::vector<FlatRun>& runs, const StepParameters* step,
                             const plan::StepFactors* factors);
BoundOp bindFactoredUpdate(const plan::UpdateRule& rule, const std::vector<FlatRun>& runs, const StepParameters* step,
                           const plan::StepFactors* factors);
BoundOp bindOrthogonalUpdate(Libraries* libraries, const plan::UpdateRule& rule, const std::vector<FlatRun>& runs,
                             const StepParameters* step, const plan::StepFactors* factors);

}  // namespace engine::backend::cuda
