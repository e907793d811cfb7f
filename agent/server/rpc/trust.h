// Who may talk to this agent: whoever knows the token in the file that only its user can read.
#pragma once

#include <string>

#include "agent/local/secret.h"

namespace agent::server {

using convert::sameSecret;

// 32 bytes of the system's randomness in hexadecimal. Throws Error(kInternal) when there is none.
std::string makeToken();

}  // namespace agent::server
