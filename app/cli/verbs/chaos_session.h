// A script of faults that is done to a run while it is watched: each at its moment, and what came of it as soon as the journal tells.
#pragma once

#include <chrono>
#include <vector>

#include "app/cli/verb.h"
#include "engine/chaos/script.h"

namespace app::cli {

struct ChaosOptions {
    std::vector<engine::chaos::Step> steps;
    std::chrono::milliseconds patience{std::chrono::minutes(5)};  // with a fault that can't be done now, or that does not heal
    bool json = false;
};

// Returns when every fault has healed, the run is over, patience is at its end or Ctrl+C was pressed; sets context.exit_code.
void doChaos(Context& context, agent::client::AgentClient& client, const engine::run::RunInfo& run, const ChaosOptions& options);

}  // namespace app::cli
