// `export script`, beside the other exports.
#pragma once

#include "app/cli/verb.h"

namespace app::cli {

void addExportScript(CLI::App& group, Context& context);

}  // namespace app::cli
