// TensorFlow's canned estimators as a program: tf.estimator.DNNClassifier(feature_columns=…, hidden_units=…) and its kin. Only files of
// this folder and the one above it include it.
#pragma once

#include <optional>
#include <string>

#include "engine/spec/keras/keras_code.h"

namespace engine::spec::code {

// The whole program with layout.imports, else the columns and the estimator alone. nullopt where the project's estimator is none of them,
// or where the reader of code would make another model, other columns or other settings of what would be written, as of a layer that the
// estimator does not make. A way of the data that TensorFlow's readers of files have no word for is a comment in place of the functions.
std::optional<std::string> writeCannedProgram(const RunSpec& run, const CodeLayout& layout);

}  // namespace engine::spec::code
