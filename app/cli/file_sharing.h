// A run's own files, sent to its other computers before it starts.
#pragma once

#include "app/cli/verb.h"

namespace app::cli {

// Until Ctrl+C. On a terminal one line says how far it is, elsewhere a line for each computer that got something; with --json they go to
// the error output. Throws Error as AgentClient::shareFiles does.
void shareFiles(Context& context, agent::client::AgentClient& client, const agent::client::SubmitRequest& request, bool json);

}  // namespace app::cli
