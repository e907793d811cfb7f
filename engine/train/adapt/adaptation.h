// What a layer takes from the training samples before training: Keras' adapt().
#pragma once

#include <memory>
#include <string>

#include "engine/backend/executor.h"
#include "engine/data/dataset.h"
#include "engine/spec/project/run_spec.h"

namespace engine::train {

// Fills the variables of the model's adapted layer (spec::adaptedLayer), of which there may be none, from the samples that the project
// trains with, as they come into the model, in one pass without augmentation: the mean and the variance of a Normalization, the boundaries
// of a Discretization, the vocabulary of an IntegerLookup. They are taken in the samples' order, and sums are in double: all tasks get the
// same values. Returns a line for the log, empty without such a layer. Throws what decoding throws, and Error(kDataLoss) where all samples
// were skipped.
std::string adaptLayer(const spec::RunSpec& run, const std::shared_ptr<const data::Samples>& samples, backend::Variables& variables);

}  // namespace engine::train
