// A task's events as Keras prints them, for a worker that was started by hand in a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <mutex>
#include <string>

#include "agent/worker/event_sink.h"

namespace agent::worker {

// Layout of Keras 3's progress line: "938/938 ━━━━━━━━━━━━━━━━━━━━ 3s 4ms/step - accuracy: 0.8575 - loss: 0.4834".
class ConsoleSink final : public EventSink {
public:
    enum class Refresh { kTerminal, kLinesOnly };  // a terminal also sees the line grow

    // Warnings and errors go to `errors`, the rest to `out`; both must outlive it.
    ConsoleSink(std::ostream& out, std::ostream& errors, Refresh refresh) : out_(out), errors_(errors), refresh_(refresh) {}

    void send(const engine::spec::TaskEvent& event) override;
    // Nobody keeps what a terminal shows.
    bool confirmKept(std::chrono::milliseconds /*deadline*/) override { return true; }

private:
    void show(const engine::spec::StateChanged& change);
    void show(const engine::spec::RunStarted& started);
    void show(const engine::spec::StepPoints& points);
    void show(const engine::spec::EpochEnd& end);
    void show(const engine::spec::CheckpointSaved& saved);
    void show(const engine::spec::LogLine& line);
    void show(const engine::spec::ControlApplied& applied);
    void show(const engine::spec::TaskFinished& finished);
    void show(const engine::spec::TaskFailed& failed);
    void show(const engine::spec::Heartbeat& heartbeat);
    void show(const engine::spec::WeightReport& report);
    void show(const engine::spec::AttemptStarted& attempt);

    void endProgressLine();
    std::string bar(std::int64_t done) const;

    std::ostream& out_;
    std::ostream& errors_;
    const Refresh refresh_;
    std::mutex mutex_;

    // Guarded by mutex_.
    std::int64_t steps_per_epoch_ = 0;
    std::int64_t epochs_ = 0;
    std::int32_t epoch_ = -1;
    std::int64_t epoch_offset_ = 0;  // steps of the epoch that an earlier start did
    std::int64_t epoch_steps_ = 0;
    double loss_sum_ = 0, accuracy_sum_ = 0;
    std::string accuracy_name_;
    std::int64_t epoch_begin_ns_ = 0;
    std::chrono::steady_clock::time_point refreshed_{};
    bool line_open_ = false;
};

}  // namespace agent::worker
