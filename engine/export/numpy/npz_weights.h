// A model's weights as NumPy's .npz: a zip with a member "NAME.npy" for each variable ("conv2d/kernel.npy"), in Keras' order of axes. What
// programs without Keras read; numpy.savez writes the same, where a program trained.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "engine/export/tf_checkpoint.h"

namespace engine::exporter {

std::string npzWeights(const CheckpointContents& contents);  // without the optimizer's state

// Fills weights: all must be there, with equal shapes. Errors name the file: kNotFound (no such file, a variable that it lacks), kDataLoss
// (damaged), kInvalidArgument (another shape, no float32 in C order). On an error nothing was changed.
void readNpzWeights(const std::filesystem::path& file, std::span<const MutableVariableView> weights);

}  // namespace engine::exporter
