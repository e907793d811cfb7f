// The functions that give an estimator what lies in files of the user's own: tables by make_csv_dataset(), records by
// make_batched_features_dataset(). Only files of this folder include it.
#pragma once

#include <string>

#include "engine/spec/keras/keras_code.h"

namespace engine::spec::code {

inline constexpr const char *kTrainFunction = "train_input_fn", *kEvalFunction = "eval_input_fn";

// Tables and records with feature columns, of a label that has a name.
bool hasFileInput(const RunSpec& run);
// Writes both functions with blank lines between; the second only where there are files to test with. Requires hasFileInput(run). Parts of
// the data for which TensorFlow's functions have no word are left out.
std::string writeFileInput(const RunSpec& run, const CodeLayout& layout);

}  // namespace engine::spec::code
