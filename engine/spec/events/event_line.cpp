#include "engine/spec/events/event_line.h"

#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <variant>

namespace engine::spec {
namespace {

constexpr double kBytesPerMegabyte = 1024.0 * 1024.0;
constexpr std::string_view kBetween = " · ";

// Does not use printf, so that the decimal point is the same in every locale.
std::string number(double value, std::chars_format format, int precision) {
    std::array<char, 512> text{};  // 1e308 has 309 digits in front of the point
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, format, precision).ptr};
}

std::string fixed(double value, int decimals) {
    return number(value, std::chars_format::fixed, decimals);
}

struct LineOf {
    std::optional<LogLine> operator()(const StateChanged& body) const {
        const LogLevel level = body.state == TaskState::kFailed    ? LogLevel::kError
                               : body.state == TaskState::kWaiting ? LogLevel::kWarning
                                                                   : LogLevel::kInfo;
        return LogLine{level, std::string(toString(body.state)) + (body.detail.empty() ? "" : ": " + body.detail)};
    }
    std::optional<LogLine> operator()(const RunStarted& body) const {
        std::string line = std::to_string(body.epochs) + " epochs of " + std::to_string(body.steps_per_epoch) + " steps, global batch " +
                           std::to_string(body.global_batch_size) + ", " + std::to_string(body.parameters) + " parameters, " +
                           body.executor;
        if (!body.transport.empty()) {
            line += kBetween;
            for (const char letter : body.transport) {
                line += letter == '\n' ? std::string(", ") : std::string(1, letter);
            }
        }
        return LogLine{LogLevel::kInfo, line};
    }
    std::optional<LogLine> operator()(const EpochEnd& body) const {
        std::string line = "epoch " + std::to_string(body.epoch + 1) + " ended after step " + std::to_string(body.step);
        for (const auto& [name, value] : body.logs) {
            const bool rate = name == "learning_rate";
            line.append(kBetween).append(name).append(" ").append(rate ? number(value, std::chars_format::general, 4) : fixed(value, 4));
        }
        return LogLine{LogLevel::kInfo, line};
    }
    std::optional<LogLine> operator()(const CheckpointSaved& body) const {
        return LogLine{LogLevel::kInfo, "checkpoint saved: " + body.prefix + " (" +
                                            fixed(static_cast<double>(body.bytes) / kBytesPerMegabyte, 1) + " MB, " +
                                            fixed(body.seconds * 1e3, 0) + " ms" + (body.best ? ", best so far)" : ")")};
    }
    std::optional<LogLine> operator()(const ControlApplied& body) const {
        return LogLine{LogLevel::kInfo, body.what + " at step " + std::to_string(body.step)};
    }
    std::optional<LogLine> operator()(const TaskFinished& body) const {
        std::string line = "finished";
        for (const auto& [name, value] : body.results) {
            if (name == "test_accuracy" || name == "test_loss") {
                line.append(kBetween).append(name).append(" ").append(fixed(value, 4));
            }
        }
        return LogLine{LogLevel::kInfo, line};
    }
    std::optional<LogLine> operator()(const TaskFailed& body) const { return LogLine{LogLevel::kError, "failed: " + body.reason}; }
    std::optional<LogLine> operator()(const AttemptStarted& body) const {
        if (!beginsAgain(body)) {
            return std::nullopt;
        }
        if (body.by_hand) {
            return LogLine{LogLevel::kInfo, "started again by hand from the " + std::string(body.from_backup ? "backup" : "first step") +
                                                " (attempt " + std::to_string(body.attempt) + ")" +
                                                (body.reason.empty() ? "" : "; the one before: " + body.reason)};
        }
        return LogLine{LogLevel::kWarning, body.reason + "; restarting from the " + (body.from_backup ? "backup" : "first step") +
                                               " (attempt " + std::to_string(body.attempt) + " of " + std::to_string(body.attempts) + ")"};
    }
    std::optional<LogLine> operator()(const LogLine& body) const { return body; }
    std::optional<LogLine> operator()(const StepPoints& /*body*/) const { return std::nullopt; }
    std::optional<LogLine> operator()(const Heartbeat& /*body*/) const { return std::nullopt; }
    std::optional<LogLine> operator()(const WeightReport& /*body*/) const { return std::nullopt; }
    std::optional<LogLine> operator()(const ServerLoad& /*body*/) const { return std::nullopt; }
    std::optional<LogLine> operator()(const LayerReport& /*body*/) const { return std::nullopt; }
};

}  // namespace

std::optional<LogLine> eventLine(const EventBody& body) {
    return std::visit(LineOf{}, body);
}

}  // namespace engine::spec
