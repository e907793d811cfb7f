// The user's secret, by which the tasks of a program know each other.
#pragma once

#include "agent/local/secret_file.h"
#include "agent/transport/link_secret.h"

namespace agent::distributed {

// Throws Error as convert::userSecret().
inline worker::LinkSecret usersSecret() {
    return {convert::userSecret(), "the secret in " + convert::secretFile().string()};
}

}  // namespace agent::distributed
