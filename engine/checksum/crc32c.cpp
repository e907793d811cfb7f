#include "engine/checksum/crc32c.h"

#include <array>
#include <cstring>

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

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t crc) {
    crc = ~crc;
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
    return ~crc;
}

}  // namespace engine::checksum
