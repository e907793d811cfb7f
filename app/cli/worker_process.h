// The engine lives in tandem-worker: a verb that needs it is that program's, with its output.
#pragma once

#include <string>
#include <vector>

#include "app/cli/verb.h"

namespace app::cli {

// Runs tandem-worker to its end, on this process' own output; sets context.exit_code to the worker's.
void runWorker(Context& context, std::vector<std::string> arguments);

// "--set", each of `settings`, and "--threads" when above 0.
void appendCommon(std::vector<std::string>& arguments, const std::vector<std::string>& settings, int threads);

}  // namespace app::cli
