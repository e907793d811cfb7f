#include "engine/spec/number_format.h"

#include <algorithm>
#include <charconv>

namespace engine::spec {
namespace {

// Digits alone, or none.
bool isSmallNumber(std::string_view text) {
    if (text.empty()) return true;
    if (text.size() > 4 || !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) return false;
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number <= 200;
}

}  // namespace

bool isNumberFormat(std::string_view format, bool integer) {
    if (format.empty()) return true;
    const char kind = format.back();
    format.remove_suffix(1);
    const std::size_t point = format.find('.');
    const bool has_point = point != std::string_view::npos;
    if (kind == 'd' ? !integer || has_point : kind != 'f' && kind != 'e' && kind != 'g') return false;
    if (has_point && point + 1 == format.size()) return false;
    return isSmallNumber(format.substr(0, point)) && (!has_point || isSmallNumber(format.substr(point + 1)));
}

}  // namespace engine::spec
