// The secret that the tasks of a run share: whoever has it belongs to the run. It is handed on over pipes and read from a file of the
// user's, and stands nowhere else: not in arguments, the environment, logs or journals. Pure functions, safe from any thread.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace agent::convert {

using Secret = std::array<unsigned char, 32>;

// Makes a secret from the system's randomness. Throws Error(kInternal) when there is none.
Secret makeSecret();
// 64 hexadecimal digits, in lower case.
std::string toHex(const Secret& secret);
// nullopt for anything but 64 hexadecimal digits in lower case.
std::optional<Secret> secretFromHex(std::string_view text);
// nullopt for anything but 32 bytes.
std::optional<Secret> secretFromBytes(std::string_view bytes);
std::string_view bytesOf(const Secret& secret);

// The time that it takes depends on the length of `given` alone, never on where the two differ. An empty secret equals nothing.
bool sameSecret(std::string_view secret, std::string_view given);

// HMAC-SHA256 of `message` under `secret`: it shows that its writer has the secret, and does not tell it.
Secret proofOf(const Secret& secret, std::string_view message);

}  // namespace agent::convert
