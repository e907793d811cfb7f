#include "engine/checksum/crc32c.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace engine::checksum {
namespace {

// Eight tables: entry [k][b] is the CRC of byte b followed by k zero bytes, so that eight bytes are folded in one round.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables makeTables() {
    Tables tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78U : 0U);
        }
        tables[0][byte] = crc;
    }
    for (std::size_t k = 1; k < tables.size(); ++k) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 255];
        }
    }
    return tables;
}

constexpr Tables kTables = makeTables();

#if defined(__x86_64__)

// Processors since 2008 have an instruction for this very polynomial.
__attribute__((target("sse4.2"))) std::uint32_t foldByInstruction(std::string_view bytes, std::uint32_t crc) {
    const char* at = bytes.data();
    std::size_t left = bytes.size();
    std::uint64_t wide = crc;
    for (; left >= 8; left -= 8, at += 8) {
        std::uint64_t word;
        std::memcpy(&word, at, sizeof word);
        wide = _mm_crc32_u64(wide, word);
    }
    crc = static_cast<std::uint32_t>(wide);
    for (; left > 0; --left, ++at) crc = _mm_crc32_u8(crc, static_cast<unsigned char>(*at));
    return crc;
}

#endif

std::uint32_t foldByTables(std::string_view bytes, std::uint32_t crc) {
    while (bytes.size() >= 8) {
        std::uint32_t low;
        std::uint32_t high;
        std::memcpy(&low, bytes.data(), 4);
        std::memcpy(&high, bytes.data() + 4, 4);
        low ^= crc;
        crc = kTables[7][low & 255] ^ kTables[6][(low >> 8) & 255] ^ kTables[5][(low >> 16) & 255] ^ kTables[4][low >> 24] ^
              kTables[3][high & 255] ^ kTables[2][(high >> 8) & 255] ^ kTables[1][(high >> 16) & 255] ^ kTables[0][high >> 24];
        bytes.remove_prefix(8);
    }
    for (const char byte : bytes) {
        crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<unsigned char>(byte)) & 255];
    }
    return crc;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t crc) {
#if defined(__x86_64__)
    static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
    if (has_instruction) return ~foldByInstruction(bytes, ~crc);
#endif
    return ~foldByTables(bytes, ~crc);
}

}  // namespace engine::checksum
