// ParameterServerStrategy cuts a training step in two: a worker computes gradients, the servers apply them. parameterServer() of strategy.h
// makes the worker's plan; here is what a server runs.
#pragma once

#include <vector>

#include "engine/plan/plan.h"
#include "engine/plan/variable_parts.h"

namespace engine::plan {

// What one server does with the gradients of one bucket: the updates of the variables that it holds, and nothing else. All its plans have
// the same variables, so that they share a backend::Variables; its gradients lie where the worker's plan has them, so that an executor
// works on a worker's region, or on a copy of it.
struct ServerPlan {
    int bucket = 0;
    Plan plan;
    // Byte ranges of the worker's region that the plan reads, in ascending order.
    struct Range {
        std::int64_t offset_bytes = 0, bytes = 0;
        int table = -1;              // of rowTables(): a worker sends those of these rows alone that its batch names
        std::int64_t first_row = 0;  // of the table
        friend bool operator==(const Range&, const Range&) = default;
    };
    std::vector<Range> reads;
};

// `whole` is a step with its updates and buckets, after planMemory(): what withBuckets() makes. A plan for each bucket of which the server
// holds something. Parts without a bucket (states that no step changes) stand among the variables of each plan; a server that holds
// variables and gets no gradients has one plan without ops.
std::vector<ServerPlan> serverPlans(const Plan& whole, const std::vector<VariablePart>& parts, int server, const std::string& device);

// The gradients of a step in buckets, as worker and servers must agree on them. Throws Error(kUnimplemented) for a step that asks for what
// is left to one device: accumulated gradients, a loss scale, statistics that replicas share.
Plan withBuckets(Plan plan, const spec::StrategySpec& settings);

}  // namespace engine::plan
