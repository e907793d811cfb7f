#include "engine/chaos/script.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

namespace engine::chaos {

namespace {

using std::chrono::milliseconds;

constexpr std::int64_t kLargestStep = 1'000'000'000'000;

std::vector<std::string_view> wordsOf(std::string_view line) {
    line = line.substr(0, line.find('#'));
    constexpr std::string_view kBlanks = " \t\r\v\f";
    std::vector<std::string_view> words;
    for (std::size_t begin = line.find_first_not_of(kBlanks); begin != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
        words.push_back(line.substr(begin, end - begin));
        begin = line.find_first_not_of(kBlanks, end);
    }
    return words;
}

std::string quoted(std::string_view text) {
    constexpr std::size_t kMost = 60;
    return "\"" + std::string(text.substr(0, kMost)) + (text.size() > kMost ? "...\"" : "\"");
}

std::string kindsText() {
    std::string text;
    for (const FaultTraits& kind : faultKinds()) {
        text += (text.empty() ? "" : &kind == &faultKinds().back() ? " or " : ", ") + std::string(kind.word);
    }
    return text;
}

// Reads one line's words; `problem` says what is wrong with them.
class LineReader {
public:
    explicit LineReader(std::vector<std::string_view> words) : words_(std::move(words)) {}

    std::optional<Step> read(std::string& problem) {
        const auto kind =
            std::find_if(faultKinds().begin(), faultKinds().end(), [&](const FaultTraits& one) { return one.word == words_[0]; });
        if (kind == faultKinds().end()) {
            problem = "expected " + kindsText() + ", got " + quoted(words_[0]);
            return std::nullopt;
        }
        step_.fault = usualFault(kind->kind, {});
        if (words_.size() < 2) {
            problem = std::string(kind->word) + ": expected a task behind it, such as worker:1, got nothing";
            return std::nullopt;
        }
        problem = readTasks(words_[1]);
        for (std::size_t i = 2; problem.empty() && i < words_.size(); i += 2) {
            problem = readSetting(words_[i], i + 1 < words_.size() ? std::optional(words_[i + 1]) : std::nullopt);
        }
        if (problem.empty()) problem = faultProblem(step_.fault);
        return problem.empty() ? std::optional(step_) : std::nullopt;
    }

private:
    std::string readTasks(std::string_view text) {
        const std::size_t dash = text.find('-');
        const auto task = parseTask(text.substr(0, dash));
        const auto peer = dash == std::string_view::npos ? std::nullopt : parseTask(text.substr(dash + 1));
        if (!task || (dash != std::string_view::npos && !peer)) {
            return std::string(words_[0]) + ": expected " +
                   (traits(step_.fault.kind).has_peer ? "two tasks such as worker:1-worker:0" : "a task such as worker:1") + ", got " +
                   quoted(text);
        }
        step_.fault.task = *task;
        step_.fault.peer = peer;
        return {};
    }

    std::string readSetting(std::string_view name, std::optional<std::string_view> value) {
        if (name != "after" && name != "at-step" && name != "for" && name != "by") {
            return std::string(words_[0]) + ": expected after, at-step, for or by, got " + quoted(name);
        }
        if (!seen_.insert(name).second) {
            return std::string(words_[0]) + ": expected " + std::string(name) + " once, got it twice";
        }
        if (seen_.contains("after") && seen_.contains("at-step")) {
            return std::string(words_[0]) + ": expected after or at-step, got both";
        }
        if (name == "at-step") {
            return readStep(value);
        }
        const auto duration = value ? parseDuration(*value) : std::nullopt;
        if (!duration || (*duration < milliseconds(0) && name != "by")) {
            return std::string(name) + ": expected a time such as 20s or 500ms, up to a day, got " + (value ? quoted(*value) : "nothing");
        }
        (name == "after" ? step_.after : name == "for" ? step_.fault.lasting : step_.fault.amount) = *duration;
        return {};
    }

    std::string readStep(std::optional<std::string_view> value) {
        std::int64_t step = 0;
        const char* const end = value ? value->data() + value->size() : nullptr;
        if (const auto read =
                value ? std::from_chars(value->data(), end, step) : std::from_chars_result{nullptr, std::errc::invalid_argument};
            read.ec != std::errc() || read.ptr != end || step < 1 || step > kLargestStep) {
            return "at-step: expected the number of a step, from 1, got " + (value ? quoted(*value) : "nothing");
        }
        step_.at_step = step;
        return {};
    }

    const std::vector<std::string_view> words_;  // at least one
    std::set<std::string_view> seen_;
    Step step_;
};

}  // namespace

ReadScript readScript(std::string_view text) {
    ReadScript read;
    int number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const auto words = wordsOf(text.substr(begin, end - begin));
        begin = end + 1;
        ++number;
        if (words.empty()) {
            continue;
        }
        const std::string place = "line " + std::to_string(number);
        if (read.steps.size() == kMostSteps) {
            read.problems.push_back(
                {spec::Severity::kError, place, "expected up to " + std::to_string(kMostSteps) + " faults, got more", ""});
            break;
        }
        std::string problem;
        if (auto step = LineReader(words).read(problem)) {
            read.steps.push_back(std::move(*step));
        } else {
            read.problems.push_back({spec::Severity::kError, place, std::move(problem), ""});
        }
    }
    return read;
}

std::string toText(const std::vector<Step>& steps) {
    std::string text;
    for (const Step& step : steps) {
        text += toText(step.fault);
        if (step.at_step > 0) {
            text += " at-step " + std::to_string(step.at_step);
        } else if (step.after > milliseconds(0)) {
            text += " after " + toText(step.after);
        }
        text += '\n';
    }
    return text;
}

}  // namespace engine::chaos
