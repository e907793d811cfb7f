#include "agent/server/trust.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <sys/random.h>

#include "engine/spec/error.h"

namespace agent::server {

std::string makeToken() {
    std::array<unsigned char, 32> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
        throw engine::Error(engine::ErrorCode::kInternal, std::string("token: no random bytes: ") + std::strerror(errno));
    }
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string token;
    for (const unsigned char byte : bytes) {
        token += kDigits[byte >> 4];
        token += kDigits[byte & 15];
    }
    return token;
}

bool sameSecret(std::string_view secret, std::string_view given) {
    if (secret.empty()) {
        return false;
    }
    volatile unsigned char difference = secret.size() == given.size() ? 0 : 1;
    for (std::size_t i = 0; i < given.size(); ++i) {
        difference = static_cast<unsigned char>(difference | (given[i] ^ secret[i % secret.size()]));
    }
    return difference == 0;
}

}  // namespace agent::server
