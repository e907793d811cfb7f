// How many processors this process may use.
#pragma once

#include <filesystem>
#include <optional>

namespace engine {

// One or more: the processors that the system lets the calling thread run on, fewer than the computer's where a scheduler, a container or
// taskset bound the process to some, and no more than coresOfQuota(). std::thread::hardware_concurrency() counts all that are there.
int usableCores();

// The processors whose time the control groups of this process leave it, as `docker run --cpus` and a pod's limits.cpu set them: the
// narrowest group's, with a begun one counted as one. One or more; nullopt where no group has a limit. `root` holds the system's proc and
// sys. Control groups of both versions are known: docs.kernel.org/admin-guide/cgroup-v2.html (cpu.max) and scheduler/sched-bwc.html.
std::optional<int> coresOfQuota(const std::filesystem::path& root = "/");

}  // namespace engine
