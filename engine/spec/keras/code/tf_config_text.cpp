#include "engine/spec/keras/code/tf_config_text.h"

#include <algorithm>
#include <array>
#include <optional>

#include "engine/spec/json_text.h"

namespace engine::spec::code {
namespace {

constexpr std::string_view kName = "TF_CONFIG", kBlank = " \t\r";

int lineOf(std::string_view text, std::size_t at) {
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

// The place behind the brace that closes the one at `at`; npos when none does.
std::size_t endOfObject(std::string_view text, std::size_t at) {
    int depth = 0;
    bool quoted = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (quoted) {
            at += c == '\\' ? 1 : 0;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return at + 1;
        }
    }
    return std::string_view::npos;
}

struct Value {
    std::string json;
    std::size_t end;
};

// Reads a quoted value. In '…' everything stands for itself; in "…" a backslash or a backtick keeps a quote.
std::optional<Value> readValue(std::string_view text, std::size_t at) {
    if (at >= text.size()) {
        return std::nullopt;
    }
    const char quote = text[at];
    if (quote == '{') {
        const std::size_t end = endOfObject(text, at);
        return end == std::string_view::npos ? std::nullopt : std::optional(Value{std::string(text.substr(at, end - at)), end});
    }
    if (quote != '\'' && quote != '"') {
        return std::nullopt;
    }
    Value value{{}, at + 1};
    for (; value.end < text.size() && text[value.end] != quote; ++value.end) {
        const char c = text[value.end];
        const char after = value.end + 1 < text.size() ? text[value.end + 1] : '\0';
        if (quote == '"' && ((c == '\\' && (after == '"' || after == '\\')) || (c == '`' && after == '"'))) {
            ++value.end;
        }
        value.json.push_back(text[value.end]);
    }
    ++value.end;
    const std::size_t first = value.json.find_first_not_of(" \t\r\n");
    const bool object = first != std::string::npos && value.json[first] == '{';
    return value.end > text.size() || !object ? std::nullopt : std::optional(std::move(value));
}

// The place where the value begins, behind a shell's assignment in the line at `at`; npos where there is none.
std::size_t behindAssignment(std::string_view text, std::size_t at) {
    const auto skipBlank = [&] { at = std::min(text.find_first_not_of(kBlank, at), text.size()); };
    skipBlank();
    if (text.substr(at).starts_with("$ ")) {  // a shell's prompt
        at += 2;
        skipBlank();
    }
    static constexpr std::array<std::string_view, 5> kPrefixes{"export ", "set ", "!export ", "%env ", "-e "};
    for (const std::string_view prefix : kPrefixes) {
        if (text.substr(at).starts_with(prefix)) {
            at += prefix.size();
            skipBlank();
            break;
        }
    }
    const bool powershell = text.substr(at).starts_with("$env:");
    at += powershell ? 5 : 0;
    if (!text.substr(at).starts_with(kName)) {
        return std::string_view::npos;
    }
    at += kName.size();
    if (powershell) {
        skipBlank();
    }
    if (at >= text.size() || text[at] != '=') {
        return std::string_view::npos;
    }
    ++at;
    if (powershell) {
        skipBlank();
    }
    return at;
}

void blank(std::string& text, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        if (text[i] != '\n') {
            text[i] = ' ';
        }
    }
}

}  // namespace

std::vector<TfConfigText> takeTfConfigs(std::string& text) {
    std::vector<TfConfigText> found;
    for (std::size_t line = 0; line < text.size();) {
        std::size_t end_of_line = std::min(text.find('\n', line), text.size());
        std::size_t begin = behindAssignment(text, line);
        const std::size_t first = text.find_first_not_of(kBlank, line);
        // A bare object counts where JSON says that it is one with a cluster.
        const bool bare = begin == std::string::npos && first != std::string::npos && text[first] == '{';
        if (bare) {
            begin = first;
        }
        if (begin != std::string::npos) {
            if (std::optional<Value> value = readValue(text, begin)) {
                const JsonText parsed = bare ? parseJson(value->json) : JsonText{};
                if (!bare || (parsed.value && parsed.value->is_object() && parsed.value->contains("cluster"))) {
                    found.push_back({std::move(value->json), {lineOf(text, line), lineOf(text, value->end - 1)}});
                    // The command behind it on its line belongs to it.
                    end_of_line = std::min(text.find('\n', value->end), text.size());
                    blank(text, line, end_of_line);
                }
            }
        }
        line = end_of_line + 1;
    }
    return found;
}

}  // namespace engine::spec::code
