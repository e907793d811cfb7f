// A file of faults for a run, one a line, each with its moment:
//
//   # what is to happen, in any order
//   kill worker:1 after 20s
//   stop worker:0 for 5s at-step 500
//   slow worker:1 for 10s by 50ms
//
// Words are divided by blanks; what stands behind # is for people. `after` counts from the start of the script, `at-step` from the first
// step of the run; without either the fault comes at once. What a kind does not say has its usual value (fault.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/chaos/fault.h"
#include "engine/spec/diagnostic.h"

namespace engine::chaos {

struct Step {
    Fault fault;
    std::chrono::milliseconds after{0};
    std::int64_t at_step = 0;  // as soon as the run has done so many steps; 0: by `after`
    friend bool operator==(const Step&, const Step&) = default;
};

inline constexpr std::size_t kMostSteps = 1000;

struct ReadScript {
    std::vector<Step> steps;     // of the lines without a problem
    spec::Diagnostics problems;  // all at once, by their lines: "line 3"
};
ReadScript readScript(std::string_view text);

// A script that reads as these steps.
std::string toText(const std::vector<Step>& steps);

}  // namespace engine::chaos
