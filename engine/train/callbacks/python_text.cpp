#include "engine/train/callbacks/python_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

#include "engine/spec/error.h"
#include "engine/spec/number_format.h"

namespace engine::train {
namespace {

struct Digits {
    std::string digits;  // "12345", no leading zero
    int exponent = 0;    // of the first digit: 1.2345e3 has 3
};

// The fewest digits of a number that read back as the same Float.
template <typename Float>
Digits shortestDigits(Float value) {
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific).ptr;
    const std::string_view whole(text.data(), static_cast<std::size_t>(end - text.data()));
    const std::size_t e = whole.find('e');
    Digits result;
    for (const char c : whole.substr(0, e)) {
        if (c >= '0' && c <= '9') {
            result.digits.push_back(c);
        }
    }
    const std::string_view exponent = whole.substr(e + (whole[e + 1] == '+' ? 2 : 1));
    std::from_chars(exponent.data(), exponent.data() + exponent.size(), result.exponent);
    return result;
}

[[noreturn]] void badPattern(std::string_view pattern, const std::string& what) {
    throw Error(ErrorCode::kInvalidArgument, "filepath \"" + std::string(pattern) + "\": " + what);
}

// "{epoch:02d}" without its braces.
std::string formatField(std::string_view pattern, std::string_view field, const Logs& values, Missing missing) {
    const std::size_t colon = field.find(':');
    const std::string_view name = field.substr(0, colon);
    const std::string_view format = colon == std::string_view::npos ? std::string_view() : field.substr(colon + 1);
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    const double* value = findLog(values, name);
    if (value == nullptr && missing == Missing::kIsNan) {
        value = &kUnknown;
    }
    if (value == nullptr) {
        badPattern(pattern, "unknown name {" + std::string(name) + "}, expected one of " + logNames(values, ", "));
    }
    const bool integer = name == "epoch" || name == "batch";
    if (format.empty()) {
        return integer ? std::to_string(std::llround(*value)) : pythonRepr(*value);
    }
    const char kind = format.back();
    const std::string_view flags = format.substr(0, format.size() - 1);
    if (!spec::isNumberFormat(format, integer)) {
        badPattern(pattern, "unknown format \"" + std::string(format) + "\" of {" + std::string(name) + "}, expected one like 02d or .4f");
    }
    const std::string c_format = "%" + std::string(flags) + (kind == 'd' ? "lld" : std::string(1, kind));
    std::array<char, 512> text{};
    const int length = kind == 'd' ? std::snprintf(text.data(), text.size(), c_format.c_str(), std::llround(*value))
                                   : std::snprintf(text.data(), text.size(), c_format.c_str(), *value);
    if (length < 0 || length >= static_cast<int>(text.size())) {
        badPattern(pattern, "the format \"" + std::string(format) + "\" is too wide");
    }
    return text.data();
}

}  // namespace

const double* findLog(const Logs& logs, std::string_view name) {
    const auto found = std::find_if(logs.begin(), logs.end(), [&](const auto& entry) { return entry.first == name; });
    return found == logs.end() ? nullptr : &found->second;
}

void setLog(Logs& logs, std::string_view name, double value) {
    const auto found = std::find_if(logs.begin(), logs.end(), [&](const auto& entry) { return entry.first == name; });
    if (found == logs.end()) {
        logs.emplace_back(name, value);
    } else {
        found->second = value;
    }
}

std::string logNames(const Logs& logs, std::string_view separator) {
    std::string names;
    for (const auto& [name, value] : logs) {
        names += (names.empty() ? "" : std::string(separator)) + name;
    }
    return names;
}

namespace {

template <typename Float>
std::string reprOf(Float value) {
    if (std::isnan(value)) {
        return "nan";
    }
    const std::string sign = std::signbit(value) ? "-" : "";
    if (std::isinf(value)) {
        return sign + "inf";
    }
    const Digits number = shortestDigits(std::fabs(value));
    const std::string& digits = number.digits;
    const int count = static_cast<int>(digits.size());
    if (number.exponent < -4 || number.exponent >= 16) {
        const std::string magnitude = std::to_string(std::abs(number.exponent));
        return sign + digits.substr(0, 1) + (count > 1 ? "." + digits.substr(1) : "") + (number.exponent < 0 ? "e-" : "e+") +
               (magnitude.size() < 2 ? "0" : "") + magnitude;
    }
    if (number.exponent < 0) {
        return sign + "0." + std::string(static_cast<std::size_t>(-number.exponent - 1), '0') + digits;
    }
    if (count <= number.exponent + 1) {
        return sign + digits + std::string(static_cast<std::size_t>(number.exponent + 1 - count), '0') + ".0";
    }
    const auto whole = static_cast<std::size_t>(number.exponent + 1);
    return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

}  // namespace

std::string pythonRepr(double value) {
    return reprOf(value);
}

std::string float32Repr(float value) {
    return reprOf(value);
}

std::string formatFilePath(std::string_view pattern, const Logs& values, Missing missing) {
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        const bool doubled = i + 1 < pattern.size() && pattern[i + 1] == c;
        if ((c == '{' || c == '}') && doubled) {
            text.push_back(c);
            ++i;
        } else if (c == '{') {
            const std::size_t close = pattern.find('}', i);
            if (close == std::string_view::npos) {
                badPattern(pattern, "expected a closing brace");
            }
            text += formatField(pattern, pattern.substr(i + 1, close - i - 1), values, missing);
            i = close;
        } else if (c == '}') {
            badPattern(pattern, "a closing brace without its opening one");
        } else {
            text.push_back(c);
        }
    }
    return text;
}

}  // namespace engine::train
