#include "engine/spec/keras/python/python_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/spec/keras/python/read_work.h"

namespace engine::spec::code {
namespace {

bool isLetter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool continuesName(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;  // of a character in UTF-8
}
bool isOpen(char c) {
    return c == '(' || c == '[' || c == '{';
}
bool isClose(char c) {
    return c == ')' || c == ']' || c == '}';
}
std::string noPython(char c) {
    return "expected Python, got the character " + std::string(1, c);
}

void appendUtf8(unsigned code, std::string& text) {
    const auto byte = [&](unsigned value) { text.push_back(static_cast<char>(value)); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xC0 | (code >> 6));
        byte(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        byte(0xE0 | (code >> 12));
        byte(0x80 | ((code >> 6) & 0x3F));
        byte(0x80 | (code & 0x3F));
    } else {
        byte(0xF0 | (code >> 18));
        byte(0x80 | ((code >> 12) & 0x3F));
        byte(0x80 | ((code >> 6) & 0x3F));
        byte(0x80 | (code & 0x3F));
    }
}

// Walks the text and knows line and column.
class Cursor {
public:
    // At the beginning of a line.
    Cursor(std::string_view text, std::size_t at, int line) : text_(text), at_(at), line_(line) {}
    bool done() const { return at_ >= text_.size(); }
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    bool startsWith(std::string_view what) const { return text_.substr(at_).starts_with(what); }
    char take() {
        const char c = text_[at_++];
        if (c == '\n') {
            ++line_;
            column_ = 1;
        } else if (!continuesName(c)) {
            ++column_;
        }
        return c;
    }
    void skip(std::size_t count) {
        for (; count > 0 && !done(); --count) take();
    }
    void skipLine() {
        while (!done() && peek() != '\n') take();
    }
    int line() const { return line_; }
    int column() const { return column_; }

private:
    std::string_view text_;
    std::size_t at_;
    int line_;
    int column_ = 1;
};

// The tokens of a text from one of its lines on, with no regard to what belongs together.
class Tokenizer {
public:
    Tokenizer(const Cursor& begin, std::vector<Token>& tokens, std::map<std::size_t, Fault>& faults, std::map<std::size_t, int>& longer)
        : cursor_(begin), tokens_(tokens), faults_(faults), longer_(longer) {}

    void read() {
        while (!cursor_.done()) {
            const char c = cursor_.peek();
            if (c == '\n') {
                push(Token::Kind::kEnd, cursor_.line(), cursor_.column(), {});
                cursor_.take();
            } else if (c == '#') {
                cursor_.skipLine();
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
                cursor_.take();
            } else if (c == '\\' && (cursor_.peek(1) == '\n' || cursor_.startsWith("\\\r\n"))) {
                cursor_.skip(cursor_.peek(1) == '\n' ? 2 : 3);
            } else {
                readToken();
            }
        }
        push(Token::Kind::kEnd, cursor_.line(), cursor_.column(), {});
    }

private:
    void fail(int line, int column, std::string message) { faults_.emplace(tokens_.size(), Fault{line, column, std::move(message)}); }

    void push(Token::Kind kind, int line, int column, std::string text) { tokens_.push_back({kind, std::move(text), line, column}); }

    void readToken() {
        const char c = cursor_.peek();
        const int line = cursor_.line(), column = cursor_.column();
        if (c == '"' || c == '\'') {
            readText("", line, column);
        } else if (isDigit(c) || (c == '.' && isDigit(cursor_.peek(1)))) {
            readNumber(line, column);
        } else if (isLetter(c)) {
            std::string name;
            while (isLetter(cursor_.peek()) || isDigit(cursor_.peek())) name.push_back(cursor_.take());
            const bool prefix = name.size() <= 2 && name.find_first_not_of("rRbBuUfF") == std::string::npos;
            if (prefix && (cursor_.peek() == '"' || cursor_.peek() == '\'')) {
                readText(name, line, column);
            } else {
                push(Token::Kind::kName, line, column, std::move(name));
            }
        } else {
            readSymbol(line, column);
        }
    }

    void readNumber(int line, int column) {
        std::string number;
        const bool based = cursor_.peek() == '0' && std::string_view("xXoObB").find(cursor_.peek(1)) != std::string_view::npos;
        const auto goesOn = [&](char c) {
            const bool sign = (c == '+' || c == '-') && !based && !number.empty() && (number.back() == 'e' || number.back() == 'E');
            return isDigit(c) || c == '.' || c == '_' || sign || std::isalpha(static_cast<unsigned char>(c)) != 0;
        };
        while (!cursor_.done() && goesOn(cursor_.peek())) {
            const char c = cursor_.take();
            if (c != '_') number.push_back(c);
        }
        push(Token::Kind::kNumber, line, column, std::move(number));
    }

    void readSymbol(int line, int column) {
        static constexpr std::array<std::string_view, 18> kLong{
            "**=", "//=", "...", "**", "//", "==", "!=", "<=", ">=", "->", ":=", "+=", "-=", "*=", "/=", "%=", "<<", ">>"};
        for (const std::string_view symbol : kLong) {
            if (cursor_.startsWith(symbol)) {
                cursor_.skip(symbol.size());
                push(Token::Kind::kSymbol, line, column, std::string(symbol));
                return;
            }
        }
        const char c = cursor_.peek();
        // A semicolon ends a statement, unless it stands in brackets.
        if (std::string_view("()[]{},:.=+-*/%<>@&|^~;").find(c) == std::string_view::npos) fail(line, column, noPython(c));
        if (isOpen(c)) ++depth_;
        if (isClose(c) && depth_ > 0) --depth_;
        cursor_.take();
        push(Token::Kind::kSymbol, line, column, std::string(1, c));
    }

    // Up to `end`, which is taken. False: it does not come; with `in_line` the text stops at the end of its line then.
    bool readUpTo(std::string_view end, bool raw, bool in_line, std::string& text) {
        while (!cursor_.startsWith(end)) {
            if (cursor_.done() || (in_line && cursor_.peek() == '\n')) return false;
            if (cursor_.peek() == '\\' && !raw) {
                readEscape(text);
            } else {
                text.push_back(cursor_.take());
            }
        }
        cursor_.skip(end.size());
        return true;
    }

    void readText(const std::string& prefix, int line, int column) {
        const bool raw = prefix.find_first_of("rR") != std::string::npos;
        const bool formatted = prefix.find_first_of("fF") != std::string::npos;
        const char quote = cursor_.peek();
        const std::string end(cursor_.startsWith(std::string(3, quote)) ? 3 : 1, quote);
        cursor_.skip(end.size());
        const Cursor begin = cursor_;
        std::string text;
        // What no quotes end takes the rest of the text; in an open bracket the rest of its line, as the bracket takes its statement alone.
        // Where three quotes are missing once, they are missing for each text of this kind below.
        bool& endless = endless_[(quote == '"' ? 2U : 0U) + (raw ? 1U : 0U)];
        const bool missing = end.size() == 3 && depth_ > 0 && endless;
        bool ends = readUpTo(end, raw, end.size() == 1 || missing, text);
        if (!ends && end.size() == 3 && !missing) {
            endless = true;
            if (depth_ > 0) {
                cursor_ = begin;
                text.clear();
                ends = readUpTo(end, raw, true, text);
            }
        }
        if (!ends) fail(line, column, "expected a text that ends in " + end + ", got the end of the line");
        if (cursor_.line() > line) longer_.emplace(tokens_.size(), cursor_.line());
        push(formatted ? Token::Kind::kFormatted : Token::Kind::kText, line, column, std::move(text));
    }

    void readEscape(std::string& text) {
        cursor_.take();
        if (cursor_.done()) return;
        const char c = cursor_.take();
        static constexpr std::string_view kLetters = "abfnrtv\\'\"", kMeanings = "\a\b\f\n\r\t\v\\'\"";
        if (const std::size_t known = kLetters.find(c); known != std::string_view::npos) {
            text.push_back(kMeanings[known]);
        } else if (c == '\n') {
            return;
        } else if (c == 'x' || c == 'u' || c == 'U') {
            readCode(c == 'x' ? 2 : c == 'u' ? 4 : 8, 16, 0, text);
        } else if (c >= '0' && c <= '7') {
            readCode(2, 8, static_cast<unsigned>(c - '0'), text);
        } else {
            text.push_back('\\');
            text.push_back(c);
        }
    }

    void readCode(int most, unsigned base, unsigned code, std::string& text) {
        for (; most > 0; --most) {
            const char c = cursor_.peek();
            const bool digit = base == 8 ? c >= '0' && c <= '7' : std::isxdigit(static_cast<unsigned char>(c)) != 0;
            if (!digit) break;
            cursor_.take();
            code = code * base + static_cast<unsigned>(isDigit(c) ? c - '0' : std::tolower(c) - 'a' + 10);
        }
        constexpr unsigned kLargest = 0x10FFFF, kReplacement = 0xFFFD;
        appendUtf8(code > kLargest || (code >= 0xD800 && code < 0xE000) ? kReplacement : code, text);
    }

    Cursor cursor_;
    std::vector<Token>& tokens_;
    std::map<std::size_t, Fault>& faults_;
    std::map<std::size_t, int>& longer_;
    std::size_t depth_ = 0;          // brackets that are open
    std::array<bool, 4> endless_{};  // by quote, and raw or not: one of three quotes has no end
};

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

bool isSymbol(const Token& token, bool (*is)(char)) {
    return token.kind == Token::Kind::kSymbol && token.text.size() == 1 && is(token.text[0]);
}

}  // namespace

LineReader::LineReader(std::string_view text, bool goes_back) : text_(text), goes_back_(goes_back), starts_{0} {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n') starts_.push_back(i + 1);
    }
    tokenize(0, 1);
}

void LineReader::tokenize(std::size_t from, int line) {
    tokens_.clear();
    faults_.clear();
    long_.clear();
    Tokenizer(Cursor(text_, from, line), tokens_, faults_, long_).read();
    matchBrackets();
    work_ += text_.size() - from;
    readOfThisThread() += static_cast<std::int64_t>(text_.size() - from);
    at_ = 0;
    line_ = line;
    within_line_ = false;
}

void LineReader::matchBrackets() {
    closes_.assign(tokens_.size(), kNone);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (isSymbol(tokens_[i], isOpen)) open.push_back(i);
        if (!isSymbol(tokens_[i], isClose) || open.empty()) continue;
        closes_[open.back()] = i;
        open.pop_back();
    }
    unclosed_.assign(tokens_.size() + 1, kNone);
    for (std::size_t i = tokens_.size(); i-- > 0;) {
        if (tokens_[i].kind == Token::Kind::kEnd) continue;
        const bool opens = isSymbol(tokens_[i], isOpen);
        unclosed_[i] = opens && closes_[i] == kNone ? i : unclosed_[(opens ? closes_[i] : i) + 1];
    }
}

int LineReader::lineAt(std::size_t at) const {
    return at > 0 && tokens_[at - 1].kind == Token::Kind::kEnd ? tokens_[at - 1].line + 1 : tokens_[at].line;
}

void LineReader::goTo(int line) {
    const auto first =
        std::lower_bound(tokens_.begin(), tokens_.end(), line, [](const Token& token, int wanted) { return token.line < wanted; });
    const auto at = static_cast<std::size_t>(first - tokens_.begin());
    const auto behind = long_.lower_bound(at);
    if (first == tokens_.end() || (behind != long_.begin() && std::prev(behind)->second >= line)) {
        tokenize(starts_[static_cast<std::size_t>(line) - 1], line);
        return;
    }
    at_ = at;
    line_ = line;
    within_line_ = false;
}

int LineReader::indentOf(int line) const {
    int indent = 0;
    for (std::size_t at = starts_[static_cast<std::size_t>(line) - 1]; at < text_.size() && (text_[at] == ' ' || text_[at] == '\t'); ++at) {
        indent = text_[at] == '\t' ? (indent / 8 + 1) * 8 : indent + 1;
    }
    return indent;
}

// The last of the lines that a statement without its closing bracket takes: those that are indented deeper, blank ones and closing
// brackets.
int LineReader::endOfGivenUp(int first, int indent) const {
    int last = first;
    for (; static_cast<std::size_t>(last) < starts_.size(); ++last) {
        const std::size_t at = std::min(text_.find_first_not_of(" \t", starts_[static_cast<std::size_t>(last)]), text_.size());
        const bool goes_on = at == text_.size() || text_[at] == '\n' || isClose(text_[at]);
        if (!goes_on && indentOf(last + 1) <= indent) break;
    }
    return last;
}

void LineReader::take(LogicalLine& line, std::size_t at, std::vector<std::size_t>& open) {
    ++work_;
    ++readOfThisThread();
    Token& token = tokens_[at];
    const auto fail = [&](const Token& where, std::string message) {
        if (!line.fault) line.fault = {where.line, where.column, std::move(message)};
    };
    if (const auto fault = faults_.find(at); fault != faults_.end() && !line.fault) line.fault = fault->second;
    if (isSymbol(token, isOpen)) {
        open.push_back(at);
        if (open.size() > static_cast<std::size_t>(kDeepestNesting))
            fail(token, "expected at most " + std::to_string(kDeepestNesting) + " brackets within each other, got more");
    } else if (isSymbol(token, isClose)) {
        const char c = token.text[0], opening = c == ')' ? '(' : c == ']' ? '[' : '{';
        if (open.empty()) {
            fail(token, "expected a " + std::string(1, opening) + " before this " + std::string(1, c) + ", got none");
        } else {
            const Token& other = tokens_[open.back()];
            if (other.text[0] != opening) fail(other, "expected a bracket that closes this " + other.text + ", got " + c);
            open.pop_back();
        }
    } else if (token.is(";")) {
        fail(token, noPython(';'));
    }
    // Brackets stay: a closing one below may name them.
    const bool again = goes_back_ || token.text.size() == 1;
    line.tokens.push_back(again ? token : Token{token.kind, std::move(token.text), token.line, token.column});
}

std::optional<LogicalLine> LineReader::next() {
    while (at_ < tokens_.size()) {
        const bool blank = !within_line_ && tokens_[at_].kind == Token::Kind::kEnd;
        if (blank) {
            ++at_;
            if (at_ < tokens_.size()) line_ = lineAt(at_);
            continue;
        }
        const bool open = !within_line_ && unclosed_[at_] != kNone;
        std::optional<LogicalLine> line = open ? giveUp() : readStatement();
        if (line) return line;
    }
    return std::nullopt;
}

// Up to a semicolon or the end of the line; nullopt where nothing stands there.
std::optional<LogicalLine> LineReader::readStatement() {
    LogicalLine line;
    line.indent = indentOf(line_);
    line.first_line = within_line_ ? tokens_[at_ - 1].line : line_;
    std::vector<std::size_t> open;
    for (;; ++at_) {
        const bool end = tokens_[at_].kind == Token::Kind::kEnd;
        if (open.empty() && (end || tokens_[at_].is(";"))) break;
        if (!end) take(line, at_, open);
    }
    const Token& end = tokens_[at_];
    line.last_line = end.line;
    within_line_ = end.kind != Token::Kind::kEnd;
    line.tokens.push_back({Token::Kind::kEnd, {}, end.line, end.column});
    ++at_;
    if (!within_line_ && at_ < tokens_.size()) line_ = lineAt(at_);
    return line.tokens.size() > 1 || line.fault ? std::optional(std::move(line)) : std::nullopt;
}

LogicalLine LineReader::giveUp() {
    LogicalLine line;
    line.indent = indentOf(line_);
    line.first_line = line_;
    line.last_line = endOfGivenUp(line_, line.indent);
    const Token& missing = tokens_[unclosed_[at_]];
    Fault unclosed{missing.line, missing.column, {}};
    std::string bracket = missing.text;
    std::vector<std::size_t> open;
    for (; at_ < tokens_.size() && tokens_[at_].line <= line.last_line; ++at_) {
        if (open.empty() && tokens_[at_].is(";")) {  // what stands before it goes with it
            line.tokens.clear();
            line.fault = {};
        } else if (tokens_[at_].kind != Token::Kind::kEnd) {
            take(line, at_, open);
        }
    }
    // The innermost bracket of these lines that stays open.
    const auto innermost = std::find_if(open.rbegin(), open.rend(), [this](std::size_t one) { return closes_[one] == kNone; });
    if (innermost != open.rend()) {
        unclosed = {tokens_[*innermost].line, tokens_[*innermost].column, {}};
        bracket = tokens_[*innermost].text;
    }
    unclosed.message = "expected a bracket that closes this " + bracket + ", got the end of the text";
    if (!line.fault) line.fault = std::move(unclosed);
    if (at_ < tokens_.size()) {
        line_ = std::max(lineAt(at_), line.last_line + 1);  // a backslash may join the first lines
        line.tokens.push_back({Token::Kind::kEnd, {}, line.last_line + 1, 1});
    } else {
        line.tokens.push_back({Token::Kind::kEnd, {}, tokens_.back().line, tokens_.back().column});
    }
    return line;
}

std::vector<LogicalLine> splitCode(std::string_view text) {
    LineReader reader(text);
    std::vector<LogicalLine> lines;
    while (std::optional<LogicalLine> line = reader.next()) lines.push_back(*std::move(line));
    return lines;
}

}  // namespace engine::spec::code
