// `export keras` and `export onnx`, beside `export tf-config`: a checkpoint as a file of another form.
#pragma once

#include "app/cli/verb.h"

namespace app::cli {

void addExportKeras(CLI::App& group, Context& context);
void addExportOnnx(CLI::App& group, Context& context);

}  // namespace app::cli
