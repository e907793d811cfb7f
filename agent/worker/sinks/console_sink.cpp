#include "agent/worker/sinks/console_sink.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <variant>

#include "engine/thread/mutex.h"

namespace agent::worker {

namespace spec = engine::spec;

namespace {

constexpr int kBarWidth = 20;
constexpr std::chrono::milliseconds kRefresh{50};

template <typename... Arguments>
std::string format(const char* pattern, Arguments... arguments) {
    std::array<char, 256> text{};
    const int length = std::snprintf(text.data(), text.size(), pattern, arguments...);
    return {text.data(), static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(text.size()) - 1))};
}

std::string number(double value) {
    if (std::isnan(value)) return "nan";  // whatever its sign
    return std::fabs(value) > 1e-3 ? format("%.4f", value) : format("%.4e", value);
}

std::string perStep(double seconds) {
    if (seconds >= 1 || seconds == 0) {
        return format("%.0fs/step", seconds);
    }
    return seconds >= 1e-3 ? format("%.0fms/step", seconds * 1e3) : format("%.0fus/step", seconds * 1e6);
}

}  // namespace

void ConsoleSink::send(const spec::TaskEvent& event) {
    const engine::MutexLock lock(mutex_);
    std::visit([this](const auto& body) TANDEM_REQUIRES(mutex_) { show(body); }, event.body);
    out_.flush();
}

void ConsoleSink::endProgressLine() {
    if (line_open_) {
        out_ << '\n';
        line_open_ = false;
    }
}

std::string ConsoleSink::bar(std::int64_t done) const {
    const std::string target = std::to_string(steps_per_epoch_);
    std::string count = std::to_string(done);
    count.insert(0, target.size() - std::min(target.size(), count.size()), ' ');
    const int filled = steps_per_epoch_ == 0 ? 0 : static_cast<int>(done * kBarWidth / steps_per_epoch_);
    std::string line = count + "/" + target + " ";
    for (int i = 0; i < kBarWidth; ++i) {
        line += i < filled ? "━" : refresh_ == Refresh::kTerminal ? "\033[37m━\033[0m" : " ";
    }
    return line;
}

void ConsoleSink::show(const spec::StateChanged& change) {
    if (change.state == spec::TaskState::kTraining) {
        return;
    }
    endProgressLine();
    out_ << spec::toString(change.state) << (change.detail.empty() ? "" : ": ") << change.detail << '\n';
}

void ConsoleSink::show(const spec::RunStarted& started) {
    steps_per_epoch_ = started.steps_per_epoch;
    epochs_ = started.epochs;
    out_ << started.parameters << " parameters, global batch " << started.global_batch_size << ", " << started.executor << '\n';
    if (!started.transport.empty()) {
        out_ << started.transport << '\n';
    }
}

void ConsoleSink::show(const spec::StepPoints& points) {
    for (std::size_t i = 0; i < points.step.size(); ++i) {
        if (points.epoch[i] != epoch_) {
            epoch_ = points.epoch[i];
            epoch_steps_ = 0;
            epoch_offset_ = steps_per_epoch_ > 0 ? (points.step[i] - 1) % steps_per_epoch_ : 0;
            loss_sum_ = accuracy_sum_ = 0;
            epoch_begin_ns_ = points.time_unix_ns[i];
            endProgressLine();
            if (epochs_ > 0) {
                out_ << "Epoch " << epoch_ + 1 << '/' << epochs_ << '\n';
            }
        }
        ++epoch_steps_;
        for (const spec::Column& column : points.columns) {
            if (column.name == "loss") {
                loss_sum_ += static_cast<double>(column.values[i]);
            } else if (column.name != "learning_rate") {
                accuracy_name_ = column.name;
                accuracy_sum_ += static_cast<double>(column.values[i]);
            }
        }
    }
    const auto now = std::chrono::steady_clock::now();
    if (refresh_ != Refresh::kTerminal || epochs_ == 0 || points.step.empty() || now - refreshed_ < kRefresh) {
        return;
    }
    refreshed_ = now;
    const auto steps = static_cast<double>(epoch_steps_);
    const double each = static_cast<double>(points.time_unix_ns.back() - epoch_begin_ns_) * 1e-9 / steps;
    const double left = each * static_cast<double>(steps_per_epoch_ - epoch_offset_ - epoch_steps_);
    out_ << '\r' << bar(epoch_offset_ + epoch_steps_) << format(" %.0fs ", left) << perStep(each);
    if (!accuracy_name_.empty()) {
        out_ << " - " << accuracy_name_ << ": " << number(accuracy_sum_ / steps);
    }
    out_ << " - loss: " << number(loss_sum_ / steps) << "\033[K";
    line_open_ = true;
}

void ConsoleSink::show(const spec::EpochEnd& end) {
    if (isEvaluation(end)) {
        endProgressLine();
        out_ << evaluationText(end) << '\n';
        return;
    }
    if (refresh_ == Refresh::kTerminal && line_open_) {
        out_ << '\r';
    }
    line_open_ = false;
    out_ << bar(steps_per_epoch_) << format(" %.0fs ", end.seconds)
         << perStep(steps_per_epoch_ == 0 ? 0 : end.seconds / static_cast<double>(steps_per_epoch_));
    for (const auto& [name, value] : end.logs) {
        out_ << " - " << name << ": " << number(value);
    }
    out_ << (refresh_ == Refresh::kTerminal ? "\033[K\n" : "\n");
}

void ConsoleSink::show(const spec::CheckpointSaved& saved) {
    endProgressLine();
    out_ << "saved " << saved.prefix << '\n';
}

void ConsoleSink::show(const spec::LogLine& line) {
    endProgressLine();
    if (line.level == spec::LogLevel::kError || line.level == spec::LogLevel::kWarning) {
        errors_ << (line.level == spec::LogLevel::kError ? "error: " : "warning: ") << line.text << std::endl;
    } else {
        out_ << line.text << '\n';
    }
}

void ConsoleSink::show(const spec::ControlApplied& applied) {
    endProgressLine();
    out_ << applied.what << " after step " << applied.step << '\n';
}

void ConsoleSink::show(const spec::TaskFinished& finished) {
    endProgressLine();
    constexpr std::array kWhole{"steps", "images_per_s", "global_step", "largest_staleness", "planned_bytes_per_step"};
    for (const auto& [name, value] : finished.results) {
        if (name != "first_step_unix_ns") {
            const bool is_whole = std::find(kWhole.begin(), kWhole.end(), name) != kWhole.end();
            out_ << name << ": " << (is_whole ? format("%.0f", value) : number(value)) << '\n';
        }
    }
    if (!finished.checkpoint.empty()) {
        out_ << "checkpoint: " << finished.checkpoint << '\n';
    }
    if (!finished.weights_sha256.empty()) {  // an evaluator that met no checkpoint has none
        out_ << "weights sha256: " << finished.weights_sha256 << '\n';
    }
}

void ConsoleSink::show(const spec::TaskFailed& failed) {
    endProgressLine();
    errors_ << "error: " << failed.reason << '\n';
}

void ConsoleSink::show(const spec::Heartbeat& /*heartbeat*/) {}

void ConsoleSink::show(const spec::WeightReport& /*report*/) {}

void ConsoleSink::show(const spec::ServerLoad& /*load*/) {}

void ConsoleSink::show(const spec::LayerReport& /*report*/) {}

void ConsoleSink::show(const spec::AttemptStarted& /*attempt*/) {}  // an agent's

}  // namespace agent::worker
