// What a step of a worker asks of its parameter servers. Executors of plans with kPull and kPush call it; engine/parameter_server
// implements it.
#pragma once

#include <cstdint>
#include <span>

namespace engine::distribute {

// Owned by the task; outlives the executors that use it, and is called by their compute thread alone. Every call ends by a deadline of the
// exchange's own or throws Error: kDeadlineExceeded or kUnavailable, naming the server; the step is then void and may be taken again.
class ParameterExchange {
public:
    virtual ~ParameterExchange() = default;

    // Copies what the servers hold now into the parameters and states of the task's backend::Variables. Does not wait for other workers
    // unless strategy.max_staleness asks for it. `tables` names, for each of plan::rowTables() of the worker's plan, the rows that the
    // batch looks up, distinct and ascending: of these tables no other row is copied, and of their gradients no other row is pushed. The
    // lists live until the step's last push was awaited.
    virtual void pull(std::span<const std::span<const std::int64_t>> tables) = 0;

    // Hands the bucket's gradients, which lie in the region that the executor was given, to the servers; nobody may change them until
    // awaitPush(bucket) returns. Once a bucket and step, in the order of the plan.
    virtual void startPush(int bucket) = 0;
    // Returns when the servers have applied them.
    virtual void awaitPush(int bucket) = 0;
};

}  // namespace engine::distribute
