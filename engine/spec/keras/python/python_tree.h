// Expressions of Python as a tree: calls with keywords, literals, lists, dictionaries, dotted names, arithmetic and comparisons. What is
// constant can be folded; nothing is ever called. Only files below engine/spec/keras and tests include it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/keras/python/python_tokens.h"

namespace engine::spec::code {

struct Node {
    enum class Kind {
        kNone,
        kBool,
        kInt,
        kReal,
        kText,
        kName,       // "tf.keras.layers.Dense"; the dots belong to it
        kAttribute,  // items[0] . text
        kTuple,
        kList,
        kDict,       // key, value, key, value, ...
        kCall,       // items[0] is called with the others; keywords[i] names items[i + 1], empty by position
        kIndex,      // items[0] [ items[1] ]
        kOperation,  // text with one or two operands: + - * / // % ** < <= > >= == != and or not, in, is
        kChoice,     // items[0] if items[1] else items[2]
        kLambda,     // items: its parameters, then its value
        kSlice,      // items[0]:items[1]:items[2], kNone where one is left out
    };
    Kind kind = Kind::kNone;
    bool flag = false;
    std::int64_t whole = 0;
    double real = 0;
    std::string text{};
    std::vector<Node> items{};
    std::vector<std::string> keywords{};
    int line = 0, column = 0;
    int last_line = 0;  // of a call: where it is closed

    bool isNumber() const { return kind == Kind::kInt || kind == Kind::kReal; }
    double number() const { return kind == Kind::kInt ? static_cast<double>(whole) : real; }
    // Literals, and lists, tuples and dictionaries of them.
    bool isConstant() const;
};

// Reads expressions from the tokens of one line. The tokens outlive the reader.
class TreeReader {
public:
    explicit TreeReader(const std::vector<Token>& tokens, std::size_t at = 0) : tokens_(tokens), at_(at) {}

    // nullopt with fault() set. A bare "a, b" is a tuple.
    std::optional<Node> readExpressions();
    std::optional<Node> readExpression();
    const Token& next() const { return tokens_[at_]; }
    std::size_t position() const { return at_; }
    void skip() { at_ += at_ + 1 < tokens_.size() ? 1 : 0; }
    const Fault& fault() const { return fault_; }

private:
    std::optional<Node> readBinary(int level);
    std::optional<Node> readUnary();
    std::optional<Node> readPower();
    std::optional<Node> readPostfix();
    std::optional<Node> readAtom();
    std::optional<Node> readNumber(const Token& token);
    std::optional<Node> readCall(Node callee);
    std::optional<Node> readDict();
    std::optional<Node> readLambda();
    std::optional<Node> readSubscript();
    std::optional<Node> readSubscriptPart();
    // Entries up to `end`, which is taken.
    bool readItems(std::string_view end, Node& holder, bool& comma);
    std::nullopt_t fail(const std::string& expected);

    const std::vector<Token>& tokens_;
    std::size_t at_;
    int depth_ = 0;
    std::size_t copied_ = 0;  // nodes that stand in two comparisons
    Fault fault_;
};

// The whole line as one expression, or what is wrong with it.
std::optional<Node> readTree(const std::vector<Token>& tokens, std::size_t from, Fault& fault);

// x += 1 behind its target: x + 1. nullopt where no such sign stands there, or with the reader's fault.
std::optional<Node> readAugmented(TreeReader& reader, const Node& target);

// Names of constants and of objects that were assigned before.
struct Bindings : std::map<std::string, Node, std::less<>> {
    using std::map<std::string, Node, std::less<>>::map;
    // How many nodes names may still stand for, in all that is folded with these: each use of a name is a copy.
    mutable std::size_t room = 2000000;
};

// A copy in which bound names are replaced and arithmetic on constants is done; nullopt when it grew beyond any model's size, or the names
// of the text stand for more than they may.
std::optional<Node> fold(const Node& node, const Bindings& bindings);

// The last part of a dotted name: "Dense" of "tf.keras.layers.Dense".
std::string_view lastPart(std::string_view dotted);
// The name that a call calls; empty when it is none.
std::string_view calledName(const Node& node);
// The node as a message shows it: "'relu'", "Dense(…)", "a list".
std::string nodeText(const Node& node);

}  // namespace engine::spec::code
