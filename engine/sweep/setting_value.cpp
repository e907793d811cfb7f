#include "engine/sweep/setting_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

namespace engine::sweep {

using Json = nlohmann::ordered_json;

namespace {

// Deeper values would exhaust the stack of whoever writes them.
constexpr int kDeepest = 200;

// How deep values lie within each other in a text of JSON, at most; brackets within its texts count, too.
int depthOf(std::string_view text) {
    int depth = 0, deepest = 0;
    for (const char c : text) {
        if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
        if (c == ']' || c == '}') --depth;
    }
    return deepest;
}

}  // namespace

Json valueOf(const std::string& text) {
    if (depthOf(text) > kDeepest) return text;
    Json value = Json::parse(text, nullptr, false);
    return value.is_discarded() ? Json(text) : value;
}

std::string textOf(const Json& value) {
    if (!value.is_string()) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
    auto text = value.get<std::string>();
    if (depthOf(text) > kDeepest) return text;
    const bool reads_as_json = !Json::parse(text, nullptr, false).is_discarded();
    // A text with such marks stays in quotes, so that it remains one among others with commas between them.
    const bool has_marks = text.find_first_of(",\"[]{}\n") != std::string::npos || text.starts_with(' ') || text.ends_with(' ');
    return reads_as_json || has_marks ? value.dump(-1, ' ', false, Json::error_handler_t::replace) : text;
}

std::string plainValue(const std::string& text) {
    return textOf(valueOf(text));
}

std::optional<double> numberIn(std::string_view text) {
    double value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failed == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace engine::sweep
