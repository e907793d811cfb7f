#include <cstddef>

#include "agent/wire/task_event_convert.h"

namespace agent::convert {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Length of the well-formed sequence at the start of `text` (Unicode 15, table 3-7), 0 when there is none.
std::size_t sequenceLength(std::string_view text) {
    const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto within = [&](std::size_t i, unsigned low, unsigned high) { return at(i) >= low && at(i) <= high; };
    const auto tail = [&](std::size_t i) { return within(i, 0x80, 0xBF); };
    const unsigned lead = at(0);
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xC2 && lead <= 0xDF) {
        return tail(1) ? 2 : 0;
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
        const bool second = within(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF);
        return second && tail(2) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const bool second = within(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF);
        return second && tail(2) && tail(3) ? 4 : 0;
    }
    return 0;
}

}  // namespace

std::string validUtf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        out.append(length > 0 ? text.substr(0, length) : kReplacement);
        text.remove_prefix(length > 0 ? length : 1);
    }
    return out;
}

}  // namespace agent::convert
