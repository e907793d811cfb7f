// A collective whose sums and broadcasts go through MPI. The one that it stands on still looks after the members, and carries the few facts
// that they tell each other: MPI doesn't say who died.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "engine/distribute/collective.h"
#include "engine/distribute/mpi/mpi_functions.h"

namespace engine::distribute::mpi {

struct MpiOptions {
    std::chrono::milliseconds join_deadline = std::chrono::minutes(10);    // until all members have joined
    std::chrono::milliseconds operation_deadline = std::chrono::hours(1);  // of one wait, while every member is alive; of the end as well
    std::chrono::milliseconds look = std::chrono::milliseconds(20);        // between two looks after the members while one waits
    std::chrono::milliseconds grace = std::chrono::seconds(3);             // for `host` to notice who is lost, once MPI has failed
    std::function<bool()> is_cancelled{};                                  // asked while the members join; true ends it
};

// Every member of `host` calls it at the same point; `host` and `functions` outlive it, and `host` is free for others while no operation is
// under way. MPI's calls are all made by a thread of the collective's own, so that no wait of the caller's depends on MPI. The destructor
// leaves MPI with the others; after an Error, its own or one that unwinds, it leaves MPI as it is, for the process is to end.
// The order of a sum is the library's: between two members it is the ring's, beyond that the last bits may differ.
// Throws Error: kUnavailable naming a lost member or with MPI's reason, kDeadlineExceeded, kCancelled.
std::unique_ptr<Collective> joinMembers(Collective& host, const Functions& functions, MpiOptions options = {});

}  // namespace engine::distribute::mpi
