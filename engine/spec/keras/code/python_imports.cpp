#include "engine/spec/keras/code/python_imports.h"

#include <algorithm>
#include <vector>

#include "engine/spec/keras/code/code_document.h"
#include "engine/spec/keras/code/rate_function.h"
#include "engine/spec/keras/code/update/source_text.h"
#include "engine/spec/keras/keras_config.h"
#include "engine/spec/keras/python/python_tokens.h"

namespace engine::spec::code {
namespace {

constexpr std::string_view kKeras = "keras", kLayers = "layers";

// Something of the module is called: the name, not an attribute, and a dot behind it.
bool usesAt(const LogicalLine& line, std::size_t i, std::string_view name) {
    const auto& tokens = line.tokens;
    const bool attribute = i > 0 && tokens[i - 1].is(".");
    return tokens[i].kind == Token::Kind::kName && tokens[i].text == name && i + 1 < tokens.size() && tokens[i + 1].is(".") && !attribute;
}

bool uses(const LogicalLine& line, std::string_view name) {
    for (std::size_t i = 0; i < line.tokens.size(); ++i) {
        if (usesAt(line, i, name)) return true;
    }
    return false;
}

bool uses(const std::vector<LogicalLine>& lines, std::string_view name) {
    return std::any_of(lines.begin(), lines.end(), [&](const LogicalLine& line) { return uses(line, name); });
}

bool isImport(const LogicalLine& line) {
    return line.tokens[0].kind == Token::Kind::kName && (line.tokens[0].is("import") || line.tokens[0].is("from"));
}

bool names(const LogicalLine& line, std::string_view name) {
    return std::any_of(line.tokens.begin(), line.tokens.end(),
                       [&](const Token& token) { return token.kind == Token::Kind::kName && token.text == name; });
}

// "import a.b as c, d" binds c and d, "import a.b" a, "from x import (a, b as c)" a and c.
bool importBinds(const LogicalLine& line, std::string_view name) {
    const auto& tokens = line.tokens;
    const bool from = tokens[0].is("from");
    std::size_t at = 1;
    if (from) {
        while (at < tokens.size() && !tokens[at].is("import")) ++at;
        ++at;
    }
    bool begins = true;
    for (; at < tokens.size(); ++at) {
        const Token& token = tokens[at];
        if (token.is(",") || token.is("(")) {
            begins = true;
        } else if (token.is("as")) {
            begins = false;
            if (at + 1 < tokens.size() && tokens[at + 1].text == name) return true;
        } else if (begins && token.kind == Token::Kind::kName) {
            begins = false;
            std::size_t next = at + 1;
            while (!from && next + 1 < tokens.size() && tokens[next].is(".")) next += 2;
            const bool renamed = next < tokens.size() && tokens[next].is("as");
            if (!renamed && token.text == name) return true;
        }
    }
    return false;
}

bool assigns(const LogicalLine& line, std::string_view name) {
    return line.tokens.size() > 3 && line.tokens[0].kind == Token::Kind::kName && line.tokens[0].text == name && line.tokens[1].is("=");
}

// "layers = keras.layers"
bool assignsModule(const LogicalLine& line, std::string_view name) {
    const std::size_t last = line.tokens.size() - 2;  // in front of the kEnd
    return line.tokens[last].kind == Token::Kind::kName && line.tokens[last].text == name;
}

// What is bound where written code stands: not inside of functions and classes.
std::vector<const LogicalLine*> moduleLines(const std::vector<LogicalLine>& lines) {
    std::vector<const LogicalLine*> outside;
    int inside = -1;  // the indent of the definition; -1: outside
    for (const LogicalLine& line : lines) {
        if (inside >= 0 && line.indent > inside) continue;
        inside = -1;
        outside.push_back(&line);
        const bool async = line.tokens[0].is("async") && line.tokens.size() > 1 && line.tokens[1].is("def");
        if (line.tokens[0].is("def") || line.tokens[0].is("class") || async) inside = line.indent;
    }
    return outside;
}

// The tokens that `is_one` picks, each of `size` bytes.
template <typename IsOne>
std::string replaceWhere(const std::string& code, std::size_t size, std::string_view by, IsOne is_one) {
    const SourceText source(code);
    std::string result;
    std::size_t at = 0;
    for (const LogicalLine& line : source.lines()) {
        for (std::size_t i = 0; i < line.tokens.size(); ++i) {
            if (!is_one(line, i)) continue;
            const std::size_t place = source.byteOf(line.tokens[i].line, line.tokens[i].column);
            result += source.slice(at, place);
            result += by;
            at = place + size;
        }
    }
    return result + source.slice(at, code.size());
}

}  // namespace

bool hasOtherLayers(std::string_view text) {
    const std::vector<LogicalLine> lines = splitLines(text);
    for (std::size_t at = 0; at < lines.size(); ++at) {
        const LogicalLine& line = lines[at];
        if (line.tokens[0].is("class") && isOfTandem(line.tokens[1].text)) {  // its own names stay within it
            at = endOfBlock(lines, at) - 1;
            continue;
        }
        const bool binds = line.tokens[0].is("def") || line.tokens[0].is("for");
        if ((binds && names(line, kLayers)) || (assigns(line, kLayers) && !assignsModule(line, kLayers))) return true;
    }
    return false;
}

std::string layersInFull(const std::string& code) {
    return replaceWhere(code, kLayers.size(), "keras." + std::string(kLayers),
                        [](const LogicalLine& line, std::size_t i) { return usesAt(line, i, kLayers); });
}

std::string withName(const std::string& code, std::string_view from, std::string_view to) {
    return replaceWhere(code, from.size(), to, [&](const LogicalLine& line, std::size_t i) {
        return line.tokens[i].kind == Token::Kind::kName && line.tokens[i].text == from;
    });
}

std::string withImports(const std::string& text, std::string_view written) {
    const std::vector<LogicalLine> own = splitLines(written);
    const std::vector<LogicalLine> lines = splitLines(text);
    const std::vector<const LogicalLine*> outside = moduleLines(lines);
    const auto firstUse = [&](std::string_view name) {
        const auto found =
            std::find_if(lines.begin(), lines.end(), [&](const LogicalLine& line) { return !isImport(line) && uses(line, name); });
        return found == lines.end() ? 0 : found->first_line;
    };
    const auto binds = [](const LogicalLine& line, std::string_view name) {
        return isImport(line) ? importBinds(line, name) : assigns(line, name);
    };
    std::vector<std::string_view> missing;
    int before = 0;  // the line of the first use of what is missing
    for (const std::string_view name : {kKeras, kLayers}) {
        const int use = firstUse(name);
        if (!uses(own, name) || use == 0) continue;
        const bool bound = std::any_of(outside.begin(), outside.end(),
                                       [&](const LogicalLine* line) { return line->first_line < use && binds(*line, name); });
        if (bound) continue;
        missing.push_back(name);
        before = before == 0 ? use : std::min(before, use);
    }
    if (missing.empty()) return text;

    const LogicalLine* behind = nullptr;
    const LogicalLine* first = nullptr;
    bool own_keras = false, tensorflow = false;
    for (const LogicalLine* line : outside) {
        const bool documents = line->tokens[0].kind == Token::Kind::kText && line->tokens.size() == 2;
        if (first == nullptr && !(documents && line == outside.front())) first = line;
        if (!isImport(*line)) continue;
        if (line->first_line < before && line->indent <= first->indent) behind = line;
        tensorflow = tensorflow || names(*line, "tensorflow");
        own_keras = own_keras || (line->tokens.size() > 1 && line->tokens[1].is(kKeras));
    }
    const std::string package = tensorflow && !own_keras ? "tensorflow." : "";
    const int indent = behind != nullptr ? behind->indent : first != nullptr ? first->indent : 0;
    const std::string margin(static_cast<std::size_t>(indent), ' ');
    std::string imports;
    for (const std::string_view name : missing) {
        imports += margin;
        if (name == kLayers) {
            imports += "from " + package + "keras import layers\n";
        } else {
            imports += package.empty() ? "import keras\n" : "from tensorflow import keras\n";
        }
    }
    if (behind == nullptr) imports += "\n";
    const int skipped = behind != nullptr ? behind->last_line : first != nullptr ? first->first_line - 1 : 0;
    std::size_t at = 0;
    for (int line = 0; line < skipped && at < text.size(); ++line) at = std::min(text.find('\n', at), text.size() - 1) + 1;
    return std::string(text).insert(at, imports);
}

}  // namespace engine::spec::code
