#include "engine/spec/keras/python/python_tree.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/spec/keras/python/read_work.h"

namespace engine::spec::code {
namespace {

constexpr std::size_t kLongestName = 200;   // that a message shows, in bytes
constexpr std::size_t kMostNodes = 100000;  // that names may add to what the text itself has

// Weakest first. `not` and the signs are read between them.
const std::vector<std::vector<std::string_view>>& levels() {
    static const std::vector<std::vector<std::string_view>> kLevels{
        {"or"}, {"and"}, {"<", "<=", ">", ">=", "==", "!="}, {"+", "-"}, {"*", "/", "//", "%"}};
    return kLevels;
}
constexpr int kComparison = 2;

std::string shown(const Token& token) {
    if (token.kind == Token::Kind::kEnd) return "the end of the line";
    if (token.kind == Token::Kind::kText) return "a text";
    if (token.kind == Token::Kind::kFormatted) return "an f-string";
    return token.text;
}

std::size_t countNodes(const Node& node) {
    std::size_t count = 1;
    for (const Node& item : node.items) count += countNodes(item);
    return count;
}

int depthOf(const Node& node) {
    int depth = 0;
    for (const Node& item : node.items) depth = std::max(depth, depthOf(item));
    return depth + 1;
}

Node realNode(double value, const Node& at) {
    Node node;
    node.kind = Node::Kind::kReal;
    node.real = value;
    node.line = at.line;
    node.column = at.column;
    return node;
}

// The node with two others in it, which are not copied.
void pair(Node& node, Node a, Node b) {
    node.items.reserve(2);
    node.items.push_back(std::move(a));
    node.items.push_back(std::move(b));
}

// Whole numbers stay whole where Python keeps them and the result fits.
std::optional<Node> arithmetic(const std::string& sign, const Node& a, const Node& b) {
    const double x = a.number(), y = b.number();
    const bool whole = a.kind == Node::Kind::kInt && b.kind == Node::Kind::kInt;
    double value = 0;
    if (sign == "+") {
        value = x + y;
    } else if (sign == "-") {
        value = x - y;
    } else if (sign == "*") {
        value = x * y;
    } else if (sign == "/" && y != 0) {
        return realNode(x / y, a);
    } else if (sign == "//" && y != 0) {
        value = std::floor(x / y);
    } else if (sign == "%" && y != 0) {
        value = x - y * std::floor(x / y);
    } else if (sign == "**" && (x != 0 || y >= 0)) {
        value = std::pow(x, y);
        if (whole && y < 0) return realNode(value, a);
    } else {
        return std::nullopt;
    }
    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (!std::isfinite(value) || (whole && std::fabs(value) > kExact)) return std::nullopt;
    Node node = realNode(value, a);
    if (whole) {
        node.kind = Node::Kind::kInt;
        node.whole = static_cast<std::int64_t>(value);
    }
    return node;
}

std::optional<Node> foldOperation(const Node& node) {
    if (node.items.size() == 1 && node.items[0].isNumber() && (node.text == "-" || node.text == "+")) {
        Node folded = node.items[0];  // a number, which has nothing in it
        if (node.text == "-") {
            folded.whole = -folded.whole;
            folded.real = -folded.real;
        }
        folded.line = node.line;
        folded.column = node.column;
        return folded;
    }
    if (node.items.size() != 2) return std::nullopt;
    const Node &a = node.items[0], &b = node.items[1];
    if (a.isNumber() && b.isNumber()) return arithmetic(node.text, a, b);
    if (node.text == "+" && a.kind == Node::Kind::kText && b.kind == Node::Kind::kText) {
        Node joined = a;
        joined.text += b.text;
        return joined;
    }
    return std::nullopt;
}

// os.path.join of texts, as file names of callbacks are made.
std::optional<Node> foldJoin(const Node& call) {
    if (calledName(call) != "os.path.join" || call.items.size() < 2) return std::nullopt;
    Node joined = call.items[1];
    for (std::size_t i = 1; i < call.items.size(); ++i) {
        if (call.items[i].kind != Node::Kind::kText || !call.keywords[i - 1].empty()) return std::nullopt;
        const std::string& part = call.items[i].text;
        if (i == 1 || part.starts_with('/')) {
            joined.text = part;
        } else {
            joined.text += (joined.text.empty() || joined.text.ends_with('/') ? "" : "/") + part;
        }
    }
    return joined;
}

// The node without what stands in it.
Node shallow(const Node& node) {
    Node copy;
    copy.kind = node.kind;
    copy.flag = node.flag;
    copy.whole = node.whole;
    copy.real = node.real;
    copy.text = node.text;
    copy.keywords = node.keywords;
    copy.line = node.line;
    copy.column = node.column;
    copy.last_line = node.last_line;
    return copy;
}

Node foldNode(const Node& node, const Bindings& bindings, std::size_t& room) {
    if (room == 0) return Node();  // what is folded is thrown away
    --room;
    ++readOfThisThread();
    if (node.kind == Node::Kind::kName) {
        if (const auto bound = bindings.find(node.text); bound != bindings.end()) {
            if (bindings.room == 0) {
                room = 0;
                return node;
            }
            const std::size_t size = countNodes(bound->second);
            room = size < std::min(room, bindings.room) ? room - size : 0;
            bindings.room = size < bindings.room ? bindings.room - size : 0;
            readOfThisThread() += static_cast<std::int64_t>(size);
            return room == 0 ? node : bound->second;
        }
        return node;
    }
    if (node.items.empty() || (node.kind == Node::Kind::kLambda && node.items.size() > 1)) return node;  // a parameter hides a name
    Node copy = shallow(node);
    copy.items.reserve(node.items.size());
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        const bool called = node.kind == Node::Kind::kCall && i == 0 && node.items[0].kind == Node::Kind::kName;
        if (called) {
            copy.items.push_back(node.items[i]);
        } else {
            copy.items.push_back(foldNode(node.items[i], bindings, room));
        }
    }
    std::optional<Node> folded;
    if (copy.kind == Node::Kind::kOperation) folded = foldOperation(copy);
    if (copy.kind == Node::Kind::kCall) folded = foldJoin(copy);
    if (folded) return *std::move(folded);
    return copy;
}

}  // namespace

bool Node::isConstant() const {
    switch (kind) {
        case Kind::kNone:
        case Kind::kBool:
        case Kind::kInt:
        case Kind::kReal:
        case Kind::kText:
            return true;
        case Kind::kTuple:
        case Kind::kList:
        case Kind::kDict:
            return std::all_of(items.begin(), items.end(), [](const Node& item) { return item.isConstant(); });
        default:
            return false;
    }
}

std::nullopt_t TreeReader::fail(const std::string& expected) {
    if (!fault_) {
        fault_ = {next().line, next().column, "expected " + expected + ", got " + shown(next())};
    }
    return std::nullopt;
}

std::optional<Node> TreeReader::readExpressions() {
    const Token first = next();
    std::optional<Node> node = readExpression();
    if (!node || !next().is(",")) return node;
    Node tuple;
    tuple.kind = Node::Kind::kTuple;
    tuple.line = first.line;
    tuple.column = first.column;
    tuple.items.push_back(*std::move(node));
    while (next().is(",")) {
        skip();
        if (next().kind == Token::Kind::kEnd || next().is("=")) break;
        node = readExpression();
        if (!node) return std::nullopt;
        tuple.items.push_back(*std::move(node));
    }
    return tuple;
}

std::optional<Node> TreeReader::readExpression() {
    if (depth_ >= kDeepestNesting) return fail("at most " + std::to_string(kDeepestNesting) + " levels of nesting");
    ++depth_;
    std::optional<Node> node = next().is("lambda") && next().kind == Token::Kind::kName ? readLambda() : readBinary(0);
    if (node && next().kind == Token::Kind::kName && next().is("if")) {
        Node choice;
        choice.kind = Node::Kind::kChoice;
        choice.line = node->line;
        choice.column = node->column;
        choice.items.push_back(*std::move(node));
        skip();
        std::optional<Node> condition = readBinary(0);
        if (condition && !next().is("else")) condition = fail("else");
        if (condition) skip();
        std::optional<Node> other = condition ? readExpression() : std::nullopt;
        if (!other) return std::nullopt;
        choice.items.push_back(*std::move(condition));
        choice.items.push_back(*std::move(other));
        node = std::move(choice);
    }
    --depth_;
    return node;
}

// lambda x, y: VALUE
std::optional<Node> TreeReader::readLambda() {
    Node lambda;
    lambda.kind = Node::Kind::kLambda;
    lambda.line = next().line;
    lambda.column = next().column;
    skip();
    while (next().kind == Token::Kind::kName) {
        Node parameter;
        parameter.kind = Node::Kind::kName;
        parameter.text = next().text;
        lambda.items.push_back(std::move(parameter));
        skip();
        if (!next().is(",")) break;
        skip();
    }
    if (!next().is(":")) return fail("a colon behind the names of a lambda");
    skip();
    std::optional<Node> value = readExpression();
    if (!value) return std::nullopt;
    lambda.items.push_back(*std::move(value));
    return lambda;
}

// What stands between [ and ]: a key, a slice, or several with commas.
std::optional<Node> TreeReader::readSubscript() {
    std::optional<Node> part = readSubscriptPart();
    if (!part || !next().is(",")) return part;
    Node tuple;
    tuple.kind = Node::Kind::kTuple;
    tuple.line = part->line;
    tuple.column = part->column;
    tuple.items.push_back(*std::move(part));
    while (next().is(",")) {
        skip();
        if (next().is("]")) break;
        part = readSubscriptPart();
        if (!part) return std::nullopt;
        tuple.items.push_back(*std::move(part));
    }
    return tuple;
}

std::optional<Node> TreeReader::readSubscriptPart() {
    Node slice;
    slice.kind = Node::Kind::kSlice;
    slice.line = next().line;
    slice.column = next().column;
    bool colon = false;
    for (int part = 0; part < 3; ++part) {
        Node value;  // None
        if (!next().is(":") && !next().is("]") && !next().is(",")) {
            std::optional<Node> read = readExpression();
            if (!read) return std::nullopt;
            value = *std::move(read);
        } else if (part == 0 && !next().is(":")) {
            return fail("a value");
        }
        slice.items.push_back(std::move(value));
        if (!next().is(":")) break;
        colon = true;
        skip();
    }
    if (!colon) {
        Node key = std::move(slice.items.front());
        return key;
    }
    slice.items.resize(3);
    return slice;
}

std::optional<Node> TreeReader::readBinary(int level) {
    if (level == static_cast<int>(levels().size())) return readUnary();
    if (level == kComparison && next().is("not")) {
        Node node;
        node.kind = Node::Kind::kOperation;
        node.text = "not";
        node.line = next().line;
        node.column = next().column;
        skip();
        if (next().is("not")) return fail("one not");
        std::optional<Node> operand = readBinary(level);
        if (!operand) return std::nullopt;
        node.items.push_back(*std::move(operand));
        return node;
    }
    std::optional<Node> left = readBinary(level + 1);
    const auto& signs = levels()[static_cast<std::size_t>(level)];
    const auto isSign = [&](const Token& token) {
        return token.kind != Token::Kind::kText && std::find(signs.begin(), signs.end(), token.text) != signs.end();
    };
    std::optional<Node> chain;  // a < b < c: a < b and b < c
    int operands = 1;
    while (left && isSign(next())) {
        if (++operands > 1000) return fail("at most 1000 operands");
        const Token sign = next();
        skip();
        std::optional<Node> right = readBinary(level + 1);
        if (!right) return std::nullopt;
        Node node;
        node.kind = Node::Kind::kOperation;
        node.text = sign.text;
        node.line = left->line;
        node.column = left->column;
        if (level == kComparison) {
            if (chain && operands > kDeepestNesting) return fail("fewer comparisons");
            Node rightmost;
            if (isSign(next())) {  // which is compared with what follows, too
                constexpr std::size_t kMostCopied = 10000;
                copied_ += countNodes(*right);
                if (copied_ > kMostCopied) return fail("fewer comparisons");
                rightmost = *right;
            }
            pair(node, *std::move(left), *std::move(right));
            if (chain) {
                Node both;
                both.kind = Node::Kind::kOperation;
                both.text = "and";
                both.line = chain->line;
                both.column = chain->column;
                pair(both, *std::move(chain), std::move(node));
                chain = std::move(both);
            } else {
                chain = std::move(node);
            }
            left = std::move(rightmost);
            continue;
        }
        if (operands > kDeepestNesting) return fail("at most " + std::to_string(kDeepestNesting) + " operands");
        pair(node, *std::move(left), *std::move(right));
        left = std::move(node);
    }
    if (left && chain) return chain;
    return left;
}

std::optional<Node> TreeReader::readUnary() {
    if (!next().is("-") && !next().is("+")) return readPower();
    if (depth_ >= kDeepestNesting) return fail("fewer signs");
    Node node;
    node.kind = Node::Kind::kOperation;
    node.text = next().text;
    node.line = next().line;
    node.column = next().column;
    skip();
    ++depth_;
    std::optional<Node> operand = readUnary();
    --depth_;
    if (!operand) return std::nullopt;
    node.items.push_back(*std::move(operand));
    return node;
}

std::optional<Node> TreeReader::readPower() {
    std::optional<Node> base = readPostfix();
    if (!base || !next().is("**")) return base;
    skip();
    if (depth_ >= kDeepestNesting) return fail("fewer powers");
    ++depth_;
    std::optional<Node> exponent = readUnary();
    --depth_;
    if (!exponent) return std::nullopt;
    Node node;
    node.kind = Node::Kind::kOperation;
    node.text = "**";
    node.line = base->line;
    node.column = base->column;
    pair(node, *std::move(base), *std::move(exponent));
    return node;
}

std::optional<Node> TreeReader::readPostfix() {
    std::optional<Node> node = readAtom();
    for (int links = 0; node; ++links) {
        if (links > kDeepestNesting) return fail("at most " + std::to_string(kDeepestNesting) + " calls in a chain");
        if (next().is(".")) {
            skip();
            if (next().kind != Token::Kind::kName) return fail("a name after the dot");
            if (node->kind == Node::Kind::kName) {
                node->text += "." + next().text;
            } else {
                Node attribute;
                attribute.kind = Node::Kind::kAttribute;
                attribute.text = next().text;
                attribute.line = next().line;
                attribute.column = next().column;
                attribute.items.push_back(*std::move(node));
                node = std::move(attribute);
            }
            skip();
        } else if (next().is("(")) {
            node = readCall(*std::move(node));
        } else if (next().is("[")) {
            Node index;
            index.kind = Node::Kind::kIndex;
            index.line = node->line;
            index.column = node->column;
            skip();
            std::optional<Node> key = readSubscript();
            if (!key) return std::nullopt;
            if (!next().is("]")) return fail("]");
            skip();
            pair(index, *std::move(node), *std::move(key));
            node = std::move(index);
        } else {
            return node;
        }
    }
    return node;
}

std::optional<Node> TreeReader::readCall(Node callee) {
    Node call;
    call.kind = Node::Kind::kCall;
    call.line = callee.line;
    call.column = callee.column;
    call.items.push_back(std::move(callee));
    skip();
    while (!next().is(")")) {
        std::string keyword;
        if (next().is("*") || next().is("**")) {
            keyword = next().text;
            skip();
        } else if (next().kind == Token::Kind::kName && tokens_[at_ + 1].is("=")) {
            keyword = next().text;
            skip();
            skip();
        }
        std::optional<Node> value = readExpression();
        if (!value) return std::nullopt;
        call.items.push_back(*std::move(value));
        call.keywords.push_back(std::move(keyword));
        if (next().is(",")) {
            skip();
        } else if (!next().is(")")) {
            return fail(", or )");
        }
    }
    call.last_line = next().line;
    skip();
    return call;
}

bool TreeReader::readItems(std::string_view end, Node& holder, bool& comma) {
    comma = false;
    while (!next().is(end)) {
        std::optional<Node> item = readExpression();
        if (!item) return false;
        holder.items.push_back(*std::move(item));
        if (next().is(",")) {
            comma = true;
            skip();
        } else if (!next().is(end)) {
            fail(", or " + std::string(end));
            return false;
        }
    }
    skip();
    return true;
}

std::optional<Node> TreeReader::readDict() {
    Node dict;
    dict.kind = Node::Kind::kDict;
    dict.line = next().line;
    dict.column = next().column;
    skip();
    while (!next().is("}")) {
        std::optional<Node> key = readExpression();
        if (!key) return std::nullopt;
        if (!next().is(":")) return fail(":");
        skip();
        std::optional<Node> value = readExpression();
        if (!value) return std::nullopt;
        dict.items.push_back(*std::move(key));
        dict.items.push_back(*std::move(value));
        if (next().is(",")) {
            skip();
        } else if (!next().is("}")) {
            return fail(", or }");
        }
    }
    skip();
    return dict;
}

std::optional<Node> TreeReader::readNumber(const Token& token) {
    Node node;
    node.line = token.line;
    node.column = token.column;
    const char *begin = token.text.data(), *end = begin + token.text.size();
    const bool based = token.text.size() > 2 && token.text[0] == '0' && std::isalpha(static_cast<unsigned char>(token.text[1])) != 0;
    const char base = based ? static_cast<char>(std::tolower(token.text[1])) : 'd';
    const int radix = base == 'x' ? 16 : base == 'o' ? 8 : base == 'b' ? 2 : 10;
    if (const auto whole = std::from_chars(begin + (radix == 10 ? 0 : 2), end, node.whole, radix);
        whole.ec == std::errc() && whole.ptr == end) {
        node.kind = Node::Kind::kInt;
    } else if (const auto real = std::from_chars(begin, end, node.real); real.ec == std::errc() && real.ptr == end) {
        node.kind = Node::Kind::kReal;
        node.whole = 0;
    } else {
        return fail("a number");
    }
    skip();
    return node;
}

std::optional<Node> TreeReader::readAtom() {
    const Token token = next();
    Node node;
    node.line = token.line;
    node.column = token.column;
    if (token.kind == Token::Kind::kNumber) return readNumber(token);
    if (token.kind == Token::Kind::kText) {
        node.kind = Node::Kind::kText;
        for (; next().kind == Token::Kind::kText; skip()) node.text += next().text;
        return next().kind == Token::Kind::kFormatted ? fail("a plain text") : std::optional(node);
    }
    if (token.kind == Token::Kind::kFormatted) return fail("a plain text");
    if (token.kind == Token::Kind::kName) {
        static constexpr std::array<std::string_view, 19> kKeywords{"lambda", "for",  "if",  "else",  "yield", "await", "async",
                                                                    "not",    "and",  "or",  "in",    "is",    "def",   "class",
                                                                    "return", "with", "del", "while", "import"};
        if (std::find(kKeywords.begin(), kKeywords.end(), token.text) != kKeywords.end()) return fail("a value");
        skip();
        if (token.text == "True" || token.text == "False") {
            node.kind = Node::Kind::kBool;
            node.flag = token.text == "True";
        } else if (token.text != "None") {
            node.kind = Node::Kind::kName;
            node.text = token.text;
        }
        return node;
    }
    if (token.is("...")) {
        node.kind = Node::Kind::kName;
        node.text = "...";
        skip();
        return node;
    }
    if (token.is("{")) return readDict();
    if (token.is("[")) {
        node.kind = Node::Kind::kList;
        skip();
        bool comma = false;
        return readItems("]", node, comma) ? std::optional(std::move(node)) : std::nullopt;
    }
    if (token.is("(")) {
        node.kind = Node::Kind::kTuple;
        skip();
        bool comma = false;
        if (!readItems(")", node, comma)) return std::nullopt;
        if (node.items.size() == 1 && !comma) {
            Node inner = std::move(node.items.front());
            return inner;
        }
        return node;
    }
    return fail("a value");
}

std::optional<Node> readTree(const std::vector<Token>& tokens, std::size_t from, Fault& fault) {
    TreeReader reader(tokens, from);
    std::optional<Node> node = reader.readExpressions();
    if (node && reader.next().kind != Token::Kind::kEnd) {
        fault = {reader.next().line, reader.next().column, "expected the end of the line, got " + shown(reader.next())};
        return std::nullopt;
    }
    if (!node) fault = reader.fault();
    return node;
}

std::optional<Node> readAugmented(TreeReader& reader, const Node& target) {
    static constexpr std::array<std::string_view, 7> kSigns{"+=", "-=", "*=", "/=", "//=", "%=", "**="};
    const Token& sign = reader.next();
    if (sign.kind != Token::Kind::kSymbol || std::find(kSigns.begin(), kSigns.end(), sign.text) == kSigns.end()) return std::nullopt;
    Node node;
    node.kind = Node::Kind::kOperation;
    node.text = sign.text.substr(0, sign.text.size() - 1);
    node.line = target.line;
    node.column = target.column;
    reader.skip();
    std::optional<Node> value = reader.readExpressions();
    if (!value) return std::nullopt;
    pair(node, target, *std::move(value));
    return node;
}

std::optional<Node> fold(const Node& node, const Bindings& bindings) {
    std::size_t room = kMostNodes + countNodes(node);
    Node folded = foldNode(node, bindings, room);
    constexpr int kDeepest = 4 * kDeepestNesting;  // trees are copied and read by code that calls itself
    return room == 0 || depthOf(folded) > kDeepest ? std::nullopt : std::optional(std::move(folded));
}

std::string_view lastPart(std::string_view dotted) {
    const std::size_t dot = dotted.rfind('.');
    return dot == std::string_view::npos ? dotted : dotted.substr(dot + 1);
}

std::string_view calledName(const Node& node) {
    const bool named = node.kind == Node::Kind::kCall && node.items[0].kind == Node::Kind::kName;
    return named ? std::string_view(node.items[0].text) : std::string_view();
}

std::string nodeText(const Node& node) {
    switch (node.kind) {
        case Node::Kind::kNone:
            return "None";
        case Node::Kind::kBool:
            return node.flag ? "True" : "False";
        case Node::Kind::kInt:
            return std::to_string(node.whole);
        case Node::Kind::kReal: {
            char text[32];
            return {text, std::to_chars(text, text + sizeof text, node.real).ptr};
        }
        case Node::Kind::kText:
            return "'" + node.text.substr(0, 60) + "'";
        case Node::Kind::kName:
            return node.text.size() > kLongestName ? node.text.substr(0, kLongestName) + "…" : node.text;
        case Node::Kind::kAttribute:
            return nodeText(node.items[0]) + "." + node.text;
        case Node::Kind::kTuple:
            return "a tuple";
        case Node::Kind::kList:
            return "a list";
        case Node::Kind::kDict:
            return "a dictionary";
        case Node::Kind::kCall:
            return nodeText(node.items[0]) + "(…)";
        case Node::Kind::kIndex:
            return nodeText(node.items[0]) + "[…]";
        case Node::Kind::kOperation:
        case Node::Kind::kChoice:
        case Node::Kind::kSlice:
            return "an expression";
        case Node::Kind::kLambda:
            return "a lambda";
    }
    return {};
}

}  // namespace engine::spec::code
