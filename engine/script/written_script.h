// A program as it was written, with what is to be said of it.
#pragma once

#include <string>

#include "engine/spec/diagnostic.h"

namespace engine::script {

struct Script {
    std::string text;  // ends in a newline; empty where `findings` has an error
    // Errors: what the framework has no equal for, each with its path ("model.layers[3]") and a sentence that names it. Warnings: what the
    // program does in another way.
    spec::Diagnostics findings;
    bool isWritten() const { return !text.empty(); }
};

}  // namespace engine::script
