// Sends a run's own files to its other computers before it starts.
#pragma once

#include "app/cli/verb.h"

namespace app::cli {

// Ends early with Ctrl+C. On a terminal one line says how far it is; in the end there is a line for each computer that got something. With
// --json only these lines come, on the error output. Throws Error as AgentClient::shareFiles does.
void shareFiles(Context& context, agent::client::AgentClient& client, const agent::client::SubmitRequest& request, bool json);

}  // namespace app::cli
