// Runs as one file: tandem-cli archive writes it, tandem-cli import makes a run of it.
#pragma once

#include <string>

#include "app/cli/verb.h"

namespace app::cli {

void importRun(Context& context, const std::string& file);

}  // namespace app::cli
