// `export data` and `export report`, beside `export tf-config`: what a run told, as files.
#pragma once

#include "app/cli/verb.h"

namespace app::cli {

void addExportData(CLI::App& group, Context& context);
void addExportReport(CLI::App& group, Context& context);

}  // namespace app::cli
