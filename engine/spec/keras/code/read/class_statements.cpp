#include "engine/spec/keras/code/read/class_statements.h"

#include <algorithm>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/keras/code/printed_text.h"
#include "engine/spec/keras/code/written_parts.h"
#include "engine/spec/keras/keras_config.h"
#include "engine/spec/keras/tandem_classes.h"

namespace engine::spec::code {
namespace {

// The body of the class is what exported code has, whatever stands around it.
bool isExportedClass(const std::vector<LogicalLine>& lines, const std::vector<LogicalLine>& ours, std::size_t head, std::size_t end) {
    constexpr std::size_t kHead = 2;  // the decorator and the class statement
    const auto same = [](const LogicalLine& a, const LogicalLine& b) {
        return std::equal(a.tokens.begin(), a.tokens.end(), b.tokens.begin(), b.tokens.end(),
                          [](const Token& x, const Token& y) { return x.kind == y.kind && x.text == y.text; });
    };
    return std::equal(lines.begin() + static_cast<std::ptrdiff_t>(head) + 1, lines.begin() + static_cast<std::ptrdiff_t>(end),
                      ours.begin() + static_cast<std::ptrdiff_t>(kHead), ours.end(), same);
}

}  // namespace

std::size_t ClassStatements::read(const std::vector<LogicalLine>& lines, std::size_t head) {
    const std::size_t end = endOfBlock(lines, head);
    const LogicalLine& line = lines[head];
    const std::string name = line.tokens[1].text;
    const CodeLines range{line.first_line, lines[end - 1].last_line};
    if (isOfTandem(name)) {
        const bool is_decorated = head > 0 && lines[head - 1].tokens[0].is("@");
        reading_.classes[name] = {is_decorated ? lines[head - 1].first_line : range.first, range.last};
        own_classes_.erase(name);
        const auto [ours, is_new] = exported_.try_emplace(name);
        if (is_new) ours->second = splitCode(tandemClassText(name));
        if (!isExportedClass(lines, ours->second, head, end)) own_classes_.insert(name);
    }
    if (name == "PrintLR") {
        reading_.print_lr = {range};
        fit_.setPrinted(readPrinted(lines, head, end));
    }
    const bool hooks = std::any_of(line.tokens.begin() + 1, line.tokens.end(),
                                   [](const Token& token) { return token.kind == Token::Kind::kName && token.text == "SessionRunHook"; });
    if (hooks) {
        notes_.add(Severity::kWarning, range, line.indent + 1, name + ": expected no SessionRunHook, got one: a run calls none here");
    } else if (findSchema(callbackSchemas(), name) == nullptr && !isOfTandem(name)) {
        notes_.add(Severity::kInfo, range, line.indent + 1, "no part of the model");
    }
    return end;
}

void ClassStatements::check() {
    for (const auto& entry : reading_.classes) {
        const std::string& name = entry.first;
        const CodeLines range = entry.second;
        const bool is_used = !reading_.layers.empty() && !writeClassPart(reading_.run, name, {}).empty();
        if (own_classes_.contains(name) && is_used) {
            notes_.add(Severity::kError, range, 1, "expected the class " + name + " as exported code defines it, got another one");
        }
        std::erase_if(reading_.notes, [&](const CodeNote& note) {  // of its decorator
            return note.severity == Severity::kInfo && range.first <= note.lines.first && note.lines.last <= range.last;
        });
    }
}

}  // namespace engine::spec::code
