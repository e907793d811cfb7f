// All that a task of a run on several computers needs to belong to it.
#pragma once

#include "agent/local/secret.h"
#include "agent/trust/cluster_key.h"

namespace agent::trust {

struct RunCredentials {
    convert::Secret secret{};  // that all tasks of the run prove to each other
    TaskCredentials tls;       // this task's own
};

}  // namespace agent::trust
