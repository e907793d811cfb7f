// The collective over a transport: a pipelined ring, or sums in place where all members see each other's memory.
#pragma once

#include <chrono>
#include <memory>

#include "engine/distribute/collective.h"
#include "engine/distribute/transport.h"

namespace engine::distribute {

struct RingOptions {
    // The deadline of each operation, from its start (of a started one: from when its turn comes). A dead or silent peer is noticed long
    // before.
    std::chrono::milliseconds deadline = std::chrono::hours(1);
    // Who moves the messages of started reductions. True: a thread of the collective's own, beside the computation. False: the caller's, at
    // every start and while it waits; better where no core is spare, for the two then only take it from each other.
    bool own_thread = true;
    // Told of every operation and wait; outlives the collective. Null: nobody asks.
    ExchangeProgress* progress = nullptr;
};

// The transport has the edges of a ring, whatever others as well. The messages' errors name tasks as transport->health() does. The
// destructor says goodbye to the others; after an Error it tells them why.
std::unique_ptr<Collective> makeRingCollective(std::unique_ptr<Transport> transport, RingOptions options = {});

}  // namespace engine::distribute
