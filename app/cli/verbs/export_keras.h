// `export keras`, beside `export tf-config`.
#pragma once

#include "app/cli/verb.h"

namespace app::cli {

void addExportKeras(CLI::App& group, Context& context);

}  // namespace app::cli
