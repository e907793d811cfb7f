// Real processes: own process group, SIGKILL when the launching thread ends, descriptor 3 for events, output and errors piped.
#pragma once

#include "agent/server/process.h"

namespace agent::server {

class PosixLauncher final : public ProcessLauncher {
public:
    std::unique_ptr<Process> launch(const ProcessSpec& spec) override;
};

}  // namespace agent::server
