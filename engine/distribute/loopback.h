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

// A transport for each member of `edges`, in rank order, joined as these say; each may be moved to a thread of its own. Members are called
// "worker 0", "worker 1",
// ... A transport destroyed without leave() counts as lost, as a killed process would.
std::vector<std::unique_ptr<Transport>> makeLoopbackTransports(const Edges& edges, LoopbackOptions options = {});
// The same of a ring of n.
std::vector<std::unique_ptr<Transport>> makeLoopbackTransports(int n, LoopbackOptions options = {});

}  // namespace engine::distribute
