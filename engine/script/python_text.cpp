#include "engine/script/python_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "engine/spec/error.h"
#include "engine/spec/keras/python/python_literal.h"

namespace engine::script {

std::string pyNumber(double value) {
    if (std::isnan(value)) return "float('nan')";
    if (std::isinf(value)) return value < 0 ? "-float('inf')" : "float('inf')";
    std::array<char, 40> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    std::string text(buffer.data(), end.ptr);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

std::string pyBool(bool value) {
    return value ? "True" : "False";
}

std::string pyTuple(const spec::Shape& sizes) {
    std::string text;
    for (const std::int64_t size : sizes) text += (text.empty() ? "" : ", ") + std::to_string(size);
    return "(" + text + (sizes.size() == 1 ? ",)" : ")");
}

std::string pyList(const std::vector<double>& values) {
    std::string text;
    for (const double value : values) text += (text.empty() ? "" : ", ") + pyNumber(value);
    return "[" + text + "]";
}

std::string pyTexts(const std::vector<std::string>& values) {
    std::string text;
    for (const std::string& value : values) text += (text.empty() ? "" : ", ") + spec::pythonText(value);
    return "[" + text + "]";
}

std::string pyName(std::string_view name) {
    std::string text;
    for (const char c : name) {
        const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        text.push_back(good ? c : '_');
    }
    if (text.empty() || (text[0] >= '0' && text[0] <= '9')) text.insert(0, "_");
    return text;
}

std::string indented(std::string_view text, int columns) {
    const std::string margin(static_cast<std::size_t>(columns), ' ');
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        result += text[at] == '\n' ? "" : margin;
        result += text.substr(at, end - at);
        at = end;
    }
    return result;
}

std::string filled(std::string_view text, const std::vector<Filling>& fillings) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t open = std::min(text.find("{{", at), text.size());
        result += text.substr(at, open - at);
        if (open == text.size()) break;
        const std::size_t close = text.find("}}", open);
        ENGINE_CHECK(close != std::string_view::npos);
        const std::string_view name = text.substr(open + 2, close - open - 2);
        const auto found = std::find_if(fillings.begin(), fillings.end(), [&](const Filling& one) { return one.name == name; });
        ENGINE_CHECK(found != fillings.end());
        result += found->value;
        at = close + 2;
    }
    return result;
}

}  // namespace engine::script
