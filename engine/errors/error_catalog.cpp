#include "engine/errors/error_catalog.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "engine/errors/kinds/kinds.h"

namespace engine::errors {
namespace {

constexpr std::string_view kError = "error: ", kWarning = "warning: ", kInfo = "info: ";
constexpr std::string_view kOther = "TDM-U004";

struct Pattern {
    std::string_view text;
    std::size_t weight = 0;  // characters other than *
    const ErrorKind* kind = nullptr;
};

std::string_view withoutWord(std::string_view sentence) {
    for (const std::string_view word : {kError, kWarning, kInfo}) {
        if (sentence.starts_with(word)) return sentence.substr(word.size());
    }
    return sentence;
}

// Those that say most first, so that the first that fits is the one.
std::vector<Pattern> sortedPatterns() {
    std::vector<Pattern> all;
    for (const ErrorKind* kind : errorKinds()) {
        for (std::size_t begin = 0; begin < kind->sentences.size();) {
            const std::size_t end = std::min(kind->sentences.find('\n', begin), kind->sentences.size());
            const std::string_view text = kind->sentences.substr(begin, end - begin);
            if (!text.empty()) all.push_back({text, text.size() - static_cast<std::size_t>(std::ranges::count(text, '*')), kind});
            begin = end + 1;
        }
    }
    std::ranges::stable_sort(all, [](const Pattern& a, const Pattern& b) { return a.weight > b.weight; });
    return all;
}

// What stands in brackets and is no code of ours may be a user's word.
bool hasCode(std::string_view line) {
    constexpr std::string_view kBegin = "(TDM-";
    for (std::size_t at = line.find(kBegin); at != std::string_view::npos; at = line.find(kBegin, at + 1)) {
        const std::size_t end = line.find(')', at);
        if (end != std::string_view::npos && findKind(line.substr(at + 1, end - at - 1)) != nullptr) return true;
    }
    return false;
}

}  // namespace

Language languageOf(std::string_view name) {
    return name.starts_with("ko") ? Language::kKorean : name.starts_with("zh") ? Language::kChinese : Language::kEnglish;
}

std::string_view textOf(const Texts& texts, Language language) {
    return language == Language::kKorean ? texts.korean : language == Language::kChinese ? texts.chinese : texts.english;
}

const std::vector<const ErrorKind*>& errorKinds() {
    static const std::vector<const ErrorKind*> all = [] {
        std::vector<const ErrorKind*> kinds;
        for (const std::span<const ErrorKind> some :
             {kinds::ofProjects(), kinds::ofModels(), kinds::ofData(), kinds::ofTraining(), kinds::ofStrategies(), kinds::ofClusters(),
              kinds::ofWeights(), kinds::ofRuns(), kinds::ofHosts(), kinds::ofEngines(), kinds::ofUsage()}) {
            for (const ErrorKind& kind : some) kinds.push_back(&kind);
        }
        return kinds;
    }();
    return all;
}

const ErrorKind* findKind(std::string_view code) {
    std::string wanted;
    for (const char c : code) wanted += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (!wanted.starts_with("TDM-")) wanted.insert(0, "TDM-");
    const auto found = std::ranges::find_if(errorKinds(), [&](const ErrorKind* kind) { return kind->code == wanted; });
    return found == errorKinds().end() ? nullptr : *found;
}

const ErrorKind* kindOf(std::string_view sentence) {
    static const std::vector<Pattern> patterns = sortedPatterns();
    // An error as it was printed says its kind itself.
    if (const std::size_t code = sentence.rfind(" (TDM-"); code != std::string_view::npos && sentence.ends_with(')')) {
        if (const ErrorKind* kind = findKind(sentence.substr(code + 2, sentence.size() - code - 3))) return kind;
    }
    const std::string_view said = withoutWord(sentence);
    // What mends a finding stands in brackets behind it: "… got none [Add a worker.]". A shape may stand there, too.
    const std::size_t fix = said.ends_with(']') ? said.rfind(" [") : std::string_view::npos;
    const auto found = std::ranges::find_if(patterns, [&](const Pattern& pattern) {
        return fits(pattern.text, said) || (fix != std::string_view::npos && fits(pattern.text, said.substr(0, fix)));
    });
    return found == patterns.end() ? nullptr : found->kind;
}

const ErrorKind* kindOf(std::string_view path, std::string_view message) {
    return path.empty() ? kindOf(message) : kindOf(std::string(path) + ": " + std::string(message));
}

const ErrorKind& kindOrOther(std::string_view sentence) {
    const ErrorKind* kind = kindOf(sentence);
    return kind == nullptr ? *findKind(kOther) : *kind;
}

std::string withCode(std::string_view line) {
    std::string text(line);
    if (hasCode(line)) return text;
    const ErrorKind* kind = line.starts_with(kError) ? &kindOrOther(line) : kindOf(line);
    if (kind != nullptr) text.append(" (").append(kind->code).append(")");
    return text;
}

// On a mismatch everything after the last * that was met is tried again one character further on: only one place has to be remembered.
bool fits(std::string_view pattern, std::string_view text) {
    std::size_t p = 0, t = 0, star = std::string_view::npos, behind = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            behind = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++behind;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace engine::errors
