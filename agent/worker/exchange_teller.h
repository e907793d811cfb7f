// Says in the words of the run what the engine's progress says of an exchange: tasks in place of ranks, means in place of sums.
#pragma once

#include <optional>
#include <vector>

#include "engine/distribute/exchange_progress.h"
#include "engine/spec/events/exchange_state.h"

namespace agent::worker {

// Used by the heartbeat thread alone. `progress` outlives it.
class ExchangeTeller {
public:
    // `members` are by the rank that the progress names: the training tasks, or the servers of a worker.
    ExchangeTeller(const engine::distribute::ExchangeProgress& progress, std::vector<engine::spec::TaskId> members)
        : progress_(progress), members_(std::move(members)) {}

    // Returns the state now; step_wait_s is a mean since the last call. Empty before the first operation.
    std::optional<engine::spec::ExchangeState> tell(engine::distribute::ExchangeProgress::Clock::time_point now);

private:
    const engine::distribute::ExchangeProgress& progress_;
    const std::vector<engine::spec::TaskId> members_;
    engine::distribute::ExchangeProgress::Reading told_;
};

}  // namespace agent::worker
