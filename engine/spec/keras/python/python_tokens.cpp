#include "engine/spec/keras/python/python_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace engine::spec::code {
namespace {

bool isLetter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isContinuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;  // of a character in UTF-8
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
    explicit Cursor(std::string_view text) : text_(text) {}
    bool done() const { return at_ >= text_.size(); }
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    bool startsWith(std::string_view what) const { return text_.substr(at_).starts_with(what); }
    char take() {
        const char c = text_[at_++];
        if (c == '\n') {
            ++line_;
            column_ = 1;
        } else if (!isContinuation(c)) {
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
    std::size_t at_ = 0;
    int line_ = 1, column_ = 1;
};

class LineSplitter {
public:
    explicit LineSplitter(std::string_view text) : cursor_(text) {}

    std::vector<LogicalLine> split() {
        while (!cursor_.done()) {
            readLine();
        }
        return std::move(lines_);
    }

private:
    void fail(int line, int column, std::string message) {
        if (!current_.fault) {
            current_.fault = {line, column, std::move(message)};
        }
    }
    void fail(std::string message) { fail(cursor_.line(), cursor_.column(), std::move(message)); }

    int readIndent() {
        int indent = 0;
        for (; cursor_.peek() == ' ' || cursor_.peek() == '\t'; cursor_.take()) {
            indent = cursor_.peek() == '\t' ? (indent / 8 + 1) * 8 : indent + 1;
        }
        return indent;
    }

    void readLine() {
        const int indent = readIndent();
        if (cursor_.peek() == '\n' || cursor_.peek() == '\r' || cursor_.peek() == '#' || cursor_.done()) {
            cursor_.skipLine();
            if (!cursor_.done()) cursor_.take();
            return;
        }
        const Cursor begin = cursor_;
        indent_ = indent;
        start();
        brackets_.clear();
        readStatements();
        if (brackets_.empty()) {
            return;
        }
        // The text ended inside a bracket: its line is given up, and the lines below that are indented deeper.
        const Token open = brackets_.back();
        std::vector<Token> tokens = std::move(current_.tokens);
        const Fault first = current_.fault;
        cursor_ = begin;
        lines_.resize(kept_);
        start();
        if (first) fail(first.line, first.column, first.message);
        fail(open.line, open.column, "expected a bracket that closes this " + open.text + ", got the end of the text");
        giveUp(std::move(tokens));
    }

    void start() {
        kept_ = lines_.size();
        current_ = {};
        current_.indent = indent_;
        current_.first_line = cursor_.line();
    }

    void giveUp(std::vector<Token> tokens) {
        for (;;) {
            current_.last_line = cursor_.line();
            cursor_.skipLine();
            if (cursor_.done()) break;
            cursor_.take();
            const Cursor next = cursor_;
            const int indent = readIndent();
            const bool closes = std::string_view(")]}").find(cursor_.peek()) != std::string_view::npos && cursor_.peek() != '\0';
            const bool blank = cursor_.peek() == '\n' || cursor_.done();
            cursor_ = next;
            if (!blank && !closes && indent <= indent_) break;
        }
        std::erase_if(tokens, [this](const Token& token) { return token.line > current_.last_line; });
        current_.tokens = std::move(tokens);
        finish();
    }

    void finish() {
        Token end;
        end.line = cursor_.line();
        end.column = cursor_.column();
        current_.tokens.push_back(end);
        const bool says_something = current_.tokens.size() > 1 || current_.fault;
        if (says_something) {
            lines_.push_back(std::move(current_));
        }
    }

    // One logical line, or several with semicolons between.
    void readStatements() {
        while (!cursor_.done()) {
            const char c = cursor_.peek();
            if (c == '\n' && brackets_.empty()) {
                current_.last_line = cursor_.line();
                finish();
                cursor_.take();
                return;
            }
            if (c == ';' && brackets_.empty()) {
                current_.last_line = cursor_.line();
                finish();
                const std::size_t kept = kept_;
                cursor_.take();
                start();
                kept_ = kept;
                continue;
            }
            if (c == '#') {
                cursor_.skipLine();
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\n') {
                cursor_.take();
            } else if (c == '\\' && (cursor_.peek(1) == '\n' || cursor_.startsWith("\\\r\n"))) {
                cursor_.skip(cursor_.peek(1) == '\n' ? 2 : 3);
            } else {
                readToken();
            }
        }
        current_.last_line = cursor_.line();
        if (brackets_.empty()) {
            finish();
        }
    }

    Token& push(Token::Kind kind, int line, int column, std::string text) {
        current_.tokens.push_back({kind, std::move(text), line, column});
        return current_.tokens.back();
    }

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
        if (std::string_view("()[]{},:.=+-*/%<>@&|^~").find(c) == std::string_view::npos) {
            fail("expected Python, got the character " + std::string(1, c));
        }
        cursor_.take();
        const Token& token = push(Token::Kind::kSymbol, line, column, std::string(1, c));
        if (c == '(' || c == '[' || c == '{') {
            brackets_.push_back(token);
            if (static_cast<int>(brackets_.size()) > kDeepestNesting) {
                fail(line, column, "expected at most " + std::to_string(kDeepestNesting) + " brackets within each other, got more");
            }
        } else if (c == ')' || c == ']' || c == '}') {
            const char open = c == ')' ? '(' : c == ']' ? '[' : '{';
            if (!brackets_.empty() && brackets_.back().text[0] != open) {
                const Token& other = brackets_.back();
                fail(other.line, other.column, "expected a bracket that closes this " + other.text + ", got " + c);
            } else if (brackets_.empty()) {
                fail(line, column, "expected a " + std::string(1, open) + " before this " + std::string(1, c) + ", got none");
            }
            if (!brackets_.empty()) brackets_.pop_back();
        }
    }

    void readText(const std::string& prefix, int line, int column) {
        const bool raw = prefix.find_first_of("rR") != std::string::npos;
        const bool formatted = prefix.find_first_of("fF") != std::string::npos;
        const char quote = cursor_.peek();
        const std::string end(cursor_.startsWith(std::string(3, quote)) ? 3 : 1, quote);
        cursor_.skip(end.size());
        std::string text;
        while (!cursor_.startsWith(end)) {
            if (cursor_.done() || (end.size() == 1 && cursor_.peek() == '\n')) {
                fail(line, column, "expected a text that ends in " + end + ", got the end of the line");
                break;
            }
            if (cursor_.peek() == '\\' && !raw) {
                readEscape(text);
            } else {
                text.push_back(cursor_.take());
            }
        }
        if (cursor_.startsWith(end)) cursor_.skip(end.size());
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
    std::vector<LogicalLine> lines_;
    LogicalLine current_;
    std::vector<Token> brackets_;  // open ones
    std::size_t kept_ = 0;         // lines before this physical line
    int indent_ = 0;
};

}  // namespace

std::vector<LogicalLine> splitCode(std::string_view text) {
    return LineSplitter(text).split();
}

}  // namespace engine::spec::code
