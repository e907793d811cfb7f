// What a followed run looks like on the command line: a line for people, or JSON for scripts. Fed with events in order, from one thread.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agent/client/agent_client.h"
#include "engine/spec/events/task_event.h"
#include "engine/spec/project/run_spec.h"

namespace app::cli {

// What is known of a run at its end, gathered from its events.
struct Outcome {
    std::vector<std::pair<std::string, double>> results;  // of the chief
    std::string checkpoint, weights_sha256;
    std::int64_t first_step_unix_ns = 0;              // of the task that came last; 0 when no step was done
    std::optional<engine::spec::TaskId> failed_task;  // the first one
    engine::spec::TaskFailed failure;
    std::vector<std::string> errors;  // error-level log lines, in order
};

class OutcomeCollector {
public:
    explicit OutcomeCollector(engine::spec::TaskId chief) : chief_(std::move(chief)) {}
    void add(const engine::spec::TaskEvent& event);
    const Outcome& outcome() const { return outcome_; }

private:
    engine::spec::TaskId chief_;
    Outcome outcome_;
    std::vector<engine::spec::TaskId> stepping_;             // tasks whose first step was seen
    std::vector<std::pair<std::string, double>> evaluated_;  // results of an evaluator
};

class EventPrinter {
public:
    virtual ~EventPrinter() = default;
    virtual void print(const engine::spec::TaskEvent& event) = 0;
    // PrinterOptions::hosts of the events to come: an attempt by hand may have other ones, and a run that goes on without some of its tasks
    // numbers the others anew.
    virtual void useHosts(const std::map<engine::spec::TaskId, std::string>& /*hosts*/) {}
    // `process_start_unix_ns`: what first_step_s counts from; 0 when this process did not launch the run (the field is null then).
    virtual void finish(const engine::run::RunInfo& run, const Outcome& outcome, std::int64_t process_start_unix_ns) = 0;
};

struct PrinterOptions {
    engine::spec::TaskId chief;  // whose points count: they are of all workers together
    std::int64_t log_every = 100;
    std::int64_t epochs = 1;                              // of the run; 0 where nobody says it, as in event files
    bool terminal = false;                                // refresh one line in place
    std::map<engine::spec::TaskId, std::string> hosts{};  // of a run on several computers: where each task is, as the user calls it
};

// Prints one JSON object a line, flushed line by line: {"event":"step",…}, {"event":"epoch",…}, {"event":"log",…},
// {"event":"checkpoint",…}, {"event":"weights",…}, {"event":"layers",…} for each step in which layers were measured,
// {"event":"anomaly","kind":…,"layer":…,"step":…,"text":…} once for each, last {"event":"finished",…}. {"event":"attempt",…}: all tasks are
// started again; {"event":"resumed","step":…}: what was told of later steps comes again. For a run on several computers each event but the
// last also has its "task" and "host".
std::unique_ptr<EventPrinter> makeJsonPrinter(std::ostream& out, const PrinterOptions& options);
// Prints Keras' progress line: "Epoch 1/12", then " 938/938 ━━━━━━━━━━━━━━━━━━━━ 3s 4ms/step - accuracy: 0.8575 - loss: 0.4834".
std::unique_ptr<EventPrinter> makeProgressPrinter(std::ostream& out, const PrinterOptions& options);

}  // namespace app::cli
