// Python text as logical lines of tokens: what is needed to read model code, which is never run. Only files below engine/spec/keras include
// it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
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

// Bytes. It is less than a project may have: the code stands in the project beside what it says.
inline constexpr std::size_t kLargestText = 1 << 20;
inline constexpr int kDeepestNesting = 64;  // brackets within brackets

// The logical lines of text that is code, one after the other, whatever stands in it. A bracket that is never closed costs its statement
// alone: reading goes on at the next line that is indented no deeper. Each character is read once, however many brackets stay open: where a
// bracket is closed is the same for every statement that has it.
class LineReader {
public:
    // The text outlives it. `goes_back`: goTo() may be called.
    explicit LineReader(std::string_view text, bool goes_back = false);

    // nullopt behind the last one.
    std::optional<LogicalLine> next();
    // Goes on at the beginning of that physical line, from 1, which is one of the text's. The text behind is read anew only where a text in
    // quotes goes over the beginning of the line.
    void goTo(int line);
    // The characters and tokens that were read so far, those that were read twice counted twice.
    std::size_t work() const { return work_; }

private:
    void tokenize(std::size_t from, int line);
    void matchBrackets();
    std::optional<LogicalLine> readStatement();
    LogicalLine giveUp();
    int indentOf(int line) const;
    int endOfGivenUp(int first, int indent) const;
    // The token becomes one of the line's, with what is wrong with it; `open` holds the brackets that are open before and behind it.
    void take(LogicalLine& line, std::size_t at, std::vector<std::size_t>& open);
    int lineAt(std::size_t at) const;

    std::string_view text_;
    const bool goes_back_;
    std::vector<std::size_t> starts_;  // of physical lines, in bytes
    std::vector<Token> tokens_;        // of all lines; a kEnd for each end of a physical line that is in no text and for that of the text
    std::map<std::size_t, Fault> faults_;  // by token
    std::map<std::size_t, int> long_;      // tokens that end in another line than they begin in, with that line
    // By token: the bracket that closes it; the first bracket that stays open in a statement that goes on there. kNone: none.
    std::vector<std::size_t> closes_, unclosed_;
    std::size_t at_ = 0;
    int line_ = 1;              // the statement at `at_` begins in it
    bool within_line_ = false;  // behind a semicolon
    std::size_t work_ = 0;
};

// All of them. Code inside of a document: splitLines() of code_document.h.
std::vector<LogicalLine> splitCode(std::string_view text);

}  // namespace engine::spec::code
