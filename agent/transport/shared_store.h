// A ps task's variables in memory that workers of this computer read in place, where there can be such memory.
#pragma once

#include <memory>
#include <string>

#include "engine/distribute/shared_segment.h"
#include "engine/parameter_server/parameter_client.h"
#include "engine/parameter_server/parameter_store.h"

namespace agent::worker {

// The memory and the variables over which a ParameterService is made. Owned by the task.
struct SharedStore {
    engine::distribute::SharedSegment segment;
    std::string no_segment;  // why there is none; then the store has memory of its own
    std::unique_ptr<engine::parameter_server::ParameterStore> store;

    const engine::distribute::SharedSegment* offered() const { return no_segment.empty() ? &segment : nullptr; }
};

// Makes the store of the ps with that index; `options.memory` is not looked at.
SharedStore makeSharedStore(const engine::parameter_server::ParameterPlans& plans, int server,
                            engine::parameter_server::StoreOptions options);

}  // namespace agent::worker
