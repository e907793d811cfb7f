// Values out of a Keras file into a caller's variables: by the paths of Keras 3's form, by the order of layers in Keras 2's. Used here and
// by keras_file.cpp alone.
#pragma once

#include <span>

#include "engine/export/keras/opened_file.h"
#include "engine/export/tf_checkpoint.h"

namespace engine::exporter {

// Weights (all must be there, with equal shapes) and those slots of `optimizer` that the file has; `opened` has a tree. Nothing is written
// before everything was found. Errors as readKerasWeights'.
RestoredState readKerasTree(const OpenedKerasFile& opened, const spec::ModelSpec& model, const spec::ObjectSpec& optimizer,
                            std::span<const MutableVariableView> variables);

}  // namespace engine::exporter
