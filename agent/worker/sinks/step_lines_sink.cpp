#include "agent/worker/sinks/step_lines_sink.h"

#include <algorithm>
#include <cctype>
#include <ostream>
#include <variant>

#include "engine/train/callbacks/python_text.h"

namespace agent::worker {

namespace spec = engine::spec;

namespace {

// "sparse_categorical_accuracy" and "accuracy" are both "Accuracy", as the programs called it; others keep their names.
std::string titleOf(const std::string& metric) {
    if (metric.ends_with("accuracy")) return "Accuracy";
    std::string title = metric;
    if (!title.empty()) title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
    return title;
}

// The column that a line tells: the first metric, else the loss.
const spec::Column* toldColumn(const spec::StepPoints& points) {
    const spec::Column* loss = nullptr;
    for (const spec::Column& column : points.columns) {
        if (column.name == "loss") {
            loss = &column;
        } else if (column.name != "learning_rate" && column.name != "staleness") {
            return &column;
        }
    }
    return loss;
}

}  // namespace

StepLinesSink::StepLinesSink(std::ostream& out, std::ostream& errors, const spec::TaskId& task, std::int64_t every)
    : out_(out), task_(task), every_(std::max<std::int64_t>(every, 1)), others_(out, errors, ConsoleSink::Refresh::kLinesOnly) {}

void StepLinesSink::send(const spec::TaskEvent& event) {
    if (const auto* points = std::get_if<spec::StepPoints>(&event.body)) return show(*points);
    if (const auto* finished = std::get_if<spec::TaskFinished>(&event.body)) return show(*finished);
    if (std::holds_alternative<spec::EpochEnd>(event.body)) return;
    others_.send(event);
}

void StepLinesSink::show(const spec::StepPoints& points) {
    const spec::Column* told = toldColumn(points);
    if (told == nullptr) return;
    std::string lines;
    for (std::size_t i = 0; i < points.step.size(); ++i) {
        if (points.step[i] % every_ != 0) continue;
        lines += "Worker : " + std::to_string(task_.index) + ", Step: " + std::to_string(points.step[i]) + ".0, " + titleOf(told->name) +
                 " (batch): " + engine::train::pythonRepr(static_cast<double>(told->values[i])) + "\n";
    }
    const engine::MutexLock lock(mutex_);
    out_ << lines << std::flush;
}

void StepLinesSink::show(const spec::TaskFinished& finished) {
    std::string lines;
    for (const auto& [name, value] : finished.results) {
        if (name.starts_with("test_") && name != "test_loss") {
            lines +=
                "Test-" + titleOf(name.substr(5)) + ": " + engine::train::pythonRepr(static_cast<double>(static_cast<float>(value))) + "\n";
        }
        if (name == "global_step") lines += "global_step: " + std::to_string(static_cast<std::int64_t>(value)) + "\n";
    }
    const engine::MutexLock lock(mutex_);
    out_ << lines << std::flush;
}

}  // namespace agent::worker
