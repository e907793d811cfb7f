// A text of code that is going to be changed: where its calls and arguments stand, in bytes. Only files of engine/spec/keras/code and below
// include it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/keras/keras_code.h"
#include "engine/spec/keras/python/python_tokens.h"

namespace engine::spec::code {

struct TextEdit {
    std::size_t begin = 0, end = 0;  // bytes that go
    std::string text;                // that comes
};

// A call as it stands in the text.
struct SourceCall {
    struct Argument {
        std::string name;  // by keyword, or as its position means
        std::size_t begin = 0, end = 0;
        bool begins_line = false;
        int column = 0;
        std::vector<Token> tokens{};
    };
    std::size_t begin = 0, open = 0, close = 0;  // of its name, behind its bracket, at the closing one
    std::vector<Argument> arguments;
};

// The text outlives it.
class SourceText {
public:
    explicit SourceText(std::string_view text);

    const std::vector<LogicalLine>& lines() const { return lines_; }
    std::size_t byteOf(int line, int column) const;
    std::size_t endOfLine(int line) const;
    std::size_t beginOfLine(int line) const { return byteOf(line, 1); }
    std::size_t indentOf(int line) const;

    // The call of `verb` in these lines.
    std::optional<SourceCall> findCall(const CodeLines& at, std::string_view verb, const std::vector<std::string>& positional) const;
    // The call whose name begins there.
    std::optional<SourceCall> callAt(CodePlace at, const std::vector<std::string>& positional) const;
    // The argument of a call that begins there, up to its comma or the closing bracket.
    std::optional<TextEdit> argumentAt(CodePlace at) const;
    std::string slice(std::size_t begin, std::size_t end) const { return std::string(text_.substr(begin, end - begin)); }
    // The calls of `verb` behind these lines.
    std::vector<SourceCall> callsBehind(const CodeLines& lines, std::string_view verb, const std::vector<std::string>& positional) const;
    // The value of a name that the text gives one value alone.
    struct Assigned {
        TextEdit place;
        std::vector<Token> tokens;
    };
    std::optional<Assigned> valueOf(std::string_view name) const;

private:
    static int opens(const Token& token);
    static int closes(const Token& token);
    std::size_t trimmed(std::size_t end) const;
    // The bracket behind `verb` where the line calls it; 0: it does not.
    static std::size_t openOf(const LogicalLine& line, std::string_view verb);

    std::optional<SourceCall> readCall(const LogicalLine& line, std::size_t open, const std::vector<std::string>& positional) const;

    std::string_view text_;
    std::vector<LogicalLine> lines_;
    std::vector<std::size_t> starts_;      // of lines, in bytes
    std::vector<std::size_t> characters_;  // of the text before each line
    std::vector<std::size_t> marks_;       // bytes of some characters at equal distances, so that a long line is not counted through
};

}  // namespace engine::spec::code
