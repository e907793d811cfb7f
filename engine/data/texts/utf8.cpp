#include "engine/data/texts/utf8.h"

namespace engine::data {
namespace {

// Bytes that follow the first one of a character, by that one; nothing of a byte that begins none.
std::optional<std::size_t> bytesBehind(unsigned char first) {
    if (first < 0x80) return 0;
    if (first >= 0xC2 && first < 0xE0) return 1;
    if (first >= 0xE0 && first < 0xF0) return 2;
    if (first >= 0xF0 && first < 0xF5) return 3;
    return std::nullopt;
}

}  // namespace

std::optional<std::size_t> firstOutsideUtf8(std::string_view text) {
    const auto byteAt = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    for (std::size_t at = 0; at < text.size();) {
        const unsigned char first = byteAt(at);
        const std::optional<std::size_t> behind = bytesBehind(first);
        if (!behind || text.size() - at <= *behind) return at;
        for (std::size_t i = 1; i <= *behind; ++i) {
            unsigned char least = 0x80, most = 0xBF;
            if (i == 1 && first == 0xE0) least = 0xA0;
            if (i == 1 && first == 0xED) most = 0x9F;
            if (i == 1 && first == 0xF0) least = 0x90;
            if (i == 1 && first == 0xF4) most = 0x8F;
            if (byteAt(at + i) < least || byteAt(at + i) > most) return at;
        }
        at += *behind + 1;
    }
    return std::nullopt;
}

}  // namespace engine::data
