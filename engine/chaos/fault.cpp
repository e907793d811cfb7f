#include "engine/chaos/fault.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace engine::chaos {

namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr milliseconds kLongestDuration = std::chrono::hours(24);
constexpr std::array<std::string_view, 4> kJobs{"chief", "worker", "ps", "evaluator"};
constexpr int kLargestIndex = 9999;

struct Unit {
    std::string_view name;
    milliseconds length;
};
constexpr std::array<Unit, 4> kUnits{{{"ms", 1ms}, {"s", 1s}, {"m", 1min}, {"h", 1h}}};

std::optional<std::int64_t> parseNumber(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || text.empty() || text.front() == '-') {
        return std::nullopt;
    }
    return number;
}

}  // namespace

const std::vector<FaultTraits>& faultKinds() {
    static const std::vector<FaultTraits> kinds{
        {FaultKind::kKill, "kill", false, 0s, 0s, 0s, 0s},           {FaultKind::kStop, "stop", false, 5s, 0s, 0s, 0s},
        {FaultKind::kSlow, "slow", false, 10s, 20ms, 1ms, 10s},      {FaultKind::kCut, "cut", true, 5s, 0s, 0s, 0s},
        {FaultKind::kFillDisk, "fill-disk", false, 10s, 0s, 0s, 0s}, {FaultKind::kSkew, "skew", false, 10s, 2s, -1h, 1h},
    };
    return kinds;
}

const FaultTraits& traits(FaultKind kind) {
    return faultKinds().at(static_cast<std::size_t>(kind));
}

Fault usualFault(FaultKind kind, spec::TaskId task) {
    return {.kind = kind, .task = std::move(task), .peer = {}, .lasting = traits(kind).lasting, .amount = traits(kind).amount};
}

std::string faultProblem(const Fault& fault) {
    const FaultTraits& of = traits(fault.kind);
    const std::string word(of.word);
    if (of.has_peer != fault.peer.has_value()) {
        return word + (of.has_peer ? ": expected two tasks, such as worker:1-worker:0, got one" : ": expected one task, got two");
    }
    if (fault.peer && *fault.peer == fault.task) {
        return word + ": expected two different tasks, got " + toText(fault.task) + " twice";
    }
    if (of.lasting == 0s && fault.lasting != 0s) {
        return word + ": expected no \"for\", since it does not last";
    }
    if (of.lasting != 0s && (fault.lasting <= 0s || fault.lasting > kLongestFault)) {
        return word + ": expected \"for\" above 0 and up to " + toText(kLongestFault) + ", got " + toText(fault.lasting);
    }
    if (of.amount == 0s && fault.amount != 0s) {
        return word + ": expected no \"by\"";
    }
    if (of.amount != 0s && (fault.amount < of.smallest || fault.amount > of.largest || fault.amount == 0s)) {
        return word + ": expected \"by\" from " + toText(of.smallest) + " to " + toText(of.largest) +
               (of.smallest < 0s ? " and not 0" : "") + ", got " + toText(fault.amount);
    }
    return {};
}

std::string toText(const spec::TaskId& task) {
    return task.type + ":" + std::to_string(task.index);
}

std::string toText(milliseconds duration) {
    const auto largest =
        std::find_if(kUnits.rbegin(), kUnits.rend(), [&](const Unit& unit) { return duration != 0ms && duration % unit.length == 0ms; });
    const Unit& unit = largest == kUnits.rend() ? kUnits[1] : *largest;
    return std::to_string(duration / unit.length) + std::string(unit.name);
}

std::string toText(const Fault& fault) {
    std::string text = std::string(traits(fault.kind).word) + " " + toText(fault.task);
    if (fault.peer) text += "-" + toText(*fault.peer);
    if (fault.lasting != 0ms) text += " for " + toText(fault.lasting);
    if (fault.amount != 0ms) text += " by " + toText(fault.amount);
    return text;
}

std::optional<spec::TaskId> parseTask(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || std::find(kJobs.begin(), kJobs.end(), text.substr(0, colon)) == kJobs.end()) {
        return std::nullopt;
    }
    const auto index = parseNumber(text.substr(colon + 1));
    if (!index || *index > kLargestIndex) {
        return std::nullopt;
    }
    return spec::TaskId{std::string(text.substr(0, colon)), static_cast<int>(*index)};
}

std::optional<milliseconds> parseDuration(std::string_view text) {
    const bool is_negative = text.starts_with('-');
    text.remove_prefix(is_negative ? 1 : 0);
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto unit = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& one) { return one.name == text.substr(digits); });
    const auto number = parseNumber(text.substr(0, digits));
    if (unit == kUnits.end() || !number || *number > kLongestDuration / unit->length) {
        return std::nullopt;
    }
    return unit->length * *number * (is_negative ? -1 : 1);
}

}  // namespace engine::chaos
