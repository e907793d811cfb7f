#include "engine/spec/keras/code/update/source_text.h"

#include <algorithm>
#include <utility>

#include "engine/spec/keras/code/code_document.h"
#include "engine/spec/keras/python/read_work.h"

namespace engine::spec::code {
namespace {

constexpr std::size_t kMarkEvery = 64;

bool isContinuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;  // of a character in UTF-8
}

}  // namespace

SourceText::SourceText(std::string_view text) : text_(text), lines_(splitLines(text)) {
    starts_.push_back(0);
    characters_.push_back(0);
    std::size_t characters = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!isContinuation(text[i])) {
            if (characters % kMarkEvery == 0) marks_.push_back(i);
            ++characters;
        }
        if (text[i] != '\n') continue;
        starts_.push_back(i + 1);
        characters_.push_back(characters);
    }
}

std::size_t SourceText::byteOf(int line, int column) const {
    if (line < 1 || static_cast<std::size_t>(line) > starts_.size()) return text_.size();
    if (column <= 1) return starts_[static_cast<std::size_t>(line) - 1];
    const std::size_t character = characters_[static_cast<std::size_t>(line) - 1] + static_cast<std::size_t>(column) - 1;
    if (character / kMarkEvery >= marks_.size()) return text_.size();
    std::size_t at = marks_[character / kMarkEvery];
    for (std::size_t i = 0; i < character % kMarkEvery && at < text_.size(); ++i) {
        ++readOfThisThread();
        ++at;
        while (at < text_.size() && isContinuation(text_[at])) ++at;
    }
    return at;
}

std::size_t SourceText::endOfLine(int line) const {
    return static_cast<std::size_t>(line) < starts_.size() ? starts_[static_cast<std::size_t>(line)] : text_.size();
}

std::size_t SourceText::indentOf(int line) const {
    const std::size_t begin = beginOfLine(line), first = text_.find_first_not_of(' ', begin);
    return std::min(first, text_.size()) - begin;
}

std::optional<SourceCall> SourceText::findCall(const CodeLines& at, std::string_view verb,
                                               const std::vector<std::string>& positional) const {
    for (const LogicalLine& line : lines_) {
        if (line.first_line < at.first || line.first_line > at.last) continue;
        if (const std::size_t open = openOf(line, verb); open > 0) return readCall(line, open, positional);
    }
    return std::nullopt;
}

std::size_t SourceText::openOf(const LogicalLine& line, std::string_view verb) {
    for (std::size_t i = 0; i + 1 < line.tokens.size(); ++i) {
        ++readOfThisThread();
        if (line.tokens[i].kind == Token::Kind::kName && line.tokens[i].is(verb) && line.tokens[i + 1].is("(")) return i + 1;
    }
    return 0;
}

std::optional<SourceCall> SourceText::callAt(CodePlace at, const std::vector<std::string>& positional) const {
    for (const LogicalLine& line : lines_) {
        for (std::size_t i = 0; i < line.tokens.size(); ++i) {
            if (line.tokens[i].line != at.line || line.tokens[i].column != at.column) continue;
            std::size_t open = i + 1;
            while (open + 1 < line.tokens.size() && line.tokens[open].is(".")) open += 2;
            if (open < line.tokens.size() && line.tokens[open].is("(")) return readCall(line, open, positional);
        }
    }
    return std::nullopt;
}

std::optional<TextEdit> SourceText::argumentAt(CodePlace at) const {
    for (const LogicalLine& line : lines_) {
        for (std::size_t i = 0; i < line.tokens.size(); ++i) {
            if (line.tokens[i].line != at.line || line.tokens[i].column != at.column) continue;
            int depth = 0;
            for (std::size_t end = i; end < line.tokens.size(); ++end) {
                const Token& token = line.tokens[end];
                if (depth == 0 && (token.is(",") || token.is(")")) && token.kind == Token::Kind::kSymbol) {
                    return TextEdit{byteOf(at.line, at.column), trimmed(byteOf(token.line, token.column)), {}};
                }
                depth += opens(token);
                depth -= closes(token);
            }
        }
    }
    return std::nullopt;
}

std::vector<SourceCall> SourceText::callsBehind(const CodeLines& lines, std::string_view verb,
                                                const std::vector<std::string>& positional) const {
    std::vector<SourceCall> calls;
    for (const LogicalLine& line : lines_) {
        if (line.first_line <= lines.last) continue;
        const std::size_t open = openOf(line, verb);
        if (auto call = open > 0 ? readCall(line, open, positional) : std::nullopt) calls.push_back(*std::move(call));
    }
    return calls;
}

std::optional<SourceText::Assigned> SourceText::valueOf(std::string_view name) const {
    std::optional<Assigned> found;
    for (const LogicalLine& line : lines_) {
        const auto& tokens = line.tokens;
        const auto sign = std::find_if(tokens.begin(), tokens.end(), [](const Token& token) { return token.text.ends_with('='); });
        const auto has = [&](std::string_view text) {
            return std::any_of(tokens.begin(), sign, [&](const Token& token) { return token.is(text); });
        };
        if (sign == tokens.end() || !has(name) || has("(")) continue;  // behind a bracket it is an argument
        if (found || sign != tokens.begin() + 1 || !sign->is("=") || tokens.back().kind != Token::Kind::kEnd) return std::nullopt;
        const Token &first = *(sign + 1), &end = tokens.back();
        found = {{byteOf(first.line, first.column), trimmed(byteOf(end.line, end.column)), {}}, {sign + 1, tokens.end() - 1}};
    }
    return found;
}

int SourceText::opens(const Token& token) {
    return token.kind == Token::Kind::kSymbol && (token.is("(") || token.is("[") || token.is("{")) ? 1 : 0;
}

int SourceText::closes(const Token& token) {
    return token.kind == Token::Kind::kSymbol && (token.is(")") || token.is("]") || token.is("}")) ? 1 : 0;
}

std::size_t SourceText::trimmed(std::size_t end) const {
    while (end > 0 && (text_[end - 1] == ' ' || text_[end - 1] == '\n' || text_[end - 1] == '\t' || text_[end - 1] == '\r')) --end;
    return end;
}

std::optional<SourceCall> SourceText::readCall(const LogicalLine& line, std::size_t open,
                                               const std::vector<std::string>& positional) const {
    const auto& tokens = line.tokens;
    SourceCall call;
    std::size_t first = open - 1;
    while (first >= 2 && tokens[first - 1].is(".") && tokens[first - 2].kind == Token::Kind::kName) first -= 2;
    call.begin = byteOf(tokens[first].line, tokens[first].column);
    call.open = byteOf(tokens[open].line, tokens[open].column) + 1;
    int depth = 0;
    std::size_t begin = open + 1;
    for (std::size_t i = open + 1; i < tokens.size(); ++i) {
        const bool end = depth == 0 && closes(tokens[i]) != 0;
        if ((end || (depth == 0 && tokens[i].is(",") && tokens[i].kind == Token::Kind::kSymbol)) && i > begin) {
            SourceCall::Argument argument;
            const bool named = tokens[begin].kind == Token::Kind::kName && tokens[begin + 1].is("=");
            if (named) argument.name = tokens[begin].text;
            if (!named && call.arguments.size() < positional.size()) argument.name = positional[call.arguments.size()];
            argument.begin = byteOf(tokens[begin].line, tokens[begin].column);
            argument.end = trimmed(byteOf(tokens[i].line, tokens[i].column));
            argument.column = tokens[begin].column;
            argument.begins_line = tokens[begin - 1].line < tokens[begin].line;
            argument.tokens.assign(tokens.begin() + static_cast<std::ptrdiff_t>(begin), tokens.begin() + static_cast<std::ptrdiff_t>(i));
            call.arguments.push_back(std::move(argument));
        }
        if (end) {
            call.close = byteOf(tokens[i].line, tokens[i].column);
            return call;
        }
        if (depth == 0 && tokens[i].is(",")) begin = i + 1;
        depth += opens(tokens[i]);
        depth -= closes(tokens[i]);
    }
    return std::nullopt;
}

}  // namespace engine::spec::code
