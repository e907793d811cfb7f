// Following a run to its end.
#pragma once

#include "app/cli/verb.h"

namespace app::cli {

struct FollowOptions {
    bool json = false;
    bool stop_on_interrupt = true;  // Ctrl+C stops the run (twice: at once); else it ends the watching only
    int from_attempt = 1;           // what earlier attempts of the run told is left out
    std::int64_t process_start_unix_ns = 0;
};

// The exit code of a watch that ended with an error: the agent of this computer can't be reached, or it answers and something else is
// wrong, such as a damaged journal.
ExitCode exitCodeOfLostWatch(agent::client::AgentClient& client, const std::string& run_id);

// Prints every event from the first of options.from_attempt on until the run is over; sets context.exit_code.
void followRun(Context& context, agent::client::AgentClient& client, const engine::run::RunInfo& run, const FollowOptions& options);

}  // namespace app::cli
