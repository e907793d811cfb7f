// The secret by which the tasks of a run know each other, with its name for messages.
#pragma once

#include <string>

#include "agent/local/secret.h"

namespace agent::worker {

// What the tasks of a run prove to each other that they have, and what to call it: "the secret of this run".
struct LinkSecret {
    convert::Secret key{};
    std::string name;
};

}  // namespace agent::worker
