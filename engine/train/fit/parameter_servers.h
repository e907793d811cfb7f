// The parameter servers of a run, as a worker's trainer has them: made by the task, which knows sockets and memory.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/distribute/exchange_progress.h"
#include "engine/parameter_server/parameter_client.h"
#include "engine/parameter_server/server_link.h"

namespace engine::train {

// Owned by the task; outlives its trainer. One thread calls it.
class ParameterServers {
public:
    virtual ~ParameterServers() = default;

    virtual const parameter_server::ParameterPlans& plans() const = 0;

    struct Connection {
        std::vector<parameter_server::ServerLink*> links;  // by server; until the next connect()
        std::span<std::byte> region;                       // for the gradients of plans().worker; the same
        std::string description;                           // "worker 0 <-> ps 0: shared memory", one a line
        std::string chief;                                 // "chief 0 at localhost:2222"; empty: who waits for it says "the chief"
        distribute::ExchangeProgress* progress = nullptr;  // told of every pull and push; outlives the servers. Null: nobody asks
    };
    // Finds every server, and waits for those that are not there. What an earlier call found is gone. Throws Error: kDeadlineExceeded
    // naming who did not come, kFailedPrecondition for servers of another project, kCancelled.
    virtual Connection connect() = 0;

    // This worker goes; `complete`: the run has all its steps, and no other worker needs the servers.
    virtual void leave(bool complete) = 0;
};

}  // namespace engine::train
