// Whether bytes are a text in UTF-8.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace engine::data {

// The place, counted from 0, of the first byte that begins no whole character: longer forms than needed, halves of UTF-16's pairs and
// numbers above 0x10FFFF are none. Nothing where all are characters.
std::optional<std::size_t> firstOutsideUtf8(std::string_view text);

}  // namespace engine::data
