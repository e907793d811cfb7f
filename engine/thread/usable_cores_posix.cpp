#include "engine/thread/usable_cores.h"

#include <algorithm>
#include <thread>

#include <sched.h>

namespace engine {

int usableCores() {
    cpu_set_t set;
    // It fails on a computer with more processors than the set has room for.
    const int cores =
        ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : static_cast<int>(std::thread::hardware_concurrency());
    return std::max(1, cores);
}

}  // namespace engine
