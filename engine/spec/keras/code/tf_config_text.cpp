#include "engine/spec/keras/code/tf_config_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "engine/spec/json_text.h"
#include "engine/spec/keras/python/read_work.h"

namespace engine::spec::code {
namespace {

constexpr std::string_view kName = "TF_CONFIG", kBlank = " \t\r";
constexpr std::size_t kMostTried = 8 << 20;

// Counts lines; places come in ascending order.
class LineCount {
public:
    int lineOf(std::string_view text, std::size_t at) {
        line_ += static_cast<int>(
            std::count(text.begin() + static_cast<std::ptrdiff_t>(at_), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        at_ = at;
        return line_;
    }

private:
    std::size_t at_ = 0;
    int line_ = 1;
};

// Where the objects of a text end, for every place where one may begin: what closes it is the same for all that are open there.
class ObjectEnds {
public:
    // The place behind the brace that closes the one at `at`; npos when none does. The text is the same in each call, from there on.
    std::size_t endOf(std::string_view text, std::size_t at) {
        if (plain_.empty()) find(text);
        const std::uint32_t close = plain_[at + 1];
        return close == kNone ? std::string_view::npos : close + 1;
    }

private:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    void find(std::string_view text) {
        plain_.assign(text.size() + 2, kNone);
        quoted_.assign(text.size() + 2, kNone);
        for (std::size_t at = text.size(); at-- > 0;) {
            ++readOfThisThread();
            const char c = text[at];
            quoted_[at] = c == '\\' ? quoted_[at + 2] : c == '"' ? plain_[at + 1] : quoted_[at + 1];
            if (c == '"') {
                plain_[at] = quoted_[at + 1];
            } else if (c == '}' || c == ']') {
                plain_[at] = static_cast<std::uint32_t>(at);
            } else {
                const std::uint32_t close = plain_[at + 1];
                const bool opens = c == '{' || c == '[';
                plain_[at] = !opens || close == kNone ? close : plain_[close + 1];
            }
        }
    }

    // The first closing brace that belongs to none of those behind this place, which is outside of quotes or in them.
    std::vector<std::uint32_t> plain_, quoted_;
};

struct Value {
    std::string json;
    std::size_t end;
};

// Reads a quoted value. In '…' everything stands for itself; in "…" a backslash or a backtick keeps a quote.
std::optional<Value> readValue(std::string_view text, std::size_t at, ObjectEnds& ends) {
    if (at >= text.size()) {
        return std::nullopt;
    }
    const char quote = text[at];
    if (quote == '{') {
        const std::size_t end = ends.endOf(text, at);
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
    ObjectEnds ends;
    LineCount lines;
    std::size_t tried = 0;  // bytes of bare objects
    for (std::size_t line = 0; line < text.size();) {
        std::size_t end_of_line = std::min(text.find('\n', line), text.size());
        std::size_t begin = behindAssignment(text, line);
        const std::size_t first = text.find_first_not_of(kBlank, line);
        // A bare object counts where JSON says that it is one with a cluster.
        const bool bare = begin == std::string::npos && first != std::string::npos && text[first] == '{';
        if (bare) {
            begin = first;
            // Objects that are none of it may lie within each other.
            const std::size_t end = ends.endOf(text, first);
            const std::size_t size = end == std::string::npos ? 0 : end - first;
            tried += size;
            if (size == 0 || tried > kMostTried) begin = std::string::npos;
        }
        if (begin != std::string::npos) {
            if (std::optional<Value> value = readValue(text, begin, ends)) {
                const JsonText parsed = bare ? parseJson(value->json) : JsonText{};
                if (!bare || (parsed.value && parsed.value->is_object() && parsed.value->contains("cluster"))) {
                    const int first_line = lines.lineOf(text, line), last_line = lines.lineOf(text, value->end - 1);
                    found.push_back({std::move(value->json), {first_line, last_line}});
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
