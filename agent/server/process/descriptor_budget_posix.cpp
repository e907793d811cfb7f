#include <algorithm>
#include <filesystem>
#include <string>

#include <sys/resource.h>

#include "agent/server/process/descriptor_budget.h"
#include "engine/spec/error.h"

namespace agent::server {

OpenDescriptors openDescriptors() {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    std::size_t open = 0;
    std::error_code error;
    for (std::filesystem::directory_iterator entry("/proc/self/fd", error), end; !error && entry != end; entry.increment(error)) {
        ++open;
    }
    return {open, static_cast<std::size_t>(limit.rlim_cur)};
}

void requireDescriptors(std::size_t tasks, OpenDescriptors now) {
    const std::size_t needed = tasks * kDescriptorsOfATask + kDescriptorsOfARun;
    const std::size_t free = now.limit - std::min(now.limit, now.open);
    if (needed > free) {
        throw engine::Error(engine::ErrorCode::kResourceExhausted,
                            std::to_string(tasks) + (tasks == 1 ? " task" : " tasks") + ": expected " + std::to_string(needed) +
                                " free descriptors of tandem-agent, got " + std::to_string(free) + " of " + std::to_string(now.limit) +
                                "; raise the hard limit (ulimit -Hn) and start the agent anew, or take fewer tasks");
    }
}

}  // namespace agent::server
