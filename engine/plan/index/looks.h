// The work of passes over a plan, counted: tests see by it that it grows as the plan does, on a loaded machine too.
#pragma once

#include <cstdint>

namespace engine::plan {

// How many tensors, gradients and blocks of memory this thread has looked at in searches: findTensor(), slotsOf(), bucketOf(),
// parametersOf() and statesOf() look at everything there is, planMemory() at the blocks that are alive beside the one it places. Whoever
// calls one of these once for each layer makes the work grow with the square of the layers; tests of growth see it here.
std::int64_t& looksOfThisThread();

}  // namespace engine::plan
