// What the engine itself has to answer: tandem-worker does it, in place of this program.
#pragma once

#include <string>
#include <vector>

#include "app/cli/verb.h"

namespace app::cli {

// Runs tandem-worker beside this program with this one's output, waits for its end and takes over its exit code.
void runWorkerProgram(Context& context, std::vector<std::string> arguments);

}  // namespace app::cli
