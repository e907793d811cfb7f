#include "engine/chaos/journal_line.h"

#include <utility>

#include "engine/chaos/script.h"

namespace engine::chaos {

namespace {

constexpr std::string_view kBegin = "chaos: ";
constexpr std::string_view kOver = "over: ";

}  // namespace

std::optional<Fault> parseFault(std::string_view text) {
    ReadScript read = readScript(text);
    if (!read.problems.empty() || read.steps.size() != 1 || toText(read.steps.front().fault) != text) {
        return std::nullopt;
    }
    return std::move(read.steps.front().fault);
}

std::string journalLine(const FaultLine& line) {
    return std::string(kBegin) + std::string(line.is_over ? kOver : "") + toText(line.fault);
}

std::optional<FaultLine> parseJournalLine(std::string_view text) {
    if (!text.starts_with(kBegin)) {
        return std::nullopt;
    }
    text.remove_prefix(kBegin.size());
    const bool is_over = text.starts_with(kOver);
    text.remove_prefix(is_over ? kOver.size() : 0);
    std::optional<Fault> fault = parseFault(text);
    return fault ? std::optional(FaultLine{std::move(*fault), is_over}) : std::nullopt;
}

}  // namespace engine::chaos
