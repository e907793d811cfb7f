// The part of a program that reads a project's files into arrays of numpy: the same in all APIs. Only files of this folder and those below
// it include it.
#pragma once

#include <string>
#include <vector>

#include "engine/spec/diagnostic.h"
#include "engine/spec/project/run_spec.h"

namespace engine::script {

struct DataReader {
    std::vector<std::string> imports;  // modules of Python's library and others, beside numpy: "gzip", "PIL.Image"
    // Defines read_data(folder), which gives x_train, y_train, x_test, y_test (None where there is no test set), training samples as take
    // and the split leave them; with a split the test arrays are what it keeps back.
    std::string text;
    std::string folder;  // what `folder` is where the command line says nothing: Python; None where read_data() then looks by itself
};

// Adds an error to `findings` for data that no program reads.
DataReader writeDataReader(const spec::RunSpec& run, spec::Diagnostics& findings);

// True when there is something to validate with.
bool hasValidation(const spec::RunSpec& run);

// What --weights is where the command line says nothing: Python. A file of another kind than those whose endings are named is left out,
// with a warning.
std::string initialWeights(const spec::RunSpec& run, const std::vector<std::string>& endings, spec::Diagnostics& findings);

// Python over `epoch`, the first of which is 0: true where it ends with a validation.
std::string validatesText(const spec::FitSpec& fit);

}  // namespace engine::script
