#include "agent/wire/size_limits.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"

namespace agent::convert {

namespace spec = engine::spec;

namespace {

constexpr std::size_t kMostEntries = 10000;  // of a list of names with values

bool isInsideCharacter(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

void cut(std::string& text) {
    if (text.size() > kMaxTextBytes) {
        text = shortened(text);
    }
}

template <typename Value>
void cutNames(std::vector<std::pair<std::string, Value>>& entries) {
    entries.resize(std::min(entries.size(), kMostEntries));
    for (auto& [name, value] : entries) {
        cut(name);
    }
}

struct CutTexts {
    void operator()(spec::StateChanged& change) const { cut(change.detail); }
    void operator()(spec::StepPoints& points) const {
        for (spec::Column& column : points.columns) {
            cut(column.name);
        }
    }
    void operator()(spec::EpochEnd& epoch) const { cutNames(epoch.logs); }
    void operator()(spec::CheckpointSaved& saved) const { cut(saved.prefix); }
    void operator()(spec::LogLine& line) const { cut(line.text); }
    void operator()(spec::RunStarted& started) const {
        cut(started.executor);
        cut(started.transport);
    }
    void operator()(spec::ControlApplied& applied) const { cut(applied.what); }
    void operator()(spec::TaskFinished& finished) const {
        cutNames(finished.results);
        cut(finished.checkpoint);
        cut(finished.weights_sha256);
    }
    void operator()(spec::TaskFailed& failed) const {
        cut(failed.reason);
        for (std::string& line : failed.last_lines) {
            cut(line);
        }
    }
    void operator()(spec::AttemptStarted& attempt) const {
        cut(attempt.reason);
        for (spec::TaskHost& one : attempt.hosts) {
            cut(one.host);
        }
    }
    void operator()(spec::Heartbeat&) const {}
    void operator()(spec::WeightReport&) const {}
    void operator()(spec::ServerLoad&) const {}
    void operator()(spec::LayerReport& report) const {
        for (spec::LayerMeasure& layer : report.layers) {
            cut(layer.layer);
        }
    }
};

// True when the event may be too large. It is asked before the event is encoded, which costs as much as all the rest.
bool mayBeLarge(const spec::EventBody& body) {
    constexpr std::size_t kMostBytesOfAPoint = 10 + 5 + 8, kMostBytesOfAValue = 4;
    if (const auto* points = std::get_if<spec::StepPoints>(&body)) {
        return points->step.size() * (kMostBytesOfAPoint + kMostBytesOfAValue * points->columns.size()) > kMaxEventBytes / 2;
    }
    return !std::holds_alternative<spec::LogLine>(body) && !std::holds_alternative<spec::Heartbeat>(body);
}

void cutTexts(nlohmann::ordered_json& value) {
    if (value.is_string()) {
        cut(value.get_ref<std::string&>());
    } else if (value.is_structured()) {
        for (nlohmann::ordered_json& entry : value) {
            cutTexts(entry);
        }
    }
}

}  // namespace

std::string shortened(std::string_view text, std::size_t most) {
    if (text.size() <= most) {
        return std::string(text);
    }
    const std::string end = "… (" + std::to_string(text.size()) + " bytes in all)";
    std::size_t length = most - std::min(most, end.size());
    while (length > 0 && isInsideCharacter(text[length])) {
        --length;
    }
    return std::string(text.substr(0, length)) + end;
}

void requireSize(std::string_view object, std::size_t bytes, std::size_t most) {
    if (bytes > most) {
        throw engine::Error(engine::ErrorCode::kInvalidArgument,
                            std::string(object) + ": expected at most " + std::to_string(most) + " bytes, got " + std::to_string(bytes));
    }
}

spec::TaskEvent bounded(spec::TaskEvent event) {
    std::visit(CutTexts(), event.body);
    cut(event.task.type);
    if (const std::size_t bytes = mayBeLarge(event.body) ? encodeEvent(event).size() : 0; bytes > kMaxEventBytes) {
        event.body = spec::LogLine{spec::LogLevel::kWarning, "an event was left out: expected at most " + std::to_string(kMaxEventBytes) +
                                                                 " bytes, got " + std::to_string(bytes)};
    }
    return event;
}

std::string boundedEncoded(std::string event) {
    return event.size() <= kMaxEventBytes ? std::move(event) : encodeEvent(bounded(decodeEvent(event)));
}

std::string boundedProject(std::string json) {
    if (json.size() <= kMaxProjectBytes) {
        return json;
    }
    nlohmann::ordered_json value = nlohmann::ordered_json::parse(json, nullptr, false);
    cutTexts(value);
    json = value.is_discarded() ? std::string() : value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    return json.empty() || json.size() > kMaxProjectBytes ? "{}" : json;
}

}  // namespace agent::convert
