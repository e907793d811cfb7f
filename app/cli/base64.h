// Bytes in a JSON text.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace app::cli {

std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace app::cli
