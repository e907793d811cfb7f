// Python text as logical lines of tokens: what is needed to read model code, which is never run. Only files below engine/spec/keras include
// it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace engine::spec::code {

struct Token {
    // kText holds the decoded characters; kFormatted is an f-string, whose value is unknown.
    enum class Kind { kName, kNumber, kText, kFormatted, kSymbol, kEnd };
    Kind kind = Kind::kEnd;
    std::string text{};
    int line = 1, column = 1;  // of its first character, from 1; columns count characters
    bool is(std::string_view symbol) const { return (kind == Kind::kSymbol || kind == Kind::kName) && text == symbol; }
};

struct Fault {
    int line = 0, column = 0;
    std::string message{};  // expectation and fact; empty: none
    explicit operator bool() const { return !message.empty(); }
};

// One statement, or the head of a block. Brackets and backslashes join its lines; semicolons end it.
struct LogicalLine {
    int first_line = 1, last_line = 1;
    int indent = 0;               // columns before it, a tab reaches the next multiple of 8
    std::vector<Token> tokens{};  // ends in a kEnd
    Fault fault{};                // what makes it no Python, at the first such place
};

// Bytes. It is less than a project may have: the code stands in the project beside what it says, and text that is no Python takes a time
// that grows with the square of it.
inline constexpr std::size_t kLargestText = 1 << 20;
inline constexpr int kDeepestNesting = 64;  // brackets within brackets

// The logical lines of text that is code, whatever stands in it. A bracket that is never closed costs its statement alone: reading goes on
// at the next line that is indented no deeper. Code inside of a document: splitLines() of code_document.h.
std::vector<LogicalLine> splitCode(std::string_view text);

}  // namespace engine::spec::code
