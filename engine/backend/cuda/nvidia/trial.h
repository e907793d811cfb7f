// Which of several ways a library is to go: each is run on memory of the trial's own.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "engine/backend/cuda/libraries.h"

namespace engine::backend::cuda::nvidia {

struct TrialBytes {
    std::size_t a = 0, b = 0, c = 0, bias = 0;
};

struct Ways {
    std::string name;  // of the work, in Choices
    std::size_t count = 0;
    TrialBytes bytes{};
    std::function<std::size_t(std::size_t way)> scratch_bytes{};
    // False, or an Error, for a way that does not take the case.
    std::function<bool(std::size_t way, cudaStream_t stream, const Operands& operands, std::byte* scratch)> run{};
};

// Returns the fastest way, which is remembered, or measured and then remembered; where nothing is tried, the first that runs. What is
// chosen has run once: a library may allocate at its first call, and nobody can while a step is captured. Without room for a trial it is
// the way that needs least, untried and not remembered. nullopt where no way takes the case.
std::optional<std::size_t> chooseWay(const LibraryOptions& options, Choices& choices, const Ways& ways);

}  // namespace engine::backend::cuda::nvidia
