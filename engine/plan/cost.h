// Work and traffic of a plan, by which the benchmarks judge how fast its kernels are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/plan/plan.h"

namespace engine::plan {

struct OpCost {
    std::string name;
    Phase phase = Phase::kForward;
    std::int64_t multiply_adds = 0;  // of a full batch
    std::int64_t bytes = 0;          // of its inputs and outputs; what is updated in place counts twice
    friend bool operator==(const OpCost&, const OpCost&) = default;
};

struct PlanCost {
    std::vector<OpCost> ops;
    std::int64_t multiply_adds = 0;
    std::int64_t bytes = 0;
    std::int64_t reduced_bytes = 0;  // gradients and header over the wire's input, a step
    friend bool operator==(const PlanCost&, const PlanCost&) = default;
};

PlanCost cost(const Plan& plan);

}  // namespace engine::plan
