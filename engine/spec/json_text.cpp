#include "engine/spec/json_text.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace engine::spec {
namespace {

constexpr int kDeepest = 64;  // values within values: what reads them calls itself

std::string position(std::string_view text, std::size_t byte) {
    // `byte` counts from 1 and may lie one behind the end.
    const std::size_t offset = byte == 0 ? 0 : std::min(byte - 1, text.size());
    const std::string_view before = text.substr(0, offset);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(offset - line_start + 1);
}

// The byte, counted from 1, at which a text opens more values within each other than kDeepest; 0 when nowhere.
std::size_t tooDeepAt(std::string_view text) {
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            i += c == '\\' ? 1 : 0;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            if (++depth > kDeepest) {
                return i + 1;
            }
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return 0;
}

// The parser's own words behind its identifier, position and the rule that it was at: "unexpected ']'; expected string literal".
std::string reason(std::string_view what) {
    constexpr std::string_view kRule = "syntax error while parsing ";
    const std::size_t syntax = what.find(kRule);
    if (syntax == std::string_view::npos) return std::string(what.substr(std::min(what.find("] ") + 2, what.size())));
    const std::size_t said = what.find(" - ", syntax);
    return std::string(said == std::string_view::npos ? what.substr(syntax + kRule.size()) : what.substr(said + 3));
}

// Finds a name that stands twice in one object; the parser would silently keep the later value.
class TwiceNamed {
public:
    bool operator()(int, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start) names_.emplace_back();
        if (event == Json::parse_event_t::object_end) names_.pop_back();
        if (event == Json::parse_event_t::key) {
            const auto& name = parsed.get_ref<const std::string&>();
            if (!names_.back().insert(name).second && !found_) found_ = name;
        }
        return true;
    }
    const std::optional<std::string>& found() const { return found_; }

private:
    std::vector<std::set<std::string>> names_;  // of the objects that are open
    std::optional<std::string> found_;
};

std::string scalarText(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool isFlat(const Json& value) {
    return value.empty() || (value.is_array() && std::none_of(value.begin(), value.end(), [](const Json& v) { return v.is_structured(); }));
}

void appendPretty(const Json& value, const std::string& indent, std::string& text) {
    if (!value.is_structured()) {
        text += scalarText(value);
        return;
    }
    const bool flat = isFlat(value);
    const std::string inner = indent + "  ";
    const bool object = value.is_object();
    text += object ? '{' : '[';
    bool first = true;
    for (const auto& [key, entry] : value.items()) {
        text += first ? "" : ",";
        text += flat ? (first ? "" : " ") : "\n" + inner;
        text += object ? scalarText(key) + ": " : "";
        appendPretty(entry, inner, text);
        first = false;
    }
    text += flat ? "" : "\n" + indent;
    text += object ? '}' : ']';
}

}  // namespace

std::string prettyText(const Json& value) {
    std::string text;
    appendPretty(value, "", text);
    return text;
}

JsonText parseJson(std::string_view text, bool unique_names) {
    if (const std::size_t deep = tooDeepAt(text); deep > 0) {
        return {std::nullopt, position(text, deep) + ": expected at most " + std::to_string(kDeepest) + " values within each other"};
    }
    try {
        if (!unique_names) return {Json::parse(text), {}};
        TwiceNamed twice;
        Json value = Json::parse(text, std::ref(twice));
        if (twice.found()) return {std::nullopt, "the name \"" + *twice.found() + "\": expected it once in an object, got it twice"};
        return {std::move(value), {}};
    } catch (const Json::parse_error& error) {
        return {std::nullopt, position(text, error.byte) + ": " + reason(error.what())};
    } catch (const Json::exception& error) {
        return {std::nullopt, reason(error.what())};
    }
}

std::string kindOf(const Json& value) {
    switch (value.type()) {
        case Json::value_t::object:
            return "an object";
        case Json::value_t::array:
            return "a list";
        case Json::value_t::string:
            return "a text";
        case Json::value_t::boolean:
            return "true or false";
        case Json::value_t::null:
            return "null";
        default:
            return "a number";
    }
}

std::string shortText(const Json& value) {
    if (value.is_object() || value.is_array()) {
        return kindOf(value);
    }
    constexpr std::size_t kLongest = 60;
    std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > kLongest) {
        std::size_t cut = kLongest;
        while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) {
            --cut;  // between two characters of UTF-8
        }
        text = text.substr(0, cut) + "…";
    }
    return text;
}

}  // namespace engine::spec
