#include "agent/local/secret.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/random.h>

#include "engine/spec/error.h"

namespace agent::convert {

namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

Secret makeSecret() {
    Secret secret{};
    if (::getrandom(secret.data(), secret.size(), 0) != static_cast<ssize_t>(secret.size())) {
        throw engine::Error(engine::ErrorCode::kInternal, std::string("secret: no random bytes: ") + std::strerror(errno));
    }
    return secret;
}

std::string toHex(const Secret& secret) {
    std::string text;
    for (const unsigned char byte : secret) {
        text += kDigits[byte >> 4];
        text += kDigits[byte & 15];
    }
    return text;
}

std::optional<Secret> secretFromHex(std::string_view text) {
    Secret secret{};
    if (text.size() != 2 * secret.size() || text.find_first_not_of(kDigits) != std::string_view::npos) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < secret.size(); ++i) {
        secret[i] = static_cast<unsigned char>(kDigits.find(text[2 * i]) << 4 | kDigits.find(text[2 * i + 1]));
    }
    return secret;
}

std::optional<Secret> secretFromBytes(std::string_view bytes) {
    Secret secret{};
    if (bytes.size() != secret.size()) {
        return std::nullopt;
    }
    std::copy(bytes.begin(), bytes.end(), secret.begin());
    return secret;
}

std::string_view bytesOf(const Secret& secret) {
    return {reinterpret_cast<const char*>(secret.data()), secret.size()};
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

Secret proofOf(const Secret& secret, std::string_view message) {
    Secret proof{};
    unsigned int size = 0;
    const auto* bytes = reinterpret_cast<const unsigned char*>(message.data());
    if (HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()), bytes, message.size(), proof.data(), &size) == nullptr ||
        size != proof.size()) {
        throw engine::Error(engine::ErrorCode::kInternal, "secret: HMAC-SHA256 is not available");
    }
    return proof;
}

}  // namespace agent::convert
