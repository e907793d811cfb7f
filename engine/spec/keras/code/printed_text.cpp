#include "engine/spec/keras/code/printed_text.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <system_error>

#include "engine/spec/keras/code/code_document.h"
#include "engine/spec/keras/python/python_tree.h"

namespace engine::spec::code {
namespace {

constexpr std::string_view kFormat = "__format";

using Names = std::map<std::string, std::string, std::less<>>;  // variables that hold the epoch or the rate: "epoch", "index", "rate"

bool namesRate(const Node& node) {
    const bool named = node.kind == Node::Kind::kName || node.kind == Node::Kind::kAttribute;
    const std::string_view text = node.text;
    if (named &&
        (text.find("learning_rate") != std::string_view::npos || text.ends_with(".lr") || text.find(".lr.") != std::string_view::npos)) {
        return true;
    }
    for (const Node& item : node.items) {
        if (namesRate(item)) return true;
    }
    return false;
}

// "epoch", "index" or "rate"; empty for any other value.
std::string fieldOf(const Node& node, const Names& names) {
    if (node.kind == Node::Kind::kName) {
        const auto known = names.find(node.text);
        if (known != names.end()) return known->second;
    }
    const bool sum = node.kind == Node::Kind::kOperation && node.text == "+" && node.items.size() == 2;
    if (sum && node.items[1].kind == Node::Kind::kInt && node.items[1].whole == 1 && fieldOf(node.items[0], names) == "index")
        return "epoch";
    if (namesRate(node) && node.kind != Node::Kind::kOperation) return "rate";
    const bool wraps = node.kind == Node::Kind::kCall && node.items.size() == 2;  // float(rate)
    return wraps ? fieldOf(node.items[1], names) : "";
}

std::optional<std::string> placed(const std::string& field, const std::string& format) {
    if (field.empty()) return std::nullopt;
    return "{" + field + (format.empty() || field != "rate" ? "" : ":" + format) + "}";
}

std::optional<Node> treeOf(const std::string& text) {
    const std::vector<LogicalLine> lines = splitLines(text);
    if (lines.size() != 1 || lines.front().fault) return std::nullopt;
    Fault fault;
    return readTree(lines.front().tokens, 0, fault);
}

// The text with its braces filled by `value`, which is given what stands between them up to the format, and its number.
template <typename Value>
std::optional<std::string> filled(const std::string& text, Value value) {
    std::string result;
    int number = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool twice = at + 1 < text.size() && text[at + 1] == text[at];
        if ((text[at] == '{' || text[at] == '}') && twice) {
            return std::nullopt;  // braces that are printed
        }
        if (text[at] != '{') {
            result += text[at];
            continue;
        }
        const std::size_t close = text.find('}', at);
        if (close == std::string::npos) return std::nullopt;
        const std::string inner = text.substr(at + 1, close - at - 1);
        const std::size_t colon = inner.find(':');
        const std::optional<std::string> field =
            placed(value(inner.substr(0, colon), number++), colon == std::string::npos ? "" : inner.substr(colon + 1));
        if (!field) return std::nullopt;
        result += *field;
        at = close;
    }
    return result;
}

// A number as std::to_string writes it.
std::optional<std::size_t> wholeOf(std::string_view text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_written_so = error == std::errc() && end == text.data() + text.size() && (text.size() == 1 || text.front() != '0');
    return is_written_so ? std::optional(number) : std::nullopt;
}

// The arguments of format() for what stands between braces: a name, a place from 0, or nothing, which means the next place.
class FormatArguments {
public:
    explicit FormatArguments(const Node& call) : call_(call) {
        for (std::size_t i = 0; i < call.keywords.size(); ++i) by_name_.emplace(call.keywords[i], i);  // the first of each name
    }

    // nullptr: none.
    const Node* find(const std::string& name, int number) const {
        std::size_t at = name.empty() ? static_cast<std::size_t>(number) : wholeOf(name).value_or(call_.keywords.size());
        if (const auto named = by_name_.find(name); !name.empty() && named != by_name_.end()) at = std::min(at, named->second);
        return at < call_.keywords.size() ? &call_.items[at + 1] : nullptr;
    }

private:
    const Node& call_;
    std::map<std::string_view, std::size_t> by_name_;
};

// One argument of print().
std::optional<std::string> argumentText(const Node& node, const Names& names) {
    if (node.kind == Node::Kind::kText) return filled(node.text, [](const std::string&, int) { return std::string(); });
    const bool method = node.kind == Node::Kind::kCall && node.items[0].kind == Node::Kind::kAttribute && node.items[0].text == "format" &&
                        node.items[0].items[0].kind == Node::Kind::kText;
    if (!method) return placed(fieldOf(node, names), "");
    const FormatArguments arguments(node);
    return filled(node.items[0].items[0].text, [&](const std::string& name, int number) -> std::string {
        const Node* argument = arguments.find(name, number);
        return argument == nullptr ? std::string() : fieldOf(*argument, names);
    });
}

// f-strings become names of `formats`, so that the tree can be read.
std::vector<std::string> takeFormats(std::vector<Token>& tokens) {
    std::vector<std::string> formats;
    for (Token& token : tokens) {
        if (token.kind != Token::Kind::kFormatted) continue;
        token.kind = Token::Kind::kName;
        formats.push_back(token.text);
        token.text = std::string(kFormat) + std::to_string(formats.size() - 1);
    }
    return formats;
}

const std::string* formatOf(const Node& node, const std::vector<std::string>& formats) {
    if (node.kind != Node::Kind::kName || !node.text.starts_with(kFormat)) return nullptr;
    const std::optional<std::size_t> number = wholeOf(std::string_view(node.text).substr(kFormat.size()));
    return number && *number < formats.size() ? &formats[*number] : nullptr;
}

// The text with what stands between its braces as it is printed; a format is a plain one.
template <typename Value>
std::optional<std::string> rendered(const std::string& text, Value value) {
    std::string result;
    int number = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '{' && text[at] != '}') {
            result += text[at];
            continue;
        }
        const std::size_t close = text.find('}', at);
        const std::string inner = close == std::string::npos ? ":" : text.substr(at + 1, close - at - 1);
        const bool plain = text[at] == '{' && inner.find_first_of(":{!") == std::string::npos;
        const std::optional<std::string> one = plain ? value(inner, number++) : std::nullopt;
        if (!one) return std::nullopt;
        result += *one;
        at = close;
    }
    return result;
}

std::optional<std::string> knownText(const Node& node, const std::vector<std::string>& formats, const TextOf& value) {
    if (const std::string* format = formatOf(node, formats)) {
        return rendered(*format, [&](const std::string& expression, int) {
            const std::optional<Node> tree = treeOf(expression);
            return tree ? value(*tree) : std::nullopt;
        });
    }
    const bool method = node.kind == Node::Kind::kCall && node.items[0].kind == Node::Kind::kAttribute && node.items[0].text == "format" &&
                        node.items[0].items[0].kind == Node::Kind::kText;
    if (!method) return value(node);
    const FormatArguments arguments(node);
    return rendered(node.items[0].items[0].text, [&](const std::string& name, int number) -> std::optional<std::string> {
        const Node* argument = arguments.find(name, number);
        return argument == nullptr ? std::nullopt : value(*argument);
    });
}

}  // namespace

std::optional<std::string> readKnownPrint(const LogicalLine& line, const TextOf& value) {
    if (!line.tokens[0].is("print")) return std::nullopt;
    std::vector<Token> tokens = line.tokens;
    const std::vector<std::string> formats = takeFormats(tokens);
    Fault fault;
    const std::optional<Node> tree = readTree(tokens, 0, fault);
    if (!tree || calledName(*tree) != "print") return std::nullopt;
    std::string text;
    for (std::size_t i = 1; i < tree->items.size(); ++i) {
        if (!tree->keywords[i - 1].empty()) continue;  // end=, flush=
        const std::optional<std::string> one = knownText(tree->items[i], formats, value);
        if (!one) return std::nullopt;
        text += (i == 1 ? "" : " ") + *one;
    }
    return text;
}

std::optional<std::string> readPrinted(const std::vector<LogicalLine>& lines, std::size_t begin, std::size_t end) {
    Names names;
    for (std::size_t at = begin; at < end; ++at) {
        std::vector<Token> tokens = lines[at].tokens;
        if (tokens[0].is("def") && tokens.size() > 6 && tokens[1].text == "on_epoch_end") names[tokens[5].text] = "index";
        const std::vector<std::string> formats = takeFormats(tokens);
        TreeReader reader(tokens, 0);
        std::optional<Node> tree = reader.readExpressions();
        if (!tree) continue;
        if (tree->kind == Node::Kind::kName && reader.next().is("=")) {
            reader.skip();
            const std::optional<Node> value = reader.readExpressions();
            if (value && !fieldOf(*value, names).empty()) names[tree->text] = fieldOf(*value, names);
            continue;
        }
        if (calledName(*tree) != "print") continue;
        std::string text;
        for (std::size_t i = 1; i < tree->items.size(); ++i) {
            const Node& argument = tree->items[i];
            if (!tree->keywords[i - 1].empty()) continue;  // end=, flush=
            std::optional<std::string> one;
            if (const std::string* format = formatOf(argument, formats)) {
                one = filled(*format, [&](const std::string& expression, int) {
                    const std::optional<Node> value = treeOf(expression);
                    return value ? fieldOf(*value, names) : std::string();
                });
            } else {
                one = argumentText(argument, names);
            }
            if (!one) return std::nullopt;
            text += (i == 1 ? "" : " ") + *one;
        }
        const std::size_t first = text.find_first_not_of("\n"), last = text.find_last_not_of("\n");
        return first == std::string::npos ? std::nullopt : std::optional(text.substr(first, last - first + 1));
    }
    return std::nullopt;
}

}  // namespace engine::spec::code
