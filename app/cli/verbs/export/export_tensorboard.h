// `export tensorboard`: runs side by side in the real TensorBoard.
#pragma once

#include "app/cli/verb.h"

namespace app::cli {

void addExportTensorboard(CLI::App& group, Context& context);

}  // namespace app::cli
