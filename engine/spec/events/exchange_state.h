// The state of a task's exchange with the others of its run: live data, which no journal keeps.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/spec/project/cluster_spec.h"

namespace engine::spec {

// An operation is a collective (an all-reduce of a bucket, a broadcast, a meeting), or a worker's step with parameter servers.
struct ExchangeState {
    std::uint64_t sequence = 0;   // of the operation that goes on or ended last, from 1 and alike on every task; 0: there was none
    int bucket = 0, buckets = 0;  // which of a step's, from 1; 0: none
    std::int64_t bytes = 0;       // of this task's data in it
    double wait_s = 0;            // for how long it has waited in it by now; 0: it does not wait
    std::optional<TaskId> awaited;
    std::optional<double> step_wait_s;  // mean wait of a step over the last second; none: no step began in it
    double age_s = 0;                   // how long ago the task said so
    friend bool operator==(const ExchangeState&, const ExchangeState&) = default;
};

}  // namespace engine::spec
