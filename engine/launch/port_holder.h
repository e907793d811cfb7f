// Which process of this computer listens on a TCP port. Any thread; reads /proc, some milliseconds where many processes run.
#pragma once

#include <optional>
#include <string>

namespace engine::launch {

struct PortHolder {
    std::string program;  // as the system names it, "nginx"
    int pid = 0;
};

// nullopt where nobody listens, and where it is not to be found: another user's process, or one that has just ended.
std::optional<PortHolder> findPortHolder(int port);

// "nginx (pid 812)"
std::string toString(const PortHolder& holder);

}  // namespace engine::launch
