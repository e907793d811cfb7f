// The addresses where the tasks of a run listen and are dialled; agent/local/socket_address.h has the sockets.
#pragma once

#include <string>
#include <vector>

#include "engine/distribute/peer_health.h"

namespace agent::worker {

// "ipv4:10.77.0.2:2222" or "ipv6:[fd77::2]:2222", as gRPC writes it: there is no name to resolve later.
struct TaskPlace {
    std::string target;
    bool is_here = true;  // one of this computer's own addresses
};

// How far a task may reach: to other computers only where its connections are encrypted.
enum class Reach { kThisComputer, kNetwork };

// The places of all tasks, as the task of index `own` sees them; its own is where it listens, and lies on this computer. The name of this
// computer may stand for its loopback here and for its address elsewhere, as Debian's installer writes it: where some task is on another
// computer, the address from which that one is reached takes the loopback's place.
//
// Throws Error, naming the task: kInvalidArgument for an address without a port, for an own address that is another computer's, and for
// "localhost" in a cluster of several computers; kNotFound for a host that does not resolve; kFailedPrecondition for a task on another
// computer where `reach` is this one. Names are resolved one after the other, each for as long as the system's resolver takes.
std::vector<TaskPlace> resolveTasks(const std::vector<engine::distribute::TaskName>& tasks, std::size_t own, Reach reach);

}  // namespace agent::worker
