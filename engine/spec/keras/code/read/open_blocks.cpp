#include "engine/spec/keras/code/read/open_blocks.h"

namespace engine::spec::code {
namespace {

// The words of an if; what every text may have around all of it is none.
std::string conditionOf(const LogicalLine& line) {
    std::string text;
    for (const Token& token : line.tokens) {
        if (token.kind == Token::Kind::kEnd || token.is(":")) continue;
        text += (text.empty() ? "" : " ") + token.text;
    }
    if (text.find("__name__") != std::string::npos) return {};
    // Each statement below has it: of one that is very long the beginning, and where it stands.
    constexpr std::size_t kLongest = 400;
    return text.size() <= kLongest ? text : text.substr(0, kLongest) + "… (line " + std::to_string(line.first_line) + ")";
}

}  // namespace

void OpenBlocks::reach(const LogicalLine& line) {
    while (!loops_.empty() && line.indent <= loops_.back()) loops_.pop_back();
    while (!functions_.empty() && line.indent <= functions_.back().indent) functions_.pop_back();
    while (!conditions_.empty() && line.indent <= conditions_.back().first) conditions_.pop_back();
}

void OpenBlocks::openCondition(const LogicalLine& line) {
    conditions_.emplace_back(line.indent, conditionOf(line));
}

void OpenBlocks::openFunction(const LogicalLine& line, const std::string& name, bool takes_arguments) {
    functions_.push_back({line.indent, name, takes_arguments});
}

Place OpenBlocks::place() const {
    if (functions_.empty()) return {!loops_.empty(), {}, false, condition()};
    return {!loops_.empty(), functions_.back().name, functions_.back().takes_arguments, condition()};
}

std::string OpenBlocks::condition() const {
    std::string text;
    for (const auto& [indent, words] : conditions_) text += (text.empty() || words.empty() ? "" : ", ") + words;
    return text;
}

}  // namespace engine::spec::code
