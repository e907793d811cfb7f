// How a task tells the agent that started it why it ended, beside what it says in words.
#pragma once

namespace agent::local {

// A task that it sums with is no longer there (EX_UNAVAILABLE). It found no fault of its own.
inline constexpr int kPeerLostExit = 69;

}  // namespace agent::local
