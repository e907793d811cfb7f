// A task whose process runs, as the supervisor names it to those who measure it.
#pragma once

#include <string>

#include "engine/spec/project/cluster_spec.h"

namespace agent::server {

struct LiveTask {
    std::string run_id;
    engine::spec::TaskId task;
    int pid = 0;
    friend bool operator==(const LiveTask&, const LiveTask&) = default;
};

}  // namespace agent::server
