// Who may talk to this agent: whoever knows the token in the file that only its user can read.
#pragma once

#include <string>
#include <string_view>

namespace agent::server {

// 32 bytes of the system's randomness in hexadecimal. Throws Error(kInternal) when there is none.
std::string makeToken();

// Time depends on the length of `given` alone, never on where the two differ.
bool sameSecret(std::string_view secret, std::string_view given);

}  // namespace agent::server
