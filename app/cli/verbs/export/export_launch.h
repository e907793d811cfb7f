// `export launch`, beside the other exports.
#pragma once

#include "app/cli/verb.h"

namespace app::cli {

void addExportLaunch(CLI::App& group, Context& context);

}  // namespace app::cli
