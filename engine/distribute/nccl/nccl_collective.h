// A collective whose sums go from GPU to GPU by NCCL; everything else goes the way of the collective that it stands on.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "engine/distribute/collective.h"
#include "engine/distribute/nccl/nccl_library.h"

namespace engine::distribute::nccl {

struct NcclOptions {
    std::chrono::milliseconds connect_deadline = std::chrono::minutes(1);  // until all members have joined and tried a sum
    std::chrono::milliseconds operation_deadline = std::chrono::hours(1);  // of one wait, while every member is alive
    std::chrono::microseconds poll = std::chrono::microseconds(200);       // between two looks while connecting
};

struct NcclConnection {
    std::unique_ptr<Collective> collective;  // null: it could not be made
    std::string problem;                     // then why, naming the member: the same on all of them
};

// Every member of `host` calls it at the same point, with the GPU that it uses as the current one. Member 0's id travels by
// host.broadcast(); members are looked after by host.checkMembers(). Either all get a collective or none does. `host` outlives it and is
// free for others between two calls; the sums' memory must be released before it goes. Throws Error as `host` does when a member is lost
// meanwhile.
NcclConnection connect(Collective& host, std::shared_ptr<Library> library, NcclOptions options = {});

}  // namespace engine::distribute::nccl
