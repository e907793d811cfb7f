#include <algorithm>

#include "app/cli/event_printer.h"

namespace app::cli {

void OutcomeCollector::add(const engine::spec::TaskEvent& event) {
    namespace spec = engine::spec;
    if (const auto* points = std::get_if<spec::StepPoints>(&event.body)) {
        const bool is_new = std::find(stepping_.begin(), stepping_.end(), event.task) == stepping_.end();
        if (is_new && !points->time_unix_ns.empty()) {
            stepping_.push_back(event.task);
            outcome_.first_step_unix_ns = std::max(outcome_.first_step_unix_ns, points->time_unix_ns.front());
        }
    } else if (const auto* finished = std::get_if<spec::TaskFinished>(&event.body)) {
        if (event.task == chief_) {
            outcome_.results = finished->results;
            outcome_.checkpoint = finished->checkpoint;
            outcome_.weights_sha256 = finished->weights_sha256;
        }
        if (event.task.type == spec::kEvaluator) evaluated_ = finished->results;
        for (const auto& one : evaluated_) {  // the chief leaves the test set to it
            const auto known =
                std::find_if(outcome_.results.begin(), outcome_.results.end(), [&](const auto& told) { return told.first == one.first; });
            if (known == outcome_.results.end()) outcome_.results.push_back(one);
        }
    } else if (std::holds_alternative<spec::AttemptStarted>(event.body)) {
        outcome_.failed_task.reset();  // the run goes on
        outcome_.failure = {};
        outcome_.results.clear();
        outcome_.weights_sha256.clear();
    } else if (const auto* failed = std::get_if<spec::TaskFailed>(&event.body)) {
        if (!outcome_.failed_task) {
            outcome_.failed_task = event.task;
            outcome_.failure = *failed;
        }
    } else if (const auto* log = std::get_if<spec::LogLine>(&event.body)) {
        if (log->level == spec::LogLevel::kError) {
            outcome_.errors.push_back(toString(event.task) + ": " + log->text);
        }
    }
}

}  // namespace app::cli
