// `export onnx`, beside `export keras`.
#pragma once

#include "app/cli/verb.h"

namespace app::cli {

void addExportOnnx(CLI::App& group, Context& context);

}  // namespace app::cli
