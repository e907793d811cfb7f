// `export data` and `export report`, beside `export tf-config`: what a run told, as files.
#pragma once

#include <optional>

#include "app/cli/verb.h"
#include "engine/run/run_history.h"

namespace app::cli {

void addExportData(CLI::App& group, Context& context);
void addExportReport(CLI::App& group, Context& context);

// Everything that the run has told up to now: to its end when it is over, else up to the first event that is younger than this call.
// nullopt after saying why; context.exit_code is then set.
std::optional<engine::run::RunHistory> readHistory(Context& context, agent::client::AgentClient& client, const engine::run::RunInfo& run);

}  // namespace app::cli
