// What TCP itself gives two processes of this computer: as many bytes each way as a ring of two sends for a sum, with nothing done to them.
#pragma once

#include <cstddef>
#include <vector>

namespace bench {

// Prints a JSON line a size, as all_reduce_bench does, from a parent and a child that it forks. Throws std::system_error where a call
// fails.
void measurePlainSockets(const std::vector<std::size_t>& kib, int warmup, int repeats);

}  // namespace bench
