// A task's events as programs of TensorFlow 1 printed them, for a worker that was started with --job_name: a line every so many steps.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "agent/worker/sinks/console_sink.h"
#include "agent/worker/sinks/event_sink.h"
#include "engine/spec/project/cluster_spec.h"
#include "engine/thread/mutex.h"

namespace agent::worker {

// "Worker : 0, Step: 4500.0, Accuracy (batch): 1.0", with the global step, where that is a multiple of `every`; at the end
// "Test-Accuracy: 0.9871000051498413" and the global step. Numbers as Python prints a float32. States, warnings and errors are a
// ConsoleSink's. A ps prints those alone.
class StepLinesSink final : public EventSink {
public:
    // Both streams must outlive it.
    StepLinesSink(std::ostream& out, std::ostream& errors, const engine::spec::TaskId& task, std::int64_t every);

    void send(const engine::spec::TaskEvent& event) override;
    bool confirmKept(std::chrono::milliseconds /*deadline*/) override { return true; }

private:
    void show(const engine::spec::StepPoints& points);
    void show(const engine::spec::TaskFinished& finished);

    std::ostream& out_;
    const engine::spec::TaskId task_;
    const std::int64_t every_;
    ConsoleSink others_;
    engine::Mutex mutex_;  // of a line
};

}  // namespace agent::worker
