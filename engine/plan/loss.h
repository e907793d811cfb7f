// The loss of a training step: Keras' object as a plan's op.
#pragma once

#include <string_view>

#include "engine/plan/plan.h"
#include "engine/spec/fields.h"

namespace engine::plan {

// A loss of Keras as executors need it. (A model that ends in softmax or sigmoid is trained on that function's own input, as Keras on
// TensorFlow does: lower() decides.) `rank`: of the scores with the batch, which axes are counted by. Throws Error(kUnimplemented) for a
// loss or a setting that no executor has.
LossAttributes lossAttributes(const spec::ObjectSpec& loss, std::size_t rank = 2);

// The shape of the labels of a batch whose outputs have the shape `output` each. Sequences have a column for each place of the output's
// time and one more: a label of more classes than that is as impossible. Throws Error(kInvalidArgument) for an output that the loss can't
// take.
spec::Shape labelShape(const LossAttributes& loss, std::int64_t batch, const spec::Shape& output);

// True for a loss op where the mean of the batches' losses hangs on how the samples are batched: a sum grows with the batch, a mean over
// what a mask or an ignored class leaves weighs each batch's rows by themselves, and samples of one batch are compared with each other.
bool lossHangsOnBatches(const Op& op);

// Step header and the loss op on `scores`, (batch, ..., classes); returns the gradient of the scores, kNoTensor when not training.
// plan.label, and plan.sample_weight where there is one, are made already. `mask`: which rows of the scores count, or kNoTensor.
// `gradient`: the end of that tensor's name.
TensorId lowerLoss(Plan& plan, TensorId scores, const LossAttributes& loss, TensorId mask, std::string_view gradient = "grad");

}  // namespace engine::plan
