#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <map>
#include <ostream>

#include "app/cli/event_printer.h"
#include "engine/run/layer_anomalies.h"
#include "engine/spec/events/event_line.h"

namespace app::cli {
namespace {

namespace spec = engine::spec;

constexpr int kBarWidth = 20;
constexpr double kRefreshSeconds = 0.05;
constexpr double kNsPerSecond = 1e9;

template <typename... Values>
std::string format(const char* pattern, Values... values) {
    char text[96];
    std::snprintf(text, sizeof text, pattern, values...);
    return text;
}

// Keras: four decimals, or four significant ones in scientific form up to 1e-3.
std::string value(double number) {
    if (std::isnan(number)) return "nan";  // whatever its sign
    return format(std::fabs(number) > 1e-3 || number == 0 ? "%.4f" : "%.4e", number);
}

std::string duration(double seconds) {
    const auto whole = static_cast<long>(seconds);
    if (whole >= 3600) {
        return format("%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    }
    return whole >= 60 ? format("%ld:%02ld", whole / 60, whole % 60) : format("%lds", whole);
}

std::string perStep(double seconds) {
    if (seconds >= 1 || seconds == 0) {
        return format("%.0fs/step", seconds);
    }
    return seconds >= 1e-3 ? format("%.0fms/step", seconds * 1e3) : format("%.0fus/step", seconds * 1e6);
}

class ProgressPrinter : public EventPrinter {
public:
    ProgressPrinter(std::ostream& out, const PrinterOptions& options) : out_(out), options_(options) {}

    void print(const spec::TaskEvent& event) override {
        if (const auto* failed = std::get_if<spec::TaskFailed>(&event.body)) {
            const std::string task = toString(event.task);
            notice(task + " failed: " + shortened(task, failed->reason));
            for (const std::string& last : failed->last_lines) {
                if (!wasPrinted(task, last)) {
                    out_ << "    " << last << '\n';
                }
            }
        } else if (std::holds_alternative<spec::AttemptStarted>(event.body)) {
            if (const auto line = spec::eventLine(event.body)) {
                notice(toString(event.task) + ": " + line->text);
                epoch_ = ended_epoch_ = -1;  // the epoch is announced again
            }
        } else if (const auto* log = std::get_if<spec::LogLine>(&event.body)) {
            if (log->level >= spec::LogLevel::kWarning || (event.task == options_.chief && log->level == spec::LogLevel::kInfo)) {
                const std::string task = toString(event.task);
                remember(task, log->text);
                notice(task + ": " + log->text);
            }
        } else if (const auto* changed = std::get_if<spec::StateChanged>(&event.body)) {
            if (changed->state == spec::TaskState::kWaiting || changed->state == spec::TaskState::kPaused) {
                notice(toString(event.task) + ": " + (changed->detail.empty() ? std::string(toString(changed->state)) : changed->detail));
            }
        } else if (const auto* layers = std::get_if<spec::LayerReport>(&event.body)) {
            for (const engine::run::LayerAnomaly& anomaly : anomalies_.add(*layers)) {
                notice(toString(event.task) + ": " + engine::run::anomalyText(anomaly));
            }
        } else if (event.task == options_.chief ||
                   (event.task.type == spec::kEvaluator && std::holds_alternative<spec::EpochEnd>(event.body))) {
            printChief(event);
        }
        out_.flush();
    }

    void finish(const engine::run::RunInfo& run, const Outcome& outcome, std::int64_t process_start_unix_ns) override {
        endLine();
        for (const auto& [name, number] : outcome.results) {
            if (name == "test_loss" || name == "test_accuracy") {
                out_ << (name == "test_loss" ? "Test loss:     " : "Test accuracy: ")
                     << (std::isnan(number) ? "nan" : format("%.4f", number)) << '\n';
            } else if (name == "images_per_s" && std::isfinite(number)) {
                out_ << "Images/s:      " << format("%.0f", number) << '\n';
            } else if (name == "global_step") {
                out_ << "Global step:   " << format("%.0f", number) << '\n';
            } else if (name == "mean_staleness") {
                out_ << "Staleness:     " << format("%.2f", number) << " updates on average\n";
            }
        }
        if (process_start_unix_ns > 0 && outcome.first_step_unix_ns > 0) {
            out_ << "First step:    "
                 << format("%.2f s", static_cast<double>(outcome.first_step_unix_ns - process_start_unix_ns) / kNsPerSecond)
                 << " after launch\n";
        }
        if (!outcome.checkpoint.empty()) {
            out_ << "Checkpoint:    " << (std::filesystem::path(run.run_dir) / outcome.checkpoint).string() << '\n';
        }
        out_ << "Run " << run.id << ": " << toString(run.state);
        if (!run.detail.empty() && run.state != engine::run::RunState::kFailed) {  // why it failed is the last line, an error's
            out_ << " (" << run.detail << ")";
        }
        out_ << "\nFolder:        " << run.run_dir << '\n' << std::flush;
    }

private:
    // Lines that stand above already: a task that fails says its last ones again.
    void remember(const std::string& task, const std::string& line) {
        constexpr std::size_t kMost = 64;  // more than TaskFailed::last_lines has
        std::deque<std::string>& lines = printed_[task];
        lines.push_back(line);
        if (lines.size() > kMost) {
            lines.pop_front();
        }
    }
    bool wasPrinted(const std::string& task, const std::string& line) const {
        const auto lines = printed_.find(task);
        return lines != printed_.end() && std::find(lines->second.begin(), lines->second.end(), line) != lines->second.end();
    }
    // "exit code 1: what stands above" without its second half.
    std::string shortened(const std::string& task, const std::string& reason) const {
        const std::size_t colon = reason.find(": ");
        return colon != std::string::npos && wasPrinted(task, reason.substr(colon + 2)) ? reason.substr(0, colon) : reason;
    }

    void printChief(const spec::TaskEvent& event) {
        if (const auto* started = std::get_if<spec::RunStarted>(&event.body)) {
            steps_per_epoch_ = started->steps_per_epoch;
            epochs_ = started->epochs;
            done_before_ = steps_per_epoch_ > 0 ? started->resumed_step % steps_per_epoch_ : 0;
            if (!started->transport.empty()) {
                notice(started->transport);
            }
        } else if (const auto* points = std::get_if<spec::StepPoints>(&event.body)) {
            for (std::size_t k = 0; k < points->step.size(); ++k) {
                addStep(*points, k);
            }
        } else if (const auto* epoch = std::get_if<spec::EpochEnd>(&event.body)) {
            if (isEvaluation(*epoch)) {
                notice(toString(event.task) + ": " + evaluationText(*epoch));
                return;
            }
            beginEpoch(epoch->epoch, event.time_unix_ns);
            drawLine(steps_per_epoch_, epoch->seconds, epoch->logs, /*done=*/true);
            ended_epoch_ = epoch->epoch;
        }
    }

    void addStep(const spec::StepPoints& points, std::size_t k) {
        // In event files the points of steps may stand behind the end of their epoch.
        if (steps_per_epoch_ <= 0 && points.epoch[k] <= ended_epoch_) {
            return;
        }
        beginEpoch(points.epoch[k], points.time_unix_ns[k]);
        ++steps_in_epoch_;
        for (const spec::Column& column : points.columns) {
            if (column.name != "learning_rate" && std::isfinite(column.values.at(k))) {
                sums_[column.name] += column.values[k];
            }
        }
        const double seconds = static_cast<double>(points.time_unix_ns[k] - epoch_start_ns_) / kNsPerSecond;
        if (!options_.terminal || seconds - drawn_seconds_ < kRefreshSeconds) {
            return;
        }
        std::vector<std::pair<std::string, double>> means;
        for (const auto& [name, sum] : sums_) {
            means.emplace_back(name, sum / static_cast<double>(steps_in_epoch_));
        }
        drawn_seconds_ = seconds;
        drawLine(done_before_ + steps_in_epoch_, seconds, means, /*done=*/false);
    }

    void beginEpoch(std::int32_t epoch, std::int64_t time_unix_ns) {
        if (epoch == epoch_) {
            return;
        }
        endLine();
        done_before_ = epoch_ < 0 ? done_before_ : 0;
        epoch_ = epoch;
        steps_in_epoch_ = 0;
        drawn_seconds_ = 0;
        epoch_start_ns_ = time_unix_ns;
        sums_.clear();
        out_ << "Epoch " << epoch + 1;
        if (epochs_ > 0) {
            out_ << '/' << epochs_;
        }
        out_ << '\n';
    }

    // "938/938 ━━━━━━━━━━━━━━━━━━━━ 3s 4ms/step"
    std::string progressText(std::int64_t step, double seconds, bool done) const {
        const std::int64_t target = steps_per_epoch_;
        step = std::min(step, target);
        const auto digits = static_cast<int>(std::to_string(target).size());
        std::string text = format("%*lld/%lld ", digits, static_cast<long long>(step), static_cast<long long>(target));
        const auto filled = static_cast<int>(kBarWidth * step / target);
        const auto bar = [](int cells) {
            std::string cell;
            for (int k = 0; k < cells; ++k) {
                cell += "━";
            }
            return cell;
        };
        text += options_.terminal ? "\x1b[32m" + bar(filled) + "\x1b[37m" + bar(kBarWidth - filled) + "\x1b[0m" : bar(filled);
        const double each = seconds / static_cast<double>(std::max<std::int64_t>(1, step));
        return text + " " + duration(done ? seconds : each * static_cast<double>(target - step)) + " " + perStep(each);
    }

    void drawLine(std::int64_t step, double seconds, const std::vector<std::pair<std::string, double>>& logs, bool done) {
        // Event files do not say how many steps an epoch has, nor how long it took: their line has the logs alone.
        std::string text = steps_per_epoch_ > 0 ? progressText(step, seconds, done) : "";
        for (const auto& [name, number] : logs) {
            text += (text.empty() ? "" : " - ") + name + ": " + value(number);
        }
        if (options_.terminal) {
            out_ << '\r' << text << "\x1b[K";
            open_line_ = true;
        } else {
            out_ << text;
        }
        if (done) {
            out_ << '\n';
            open_line_ = false;
        }
    }

    void notice(const std::string& text) {
        endLine();
        out_ << text << '\n';
    }

    void endLine() {
        if (open_line_) {
            out_ << '\n';
            open_line_ = false;
        }
    }

    std::ostream& out_;
    engine::run::AnomalyTeller anomalies_;
    const PrinterOptions options_;
    std::int64_t steps_per_epoch_ = 0;       // 0: nobody says it
    std::int64_t epochs_ = options_.epochs;  // 0: nobody says it
    std::int32_t epoch_ = -1, ended_epoch_ = -1;
    std::int64_t done_before_ = 0;  // steps of this epoch that an earlier start did
    std::int64_t steps_in_epoch_ = 0;
    std::int64_t epoch_start_ns_ = 0;
    double drawn_seconds_ = 0;
    std::map<std::string, double> sums_;
    std::map<std::string, std::deque<std::string>> printed_;  // of each task, the last ones
    bool open_line_ = false;
};

}  // namespace

std::unique_ptr<EventPrinter> makeProgressPrinter(std::ostream& out, const PrinterOptions& options) {
    return std::make_unique<ProgressPrinter>(out, options);
}

}  // namespace app::cli
