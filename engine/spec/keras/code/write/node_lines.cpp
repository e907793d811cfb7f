#include "engine/spec/keras/code/write/node_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

#include "engine/spec/keras/code/written_parts.h"
#include "engine/spec/keras/python/python_literal.h"

namespace engine::spec::code {
namespace {

std::string joined(const std::vector<Node>& items) {
    std::string text;
    for (const Node& item : items) text += (text.empty() ? "" : ", ") + nodeLine(item);
    return text;
}

std::size_t columns(std::string_view text) {  // of its last line; a character of UTF-8 counts once
    const std::string_view last = text.substr(text.rfind('\n') + 1);
    return static_cast<std::size_t>(
        std::count_if(last.begin(), last.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string pythonNumber(double value) {
    if (std::isnan(value)) return "float('nan')";
    if (std::isinf(value)) return value < 0 ? "-float('inf')" : "float('inf')";
    std::array<char, 40> buffer{};
    const auto text = [&](std::chars_format format) {
        const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format);
        return end.ec == std::errc() ? std::string(buffer.data(), end.ptr) : std::string();
    };
    std::string power = text(std::chars_format::scientific);
    if (const std::size_t e = power.find('e'); e != std::string::npos) {  // 1e-03 -> 1e-3, 2e+06 -> 2e6
        std::string exponent = power.substr(e + 1);
        const bool negative = exponent[0] == '-';
        exponent.erase(0, std::min(exponent.find_first_not_of("+-0"), exponent.size() - 1));
        power = power.substr(0, e) + (negative ? "e-" : "e") + exponent;
    }
    std::string plain = text(std::chars_format::fixed);
    if (plain.find('.') == std::string::npos && !plain.empty()) plain += ".0";
    return plain.empty() || power.size() < plain.size() ? power : plain;
}

std::string argumentLine(const Node& call, std::size_t i) {
    const std::string& keyword = call.keywords[i];
    return (keyword.empty() ? "" : keyword + "=") + nodeLine(call.items[i + 1]);
}

std::string nodeLine(const Node& node) {
    switch (node.kind) {
        case Node::Kind::kReal:
            return pythonNumber(node.real);
        case Node::Kind::kText:
            return pythonText(node.text);
        case Node::Kind::kTuple:
            return "(" + joined(node.items) + (node.items.size() == 1 ? ",)" : ")");
        case Node::Kind::kList:
            return "[" + joined(node.items) + "]";
        case Node::Kind::kDict: {
            std::string text;
            for (std::size_t i = 0; i + 1 < node.items.size(); i += 2) {
                text += (i == 0 ? "" : ", ") + nodeLine(node.items[i]) + ": " + nodeLine(node.items[i + 1]);
            }
            return "{" + text + "}";
        }
        case Node::Kind::kCall: {
            std::string text;
            for (std::size_t i = 0; i < node.keywords.size(); ++i) text += (i == 0 ? "" : ", ") + argumentLine(node, i);
            return node.items[0].text + "(" + text + ")";
        }
        default:
            return nodeText(node);
    }
}

void Printer::append(std::string& text, const std::string& prefix, const Node& node, int indent, const std::string& behind) const {
    const std::string line = prefix + nodeLine(node);
    const std::size_t room = static_cast<std::size_t>(std::max(layout_.width, 20));
    if (columns(text) + columns(line) + behind.size() <= room) {
        text += line + behind;
        return;
    }
    text += prefix;
    if (node.kind == Node::Kind::kCall && !node.keywords.empty()) {
        appendCall(text, node, indent, behind);
    } else if ((node.kind == Node::Kind::kList || node.kind == Node::Kind::kTuple) && !node.items.empty()) {
        appendList(text, node, indent, behind);
    } else {
        text += nodeLine(node) + behind;
    }
}

void Printer::appendCall(std::string& text, const Node& call, int indent, const std::string& behind) const {
    std::string name = call.items[0].text;
    const std::size_t room = static_cast<std::size_t>(std::max(layout_.width, 20));
    int inner = indent + layout_.indent;
    // A long name is broken before its last dot: brackets stand around it.
    if (columns(text) + name.size() + 1 > room && name.find('.') != std::string::npos) {
        const std::size_t dot = name.rfind('.');
        text += name.substr(0, dot) + "\n" + spaces(inner);
        name.erase(0, dot);
        inner += layout_.indent;
    }
    text += name + "(";
    const std::size_t hang = columns(text);
    bool fills = true;
    for (std::size_t i = 0; i < call.keywords.size(); ++i) fills = fills && hang + argumentLine(call, i).size() + 1 + behind.size() <= room;
    if (fills) {
        for (std::size_t i = 0; i < call.keywords.size(); ++i) {
            const std::string argument = argumentLine(call, i);
            const bool last = i + 1 == call.keywords.size();
            const std::string end = last ? ")" + behind : ",";
            if (i > 0) {
                const bool fits = columns(text) + 1 + argument.size() + end.size() <= room;
                text += fits ? " " : "\n" + spaces(static_cast<int>(hang));
            }
            text += argument + end;
        }
        return;
    }
    for (std::size_t i = 0; i < call.keywords.size(); ++i) {
        const bool last = i + 1 == call.keywords.size();
        text += "\n" + spaces(inner);
        append(text, call.keywords[i].empty() ? "" : call.keywords[i] + "=", call.items[i + 1], inner, last ? ")" + behind : ",");
    }
}

void Printer::appendList(std::string& text, const Node& list, int indent, const std::string& behind) const {
    const bool tuple = list.kind == Node::Kind::kTuple;
    const std::string end = tuple ? (list.items.size() == 1 ? ",)" : ")") : "]";
    text += tuple ? "(" : "[";
    const int inner = indent + layout_.indent;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        text += "\n" + spaces(inner);
        append(text, "", list.items[i], inner, i + 1 == list.items.size() ? end + behind : ",");
    }
}

std::string argumentBlock(const Node& call, std::size_t i, const CodeLayout& layout, int column) {
    std::string text(static_cast<std::size_t>(std::max(column, 0)), ' ');
    Printer(layout).append(text, call.keywords[i].empty() ? "" : call.keywords[i] + "=", call.items[i + 1], column, "");
    return text.substr(static_cast<std::size_t>(std::max(column, 0)));
}

std::string statementLines(const std::string& prefix, const Node& node, const CodeLayout& layout) {
    std::string text;
    Printer(layout).append(text, prefix, node, 0, "");
    return text + "\n";
}

}  // namespace engine::spec::code
