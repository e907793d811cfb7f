// CRC-32C (Castagnoli, reflected polynomial 0x82F63B78) and the mask that TensorFlow and LevelDB put on stored checksums.
#pragma once

#include <cstdint>
#include <string_view>

namespace engine::checksum {

// `crc` is the value so far (0 to begin with), so that pieces can be chained.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t crc = 0);

constexpr std::uint32_t maskCrc(std::uint32_t crc) {
    return ((crc >> 15) | (crc << 17)) + 0xA282EAD8U;
}

}  // namespace engine::checksum
