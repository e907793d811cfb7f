#include "engine/train/weights_digest.h"

#include <array>
#include <bit>
#include <memory>

#include <openssl/evp.h>

#include "engine/data/dataset.h"
#include "engine/spec/error.h"

namespace engine::train {

static_assert(std::endian::native == std::endian::little, "the values are hashed as they lie in memory");

std::string weightsSha256(const backend::Variables& variables) {
    const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    ENGINE_CHECK(context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
    for (const backend::Variables::Entry& entry : variables.entries()) {
        if (entry.is_slot) {
            continue;
        }
        const std::string line = entry.name + " float32 " + data::toString(entry.shape) + "\n";
        ENGINE_CHECK(EVP_DigestUpdate(context.get(), line.data(), line.size()) == 1);
        ENGINE_CHECK(EVP_DigestUpdate(context.get(), entry.values.data(), entry.values.size_bytes()) == 1);
    }
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    ENGINE_CHECK(EVP_DigestFinal_ex(context.get(), digest.data(), &size) == 1);
    std::string text;
    for (unsigned i = 0; i < size; ++i) {
        constexpr const char* kDigits = "0123456789abcdef";
        text += {kDigits[digest[i] >> 4U], kDigits[digest[i] & 15U]};
    }
    return text;
}

}  // namespace engine::train
