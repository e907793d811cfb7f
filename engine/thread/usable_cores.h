// How many processors this process may use.
#pragma once

namespace engine {

// One or more: the processors that the system lets the calling thread run on, fewer than the computer's where a scheduler, a container or
// taskset bound the process to some. std::thread::hardware_concurrency() counts all that are there.
int usableCores();

}  // namespace engine
