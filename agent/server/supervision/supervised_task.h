// One started task as the supervisor sees it: its process, its streams and what it said last. Used by the supervisor's thread alone.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "agent/local/secret.h"
#include "agent/server/process/port_reservation.h"
#include "agent/server/process/process.h"
#include "agent/server/process/wall_clock.h"
#include "agent/server/runs/line_splitter.h"
#include "agent/server/runs/told_event.h"
#include "agent/trust/run_credentials.h"
#include "agent/wire/delimited.h"
#include "engine/chaos/fault.h"
#include "engine/spec/events/exchange_state.h"
#include "engine/spec/events/task_event.h"

namespace agent::proto {
class TaskEvent;
class TaskOrder;
}  // namespace agent::proto

namespace agent::server {

using SteadyTime = std::chrono::steady_clock::time_point;

class SupervisedTask {
public:
    // Takes what the task tells: `event` is what the bytes say, or null for a pack of points, which nobody but charts reads.
    using Sink = std::function<void(ToldEvent told, const engine::spec::TaskEvent* event)>;

    struct StreamLoss {
        SteadyTime at;
        std::string why;
    };

    SupervisedTask(engine::spec::TaskId id, bool chief, std::unique_ptr<Process> process, PortReservation port, SteadyTime now);
    // Notes what `task` told before, when this agent's predecessor watched it: it counts as told, and goes nowhere.
    friend void recall(SupervisedTask& task, const engine::spec::TaskEvent& event);

    const engine::spec::TaskId& id() const { return id_; }
    bool isChief() const { return chief_; }
    Process& process() const { return *process_; }
    // True for a task on another computer, whose agent watches it.
    bool isFar() const { return !process_->host().empty(); }
    // Returns how the process ended; nullopt while it runs.
    const std::optional<ExitStatus>& exit() const { return exit_; }
    engine::spec::TaskState state() const { return state_.state; }
    // Returns the task's own last word on its state.
    const engine::spec::StateChanged& stateChange() const { return state_; }
    const std::deque<std::string>& lastLines() const { return last_lines_; }
    // True when the task said that it is done or stopped, or gave its results.
    bool saidItEnded() const {
        return finished_ || state() == engine::spec::TaskState::kDone || state() == engine::spec::TaskState::kStopped;
    }
    // The signs of life of the task.
    struct Heard {
        bool ever = false;
        SteadyTime last;                                      // of its start while it has said nothing
        std::optional<engine::spec::ExchangeState> exchange;  // where it is in its exchange with the others, as it told last
        SteadyTime exchange_at;                               // when that was
    };
    const Heard& heard() const { return heard_; }
    // Returns when the task said that it failed; 0 when it did not.
    std::int64_t failedUnixNs() const { return failed_unix_ns_; }
    // Set once the task's event stream ended or broke while it ran; the task may be about to end.
    const std::optional<StreamLoss>& streamLoss() const { return stream_loss_; }

    // Reads what has arrived, a bounded amount of it; events go to `sink` with the task's identity and a time. True when more is at hand
    // already, which moreEvents() answers until the next call.
    bool readEvents(const Sink& sink, SteadyTime now);
    bool moreEvents() const { return more_events_; }
    bool readOutput(const Sink& sink);
    // These are -1 for closed streams, which poll() skips.
    int eventDescriptor() const { return events_open_ ? process_->eventDescriptor() : -1; }
    int outputDescriptor() const { return output_open_ ? process_->outputDescriptor() : -1; }
    int errorDescriptor() const { return error_open_ ? process_->errorDescriptor() : -1; }

    // Reaps the process if it has ended; then everything that it still said goes to `sink`. True when it ended just now.
    bool reapIfEnded(const Sink& sink, SteadyTime now);

    // Hands the task, before anything else, the secret by which the tasks of its run know each other, or its credentials when they are on
    // several computers. False as for send().
    bool hand(const std::variant<convert::Secret, trust::RunCredentials>& secret);
    // False when the task is gone or does not read.
    bool send(const std::variant<engine::spec::Control, engine::chaos::Fault>& asked);
    // SIGTERM now, SIGKILL at `kill_at`. A second call changes nothing.
    void terminate(SteadyTime kill_at);
    // True when terminate() has asked it to end: how it ends is our doing.
    bool terminated() const { return kill_at_.has_value(); }
    // When it is to be killed; nothing once it was: it may need a while to go.
    std::optional<SteadyTime> killAt() const { return exit_ || killed_ ? std::nullopt : kill_at_; }
    void killIfDue(SteadyTime now);
    bool killed() const { return killed_; }  // by killIfDue()

    // Ends a task that the agent itself gives up, with the reason ("no heartbeat for 10 s"). givenUp() is empty for any other task.
    void giveUp(std::string reason, SteadyTime kill_at);
    const std::string& givenUp() const { return given_up_; }

    // True when the task waits for a receipt of what it has sent; giveReceipt() answers it.
    bool wantsReceipt() const { return receipt_wanted_ > 0; }
    void giveReceipt(bool kept);

    bool stalled = false;  // named as silent, and not heard since

private:
    void accept(engine::spec::TaskEvent event, std::uint64_t part_sequence, const Sink& sink);
    void take(const proto::TaskEvent& message, const Sink& sink);
    bool note(const engine::spec::TaskEvent& event);
    void remember(const std::string& line);
    bool write(const proto::TaskOrder& order);
    void loseStream(std::string why, SteadyTime now);
    bool readStream(int descriptor, LineSplitter& lines, engine::spec::LogLevel level, bool& open, const Sink& sink);

    const engine::spec::TaskId id_;
    const bool chief_;
    const std::unique_ptr<Process> process_;
    PortReservation port_;
    convert::DelimitedReader reader_;
    convert::DelimitedWriter writer_;
    std::uint64_t receipt_wanted_ = 0;  // 0: none
    LineSplitter output_lines_, error_lines_;
    bool events_open_ = true, output_open_ = true, error_open_ = true;
    bool finished_ = false, more_events_ = false, killed_ = false;
    std::deque<std::string> last_lines_;  // at most kLastLines
    engine::spec::StateChanged state_;
    std::int64_t failed_unix_ns_ = 0;
    Heard heard_;
    std::optional<StreamLoss> stream_loss_;
    std::optional<ExitStatus> exit_;
    std::optional<SteadyTime> kill_at_;
    std::string given_up_;
};

}  // namespace agent::server
