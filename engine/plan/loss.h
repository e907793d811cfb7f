#pragma once

#include <string>
#include <vector>

#include "engine/plan/plan.h"
#include "engine/spec/fields.h"

namespace engine::plan {

enum class LossInput { kLogits, kProbabilities };

// What the loss reads: logits when it says so; otherwise probabilities. (A model that ends in softmax is trained on the softmax's own
// input, as Keras on TensorFlow does: lower() decides.) Throws Error(kUnimplemented) for a loss, a setting or a metric that no executor
// has.
LossInput checkLoss(const spec::ObjectSpec& loss, const std::vector<std::string>& metrics);

// Label, step header and the loss op on `scores`, (batch, classes); returns the gradient of the scores, kNoTensor when not training.
// Throws Error(kInvalidArgument) when the scores have another rank.
TensorId lowerLoss(Plan& plan, TensorId scores, LossInput input);

}  // namespace engine::plan
