// A task's events as Keras prints them, for a worker that was started by hand in a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

#include "agent/worker/sinks/event_sink.h"
#include "engine/thread/mutex.h"

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
    void show(const engine::spec::StateChanged& change) TANDEM_REQUIRES(mutex_);
    void show(const engine::spec::RunStarted& started) TANDEM_REQUIRES(mutex_);
    void show(const engine::spec::StepPoints& points) TANDEM_REQUIRES(mutex_);
    void show(const engine::spec::EpochEnd& end) TANDEM_REQUIRES(mutex_);
    void show(const engine::spec::CheckpointSaved& saved) TANDEM_REQUIRES(mutex_);
    void show(const engine::spec::LogLine& line) TANDEM_REQUIRES(mutex_);
    void show(const engine::spec::ControlApplied& applied) TANDEM_REQUIRES(mutex_);
    void show(const engine::spec::TaskFinished& finished) TANDEM_REQUIRES(mutex_);
    void show(const engine::spec::TaskFailed& failed) TANDEM_REQUIRES(mutex_);
    void show(const engine::spec::Heartbeat& heartbeat) TANDEM_REQUIRES(mutex_);
    void show(const engine::spec::WeightReport& report) TANDEM_REQUIRES(mutex_);
    void show(const engine::spec::ServerLoad& load) TANDEM_REQUIRES(mutex_);
    void show(const engine::spec::LayerReport& report) TANDEM_REQUIRES(mutex_);
    void show(const engine::spec::AttemptStarted& attempt) TANDEM_REQUIRES(mutex_);

    void endProgressLine() TANDEM_REQUIRES(mutex_);
    std::string bar(std::int64_t done) const TANDEM_REQUIRES(mutex_);

    std::ostream& out_;
    std::ostream& errors_;
    const Refresh refresh_;
    engine::Mutex mutex_;

    std::int64_t steps_per_epoch_ TANDEM_GUARDED_BY(mutex_) = 0;
    std::int64_t epochs_ TANDEM_GUARDED_BY(mutex_) = 0;
    std::int32_t epoch_ TANDEM_GUARDED_BY(mutex_) = -1;
    std::int64_t epoch_offset_ TANDEM_GUARDED_BY(mutex_) = 0;  // steps of the epoch that an earlier start did
    std::int64_t epoch_steps_ TANDEM_GUARDED_BY(mutex_) = 0;
    double loss_sum_ TANDEM_GUARDED_BY(mutex_) = 0, accuracy_sum_ TANDEM_GUARDED_BY(mutex_) = 0;
    std::string accuracy_name_ TANDEM_GUARDED_BY(mutex_);
    std::int64_t epoch_begin_ns_ TANDEM_GUARDED_BY(mutex_) = 0;
    std::chrono::steady_clock::time_point refreshed_{};
    bool line_open_ = false;
};

}  // namespace agent::worker
