#include "engine/spec/keras/code/code_document.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "engine/spec/json_text.h"
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/keras/python/python_tree.h"

namespace engine::spec::code {
namespace {

constexpr std::size_t kMostReadAgain = 8 << 20;  // characters and tokens of prose that swallows what follows it
constexpr std::array<std::string_view, 3> kPrompts{">>> ", "... ", "In ["};

std::vector<std::string_view> physicalLines(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

std::string_view trimmed(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

int indentOf(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t");
    return first == std::string_view::npos ? 0 : static_cast<int>(first);
}

// The place behind a prompt and its blanks; 0 without one. "In [3]: " counts where code follows on its line.
int promptEnd(std::string_view line) {
    const auto at = static_cast<std::size_t>(indentOf(line));
    const std::string_view rest = line.substr(at);
    if (rest.starts_with(kPrompts[0]) || rest.starts_with(kPrompts[1])) return static_cast<int>(at) + 4;
    if (rest == ">>>" || (rest == "..." && at == 0)) return static_cast<int>(line.size());
    const std::size_t end = rest.starts_with(kPrompts[2]) ? rest.find("]: ") : std::string_view::npos;
    return end == std::string_view::npos ? 0 : static_cast<int>(at + end) + 3;
}

bool isFence(std::string_view line) {
    const std::string_view text = trimmed(line);
    return text.starts_with("```") || text.starts_with("~~~");
}

// What stands behind a fence names Python, or nothing.
bool isPythonFence(std::string_view line) {
    std::string_view info = trimmed(line).substr(3);
    while (!info.empty() &&
           (info.front() == '`' || info.front() == '~' || info.front() == '{' || info.front() == '.' || info.front() == ' ')) {
        info.remove_prefix(1);
    }
    info = info.substr(0, info.find_first_of(" }:,{"));
    static const std::set<std::string_view> kNames{"",         "python",    "python3", "py",         "Python", "ipython",
                                                   "ipython3", "code-cell", "pycon",   "tensorflow", "keras"};
    return kNames.contains(info);
}

bool isName(const Token& token, std::string_view word) {
    return token.kind == Token::Kind::kName && token.text == word;
}

// Words of a sentence: three names in a row with nothing between them.
bool isSentence(const LogicalLine& line) {
    static const std::set<std::string_view> kWords{"and",    "or",     "not",  "in", "is",    "if",  "else",  "for",
                                                   "lambda", "import", "from", "as", "async", "def", "yield", "await"};
    int words = 0;
    for (const Token& token : line.tokens) {
        const bool word = token.kind == Token::Kind::kName && !kWords.contains(token.text);
        words = word ? words + 1 : 0;
        if (words >= 3) return true;
    }
    return false;
}

bool hasOtherLetters(const LogicalLine& line) {
    return std::any_of(line.tokens.begin(), line.tokens.end(), [](const Token& token) {
        return token.kind == Token::Kind::kName &&
               std::any_of(token.text.begin(), token.text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; });
    });
}

bool isModulePath(const std::vector<Token>& tokens, std::size_t& at) {
    if (tokens[at].kind != Token::Kind::kName) return false;
    ++at;
    while (tokens[at].is(".") && tokens[at + 1].kind == Token::Kind::kName) at += 2;
    return true;
}

// import a.b as c, d; from a import (b as c, d); from a import *
bool isImport(const std::vector<Token>& tokens) {
    std::size_t at = 1;
    if (isName(tokens[0], "from")) {
        while (tokens[at].is(".")) ++at;
        if (!isName(tokens[at], "import") && !isModulePath(tokens, at)) return false;
        if (!isName(tokens[at], "import")) return false;
        ++at;
        if (tokens[at].is("*")) return true;
        if (tokens[at].is("(")) return true;
    }
    for (;;) {
        if (!isModulePath(tokens, at)) return false;
        if (isName(tokens[at], "as")) at += 2;
        if (at >= tokens.size() || tokens[at].kind == Token::Kind::kEnd) return true;
        if (!tokens[at].is(",")) return false;
        ++at;
    }
}

// A head: what stands before its colon is Python.
bool isHead(const LogicalLine& line, bool& known) {
    const auto& tokens = line.tokens;
    static const std::set<std::string_view> kHeads{"def",  "class", "with", "for",    "while",   "if",
                                                   "elif", "else",  "try",  "except", "finally", "async"};
    known = tokens[0].kind == Token::Kind::kName && kHeads.contains(tokens[0].text);
    if (!known) return false;
    if (isName(tokens[0], "class") || isName(tokens[0], "def")) {
        return tokens[1].kind == Token::Kind::kName && (tokens[2].is("(") || tokens[2].is(":"));
    }
    const bool colon =
        std::any_of(tokens.begin(), tokens.end(), [](const Token& token) { return token.kind == Token::Kind::kSymbol && token.is(":"); });
    if (!colon || tokens.size() < 3) return false;
    if (tokens[1].is(":")) return true;
    return !isSentence(line);
}

// True for a statement of Python that does something.
bool isStatement(const LogicalLine& line) {
    if (line.fault) return false;
    const auto& tokens = line.tokens;
    bool head = false;
    if (isHead(line, head)) return true;
    if (head) return false;
    const std::string_view word = tokens[0].kind == Token::Kind::kName ? std::string_view(tokens[0].text) : std::string_view();
    if (word == "import" || word == "from") return isImport(tokens);
    if (tokens[0].is("@")) return tokens.size() > 2;
    if (word == "return" && line.indent > 0) return !isSentence(line);
    if (word == "pass" || word == "continue" || word == "break") return tokens.size() == 2;
    static const std::set<std::string_view> kOthers{"assert", "raise", "del", "global", "nonlocal", "yield"};
    if (kOthers.contains(word)) return !isSentence(line) && line.indent > 0;
    if (tokens[0].kind == Token::Kind::kText && tokens.size() == 2) return line.indent > 0;  // what documents a function
    TreeReader reader(tokens, 0);
    std::optional<Node> value = reader.readExpressions();
    if (!value) return false;
    bool assigns = false;
    if (readAugmented(reader, *value)) assigns = true;
    while (value && reader.next().is("=")) {
        assigns = true;
        reader.skip();
        value = reader.readExpressions();
    }
    if (reader.next().kind != Token::Kind::kEnd) return false;
    if (assigns) return value.has_value();
    return value && value->kind == Node::Kind::kCall && calledName(*value) != "tf.Tensor";  // which is what print() shows
}

// It can't be read and means to be part of a model all the same: to be named, not passed over.
bool isBrokenStatement(const LogicalLine& line) {
    static const std::set<std::string_view> kOurs{"Sequential", "add", "compile", "fit", "Model", "ClusterSpec", "load_data", "batch"};
    if (isSentence(line) || hasOtherLetters(line)) return false;
    for (std::size_t i = 0; i + 1 < line.tokens.size(); ++i) {
        if (line.tokens[i].kind == Token::Kind::kName && kOurs.contains(line.tokens[i].text) && line.tokens[i + 1].is("(")) return true;
    }
    return false;
}

class Document {
public:
    explicit Document(std::string_view text) : text_(text), physical_(physicalLines(text)), lines_(physical_.size()) {}

    std::vector<DocumentLine> read() {
        const auto fences = static_cast<int>(std::count_if(physical_.begin(), physical_.end(), isFence));
        const bool prompts = std::any_of(physical_.begin(), physical_.end(), [](std::string_view line) { return promptEnd(line) > 0; });
        if (fences > 0) {
            readFences();
        } else if (prompts) {
            readPrompts();
        } else if (hasProse()) {
            readStatements(0, physical_.size());
        } else {
            for (DocumentLine& line : lines_) line.code = true;
        }
        number();
        return std::move(lines_);
    }

private:
    void take(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) lines_[i].code = true;
    }

    std::string slice(std::size_t begin, std::size_t end) const {
        std::string text;
        for (std::size_t i = begin; i < end; ++i) text += std::string(physical_[i]) + "\n";
        return text;
    }

    // Some lines are sentences; a heading or an output is not enough to take a program for a document.
    bool hasProse() const {
        const std::vector<LogicalLine> logical = splitCode(text_);
        bool prose = false, statements = false;
        for (const LogicalLine& line : logical) prose = prose || ((isSentence(line) || hasOtherLetters(line)) && !isStatement(line));
        for (const LogicalLine& line : logical) statements = statements || (prose && isStatement(line));
        const bool marked = std::any_of(physical_.begin(), physical_.end(), [](std::string_view line) {
            return trimmed(line).starts_with("In [") || trimmed(line).starts_with("Out[");
        });
        return (prose && statements) || marked;
    }

    void readFences() {
        for (std::size_t i = 0; i < physical_.size();) {
            if (!isFence(physical_[i])) {
                ++i;
                continue;
            }
            const std::string_view mark = trimmed(physical_[i]).substr(0, 3);
            std::size_t end = i + 1;
            while (end < physical_.size() && !(isFence(physical_[end]) && trimmed(physical_[end]).starts_with(mark))) ++end;
            readStatements(behind_fence_, i);
            if (end == physical_.size()) {  // one without a pair: code is on the one side of it, or on both
                readStatements(i + 1, end);
                return;
            }
            if (isPythonFence(physical_[i]) && (hasCode(i + 1, end) || trimmed(physical_[i]).size() > 3)) {
                if (!isBroken(i + 1, end)) take(i + 1, end);
                unprompt(i + 1, end);
                leaveMagics(i + 1, end);
            }
            behind_fence_ = i = end + 1;
        }
        readStatements(behind_fence_, physical_.size());
    }

    bool hasCode(std::size_t begin, std::size_t end) const {
        const std::vector<LogicalLine> logical = splitCode(slice(begin, end));
        return std::any_of(logical.begin(), logical.end(),
                           [](const LogicalLine& line) { return isStatement(line) || isBrokenStatement(line); }) ||
               std::any_of(physical_.begin() + static_cast<std::ptrdiff_t>(begin), physical_.begin() + static_cast<std::ptrdiff_t>(end),
                           [](std::string_view line) { return promptEnd(line) > 0; });
    }

    // A sketch that is no Python and no part of a model.
    bool isBroken(std::size_t begin, std::size_t end) const {
        const std::vector<LogicalLine> logical = splitCode(slice(begin, end));
        const auto is = [&](auto what) { return std::any_of(logical.begin(), logical.end(), what); };
        const bool prompts =
            std::any_of(physical_.begin() + static_cast<std::ptrdiff_t>(begin), physical_.begin() + static_cast<std::ptrdiff_t>(end),
                        [](std::string_view line) { return promptEnd(line) > 0 || trimmed(line).starts_with('!'); });
        return !prompts && is([](const LogicalLine& line) { return static_cast<bool>(line.fault); }) && !is(isBrokenStatement);
    }

    // Lines behind prompts alone; a block that has some has no other code.
    void unprompt(std::size_t begin, std::size_t end) {
        bool any = false;
        for (std::size_t i = begin; i < end; ++i) any = any || promptEnd(physical_[i]) > 0;
        for (std::size_t i = begin; any && i < end; ++i) {
            lines_[i].column = promptEnd(physical_[i]);
            lines_[i].code = lines_[i].column > 0;
        }
    }
    void readPrompts() {
        take(0, physical_.size());
        unprompt(0, physical_.size());
    }

    // !pip install, %matplotlib and $ are for a shell or a notebook.
    void leaveMagics(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::string_view line = trimmed(physical_[i]);
            if (line.starts_with('!') || line.starts_with('%') || line.starts_with("$ ")) lines_[i].code = false;
        }
    }

    // Prose with statements in it. A session that it quotes is the lines behind its prompts.
    void readStatements(std::size_t begin, std::size_t end) {
        std::size_t plain = begin;
        for (std::size_t i = begin; i < end; ++i) {
            if (promptEnd(physical_[i]) == 0) continue;
            readPlainStatements(plain, i);
            take(i, i + 1);
            unprompt(i, i + 1);
            plain = i + 1;
        }
        readPlainStatements(plain, end);
    }

    void readPlainStatements(std::size_t begin, std::size_t end) {
        if (begin >= end) return;
        const std::string text = slice(begin, end);
        LineReader reader(text, true);
        while (const std::optional<LogicalLine> line = reader.next()) {
            const std::size_t first = begin + static_cast<std::size_t>(line->first_line) - 1;
            const std::size_t last = std::min(begin + static_cast<std::size_t>(line->last_line), end);
            if (isStatement(*line) || isBrokenStatement(*line)) {
                take(first, last);
            } else if (last > first + 1 && reader.work() < text.size() + kMostReadAgain) {
                // A sentence with an open bracket or quote swallows what follows it: each line that is prose is passed by itself.
                reader.goTo(line->first_line + 1);
            }
        }
        leaveMagics(begin, end);
        for (std::size_t i = end; i-- > begin;) {  // a comment belongs to the code below it
            const bool below = i + 1 < end && lines_[i + 1].code;
            if (below && trimmed(physical_[i]).starts_with('#')) lines_[i].code = true;
        }
    }

    // Blocks, and the indentation that all lines of one have.
    void number() {
        int block = 0;
        for (std::size_t i = 0; i < lines_.size();) {
            if (!lines_[i].code) {
                ++i;
                continue;
            }
            std::size_t end = i;
            int margin = -1;
            for (std::size_t blank = i; blank < lines_.size() && (lines_[blank].code || trimmed(physical_[blank]).empty()); ++blank) {
                if (lines_[blank].code) end = blank + 1;
            }
            ++block;
            for (std::size_t line = i; line < end; ++line) {
                lines_[line].code = true;
                lines_[line].block = block;
                const std::string_view text = trimmed(physical_[line]);
                if (lines_[line].column > 0 || text.empty() || text.starts_with('#')) continue;
                margin = margin < 0 ? indentOf(physical_[line]) : std::min(margin, indentOf(physical_[line]));
            }
            for (std::size_t line = i; line < end; ++line) {
                if (lines_[line].column == 0 && margin > 0) lines_[line].column = std::min(margin, indentOf(physical_[line]));
            }
            i = end;
        }
    }

    const std::string_view text_;
    const std::vector<std::string_view> physical_;
    std::vector<DocumentLine> lines_;
    std::size_t behind_fence_ = 0;
};

// Cells of a notebook as Markdown: code between fences, and which cell each line is of.
std::optional<std::string> notebookText(std::string_view text, std::vector<CodeDocument::Place>& places) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || text[first] != '{' || text.find("\"cells\"") == std::string_view::npos) return std::nullopt;
    const JsonText parsed = parseJson(text);
    if (!parsed.value || !parsed.value->is_object() || !parsed.value->contains("cells") || !(*parsed.value)["cells"].is_array())
        return std::nullopt;
    std::string markdown;
    int number = 0;
    for (const Json& cell : (*parsed.value)["cells"]) {
        ++number;
        if (!cell.is_object() || !cell.contains("source")) continue;
        const bool code = cell.value("cell_type", Json("")) == Json("code");
        std::string source;
        if (cell["source"].is_string()) source = cell["source"].get<std::string>();
        if (cell["source"].is_array()) {
            for (const Json& line : cell["source"]) source += line.is_string() ? line.get<std::string>() : "";
        }
        if (!code || source.starts_with("%%bash") || source.starts_with("%%html")) continue;
        markdown += "```python\n";
        places.push_back({number, 0});
        int line = 0;
        for (const std::string_view one : physicalLines(source)) {
            markdown += std::string(one) + "\n";
            places.push_back({number, ++line});
        }
        markdown += "```\n";
        places.push_back({number, line});
    }
    return markdown;
}

}  // namespace

std::vector<DocumentLine> linesOfDocument(std::string_view text) {
    return Document(text).read();
}

std::vector<LogicalLine> splitLines(std::string_view text) {
    if (text.size() > kLargestText) {
        LogicalLine line;
        line.tokens.emplace_back();
        line.fault = {
            1, 1,
            "expected at most 1 MB of text, got " + std::to_string(text.size()) + " bytes; a .keras file may have a longer vocabulary"};
        return {line};
    }
    const std::vector<DocumentLine> document = linesOfDocument(text);
    const bool plain =
        std::all_of(document.begin(), document.end(), [](const DocumentLine& line) { return line.code && line.column == 0; });
    if (plain) return splitCode(text);
    // What is no code becomes blank, so that lines and columns stay.
    std::string code;
    std::size_t at = 0;
    for (const DocumentLine& line : document) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string kept = line.code ? std::string(text.substr(at, end - at)) : std::string();
        std::fill_n(kept.begin(), std::min<std::size_t>(static_cast<std::size_t>(line.column), kept.size()), ' ');
        code += kept + "\n";
        at = end + 1;
    }
    std::vector<LogicalLine> lines = splitCode(code);
    for (LogicalLine& line : lines) line.indent = std::max(0, line.indent - document[static_cast<std::size_t>(line.first_line) - 1].column);
    return lines;
}

}  // namespace engine::spec::code

namespace engine::spec {

CodeDocument readDocument(std::string_view text) {
    CodeDocument document;
    if (text.size() > code::kLargestText) return {std::string(text), {}, {}, {}, false};
    std::vector<CodeDocument::Place> places;
    const std::optional<std::string> notebook = code::notebookText(text, places);
    const std::string_view source = notebook ? std::string_view(*notebook) : text;
    const std::vector<code::DocumentLine> lines = code::linesOfDocument(source);
    const std::vector<std::string_view> physical = code::physicalLines(source);
    int block = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const int number = static_cast<int>(i) + 1;
        if (!lines[i].code) {
            document.is_document = true;
            if (!code::trimmed(physical[i]).empty()) ++document.lines_left;
            continue;
        }
        if (lines[i].block != block) {
            if (block != 0) {
                document.code += "\n";
                document.places.emplace_back();
            }
            document.blocks.push_back({number, number});
        }
        block = lines[i].block;
        document.blocks.back().last = number;
        document.is_document = document.is_document || lines[i].column > 0;
        std::string line(physical[i].substr(std::min<std::size_t>(static_cast<std::size_t>(lines[i].column), physical[i].size())));
        if (line.ends_with('\r')) line.pop_back();
        document.code += line + "\n";
        document.places.push_back(notebook ? places[i] : CodeDocument::Place{0, number});
    }
    document.is_document = document.is_document || notebook;
    if (!document.is_document) document.code = std::string(text);
    return document;
}

}  // namespace engine::spec
