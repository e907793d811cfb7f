// Real processes: own process group, SIGKILL when the launching thread ends, descriptor 3 for events, output and errors piped.
#pragma once

#include <optional>

#include <sys/resource.h>

#include "agent/server/process/process.h"

namespace agent::server {

class PosixLauncher final : public ProcessLauncher {
public:
    // `descriptors`: the children's limits of open files; nullopt: this process' own.
    explicit PosixLauncher(std::optional<rlimit> descriptors = std::nullopt) : descriptors_(descriptors) {}
    std::unique_ptr<Process> launch(const ProcessSpec& spec) override;

private:
    const std::optional<rlimit> descriptors_;
};

}  // namespace agent::server
