// Whether this process may open as many descriptors as a run needs, asked before anything of it is started.
#pragma once

#include <cstddef>

namespace agent::server {

// What the agent holds open for a task: its process, its events, its output, its errors and its port; and while it starts, their other
// ends.
inline constexpr std::size_t kDescriptorsOfATask = 7;
// The run's journal, and the clients that watch it.
inline constexpr std::size_t kDescriptorsOfARun = 64;

struct OpenDescriptors {
    std::size_t open = 0, limit = 0;
};
// Of this process, now.
OpenDescriptors openDescriptors();
// Throws Error(kResourceExhausted): "256 tasks: expected 1856 free descriptors of this agent, got 980 (of 1024); …".
void requireDescriptors(std::size_t tasks, OpenDescriptors now);

}  // namespace agent::server
