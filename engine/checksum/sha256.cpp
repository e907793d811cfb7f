#include "engine/checksum/sha256.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <openssl/evp.h>
#include <unistd.h>

#include "engine/spec/error.h"

namespace engine::checksum {

struct Sha256::Context {
    const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> digest{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
    ENGINE_CHECK(context_->digest != nullptr && EVP_DigestInit_ex(context_->digest.get(), EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;

void Sha256::add(const void* bytes, std::size_t size) {
    ENGINE_CHECK(EVP_DigestUpdate(context_->digest.get(), bytes, size) == 1);
}

std::string Sha256::hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned size = 0;
    ENGINE_CHECK(EVP_DigestFinal_ex(context_->digest.get(), bytes.data(), &size) == 1);
    constexpr const char* kDigits = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < size; ++i) {
        text += {kDigits[bytes[i] >> 4U], kDigits[bytes[i] & 15U]};
    }
    return text;
}

std::string sha256Of(int descriptor, const std::filesystem::path& file, const std::function<bool()>& is_cancelled) {
    constexpr std::size_t kBlock = 1u << 20;
    Sha256 digest;
    std::vector<char> block(kBlock);
    for (;;) {
        if (is_cancelled && is_cancelled()) {
            throw Error(ErrorCode::kCancelled, file.string() + ": its checksum is not wanted any more");
        }
        const ssize_t got = ::read(descriptor, block.data(), block.size());
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            throw Error(ErrorCode::kInternal, file.string() + ": can't be read: " + std::strerror(errno));
        }
        if (got == 0) {
            return digest.hex();
        }
        digest.add(block.data(), static_cast<std::size_t>(got));
    }
}

}  // namespace engine::checksum
