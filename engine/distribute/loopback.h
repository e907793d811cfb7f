// Members that are threads of one process: for tests, and for a run of one task, which has nobody to talk to.
#pragma once

#include <memory>
#include <vector>

#include "engine/distribute/transport.h"

namespace engine::distribute {

struct LoopbackOptions {
    // False hides the members' memory from each other, so that everything goes as messages.
    bool peer_views = true;
};

// n transports in rank order, joined to each other; each may be moved to a thread of its own. Members are called "worker 0", "worker 1",
// ... A transport destroyed without leave() counts as lost, as a killed process would.
std::vector<std::unique_ptr<Transport>> makeLoopbackTransports(int n, LoopbackOptions options = {});

}  // namespace engine::distribute
