// Checks that this process may open as many descriptors as a run needs, before anything of the run is started.
#pragma once

#include <cstddef>

namespace agent::server {

// The descriptors that the agent holds open for a task: its process, its events, its output, its errors and its port; and while it starts,
// their other ends.
inline constexpr std::size_t kDescriptorsOfATask = 7;
// The descriptors of a run's journal and of the clients that watch it.
inline constexpr std::size_t kDescriptorsOfARun = 64;

struct OpenDescriptors {
    std::size_t open = 0, limit = 0;
};
// Returns the descriptors of this process, now.
OpenDescriptors openDescriptors();
// Throws Error(kResourceExhausted): "256 tasks: expected 1856 free descriptors of this agent, got 980 (of 1024); …".
void requireDescriptors(std::size_t tasks, OpenDescriptors now);

}  // namespace agent::server
