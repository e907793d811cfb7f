#include "engine/spec/keras/python/python_tree.h"
#include "engine/spec/keras/code/code_document.h"
#include "engine/spec/keras/python/python_literal.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace engine::spec::code {
namespace {

// A tree as text with every bracket: "(1 + (2 * 3))", "f(a, k=[1, 2])".
std::string printed(const Node& node) {
    std::string out;
    const auto list = [&](std::size_t from) {
        std::string items;
        for (std::size_t i = from; i < node.items.size(); ++i) {
            items += (i == from ? "" : ", ");
            const bool named = node.kind == Node::Kind::kCall && i > 0 && !node.keywords[i - 1].empty();
            if (named) items += node.keywords[i - 1] + "=";
            items += printed(node.items[i]);
        }
        return items;
    };
    switch (node.kind) {
        case Node::Kind::kTuple:
            return "(" + list(0) + (node.items.size() == 1 ? ",)" : ")");
        case Node::Kind::kList:
            return "[" + list(0) + "]";
        case Node::Kind::kDict:
            for (std::size_t i = 0; i + 1 < node.items.size(); i += 2)
                out += (i == 0 ? "" : ", ") + printed(node.items[i]) + ": " + printed(node.items[i + 1]);
            return "{" + out + "}";
        case Node::Kind::kCall:
            return printed(node.items[0]) + "(" + list(1) + ")";
        case Node::Kind::kAttribute:
            return printed(node.items[0]) + "." + node.text;
        case Node::Kind::kIndex:
            return printed(node.items[0]) + "[" + printed(node.items[1]) + "]";
        case Node::Kind::kSlice:
            return printed(node.items[0]) + ":" + printed(node.items[1]) + ":" + printed(node.items[2]);
        case Node::Kind::kOperation:
            if (node.items.size() == 1) return "(" + node.text + " " + printed(node.items[0]) + ")";
            return "(" + printed(node.items[0]) + " " + node.text + " " + printed(node.items[1]) + ")";
        case Node::Kind::kChoice:
            return "(" + printed(node.items[0]) + " if " + printed(node.items[1]) + " else " + printed(node.items[2]) + ")";
        case Node::Kind::kLambda:
            return "lambda";
        default:
            return nodeText(node);
    }
}

// What the line means; "line:column message" where it is no expression.
std::string readText(std::string_view text, const Bindings* bindings = nullptr) {
    const std::vector<LogicalLine> lines = splitLines(text);
    if (lines.size() != 1) return std::to_string(lines.size()) + " lines";
    Fault fault = lines[0].fault;
    std::optional<Node> tree = fault ? std::nullopt : readTree(lines[0].tokens, 0, fault);
    if (!tree) return std::to_string(fault.line) + ":" + std::to_string(fault.column) + " " + fault.message;
    if (bindings != nullptr) tree = fold(*tree, *bindings);
    return tree ? printed(*tree) : "too large";
}

TEST(PythonTree, BindsAsPythonDoes) {
    const std::pair<const char*, const char*> cases[] = {
        {"1 + 2 * 3", "(1 + (2 * 3))"},
        {"(1 + 2) * 3", "((1 + 2) * 3)"},
        {"2 ** 3 ** 2", "(2 ** (3 ** 2))"},
        {"-2 ** 2", "(- (2 ** 2))"},
        {"10 - 4 - 3", "((10 - 4) - 3)"},
        {"not a == b and c", "((not (a == b)) and c)"},
        {"a or b and c", "(a or (b and c))"},
        {"1, 2", "(1, 2)"},
        {"(1,)", "(1,)"},
        {"()", "()"},
        {"[1, [2, 3],]", "[1, [2, 3]]"},
        {"{'a': 1, 'b': None}", "{'a': 1, 'b': None}"},
        {"x if ready else y", "(x if ready else y)"},
        {"tf.keras.layers.Dense(10, activation='relu')", "tf.keras.layers.Dense(10, activation='relu')"},
        {"data.map(scale).batch(64)[0]", "data.map(scale).batch(64)[0]"},
        {"f(x)(y).z", "f(x)(y).z"},
        {"x[1:]", "x[1:None:None]"},
        {"1e-3", "0.001"},
        {"1_000", "1000"},
        {"0x10", "16"},
    };
    for (const auto& [text, tree] : cases) EXPECT_EQ(readText(text), tree) << text;
}

TEST(PythonTree, SaysWhereTheLineIsNoExpression) {
    for (const char* text : {"1 +", "f(a=1, 2", "[1, 2", "a b", "{1: }", "x if y", "f(a,, b)", ")"}) {
        const std::string fault = readText(text);
        EXPECT_EQ(fault.substr(0, 2), "1:") << text << " was read as " << fault;
        EXPECT_NE(fault.find("expected"), std::string::npos) << text << ": " << fault;
    }
}

TEST(PythonTree, DeepBracketsAreRefusedAndNotFollowed) {
    const std::string deep(100'000, '(');
    EXPECT_NE(readText(deep + "1").find("expected"), std::string::npos);
    EXPECT_NE(readText(std::string(10'000, '-') + "1").find("expected"), std::string::npos) << "signs are as deep";
}

TEST(PythonTree, FoldsConstantsAndNamesAndCallsNothing) {
    Bindings bindings;
    Node size;
    size.kind = Node::Kind::kInt;
    size.whole = 64;
    bindings["BATCH"] = size;
    EXPECT_EQ(readText("BATCH * 2", &bindings), "128");
    EXPECT_EQ(readText("7 // 2", &bindings), "3");
    EXPECT_EQ(readText("-7 // 2", &bindings), "-4") << "rounds down";
    EXPECT_EQ(readText("1 / 4", &bindings), "0.25");
    EXPECT_EQ(readText("10 if 2 > 1 else 20", &bindings), "(10 if (2 > 1) else 20)") << "a condition is not decided";
    EXPECT_EQ(readText("strategy.num_replicas_in_sync * BATCH", &bindings), "(strategy.num_replicas_in_sync * 64)") << "unknown stays";
    EXPECT_EQ(readText("[BATCH, other]", &bindings), "[64, other]");
    EXPECT_EQ(readText("len(BATCH)", &bindings), "len(64)");
    EXPECT_EQ(readText("1 // 0", &bindings), "(1 // 0)") << "Python's error is not ours to make a value of";
}

TEST(PythonTree, NamesWhatIsCalled) {
    const auto lines = splitLines("tf.keras.layers.Dense(10)");
    Fault fault;
    const auto call = readTree(lines[0].tokens, 0, fault);
    ASSERT_TRUE(call) << fault.message;
    EXPECT_EQ(calledName(*call), "tf.keras.layers.Dense");
    EXPECT_EQ(lastPart(calledName(*call)), "Dense");
    EXPECT_EQ(calledName(call->items[1]), "");
    EXPECT_FALSE(call->isConstant());
}

// A text that is written is read as it was, whatever stands in it.
TEST(PythonLiteral, WritesTextsThatReadBack) {
    EXPECT_EQ(pythonText("it's\n\\"), R"('it\'s\n\\')");
    EXPECT_EQ(pythonText("a\tb\x01"), R"('a\tb\x01')");
    EXPECT_EQ(pythonText("\xC3\xA9"), "'\xC3\xA9'");
    for (const std::string& text : {std::string(), std::string("it's \"so\""), std::string("\r\n\t\x1f\x7f"), std::string("\\x41\\")}) {
        const std::vector<LogicalLine> lines = splitCode(pythonText(text) + "\n");
        ASSERT_EQ(lines.size(), 1U) << text;
        EXPECT_FALSE(lines[0].fault) << text;
        EXPECT_EQ(lines[0].tokens[0].kind, Token::Kind::kText) << text;
        EXPECT_EQ(lines[0].tokens[0].text, text);
    }
}

}  // namespace
}  // namespace engine::spec::code
