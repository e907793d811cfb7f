#include "agent/server/supervision/supervised_task.h"

#include <cerrno>
#include <csignal>
#include <utility>
#include <variant>

#include <unistd.h>

#include "agent/proto/task_event.pb.h"
#include "agent/wire/credentials_convert.h"
#include "agent/wire/fault_convert.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"
#include "engine/spec/events/event_line.h"

namespace agent::server {

namespace spec = engine::spec;

namespace {

constexpr std::size_t kLastLines = 50;
constexpr int kMessagesAtOnce = 512;
constexpr std::size_t kOutputBytesAtOnce = 64u << 10;
constexpr std::chrono::milliseconds kSendDeadline{20};  // a control is a few bytes: only a task that hangs does not take it

}  // namespace

SupervisedTask::SupervisedTask(spec::TaskId id, bool chief, std::unique_ptr<Process> process, PortReservation port, SteadyTime now)
    : id_(std::move(id)),
      chief_(chief),
      process_(std::move(process)),
      port_(std::move(port)),
      reader_(process_->eventDescriptor()),
      writer_(process_->eventDescriptor()),
      heard_{.ever = false, .last = now, .exchange = {}, .exchange_at = now} {}

void SupervisedTask::remember(const std::string& line) {
    last_lines_.push_back(line);
    if (last_lines_.size() > kLastLines) {
        last_lines_.pop_front();
    }
}

// Answers whether it says why the task failed.
bool SupervisedTask::note(const spec::TaskEvent& event) {
    bool says_why_it_failed = false;
    if (const auto* change = std::get_if<spec::StateChanged>(&event.body)) {
        state_ = *change;
        says_why_it_failed = state() == spec::TaskState::kFailed;
        failed_unix_ns_ = says_why_it_failed ? event.time_unix_ns : failed_unix_ns_;
        if (state() != spec::TaskState::kNotStarted) {
            port_.release();  // from kConnecting on the task listens itself
        }
    } else if (std::holds_alternative<spec::TaskFinished>(event.body)) {
        finished_ = true;
    }
    return says_why_it_failed;
}

void recall(SupervisedTask& task, const spec::TaskEvent& event) {
    task.note(event);
}

// `part_sequence`: where it stands in the journal of a part; 0: the event is of this computer.
void SupervisedTask::accept(spec::TaskEvent event, std::uint64_t part_sequence, const Sink& sink) {
    event.sequence = 0;
    event.task = id_;
    event = convert::bounded(std::move(event));
    event.time_unix_ns = event.time_unix_ns == 0 ? nowUnixNs() : event.time_unix_ns;
    const bool says_why_it_failed = note(event);
    // The line that says why the task failed is the reason of its failure already.
    if (const auto line = spec::eventLine(event.body); line && !says_why_it_failed) {
        remember(line->text);
    }
    ToldEvent told = toldEvent(event);
    if (part_sequence > 0) {
        told.bytes = stampedByPart(std::move(told.bytes), part_sequence);
    }
    sink(std::move(told), &event);
}

// Takes a message. A part's messages over this stream carry their place in the part's journal as sequence.
void SupervisedTask::take(const proto::TaskEvent& message, const Sink& sink) {
    const std::uint64_t part_sequence = isFar() ? message.sequence() : 0;
    auto points = carriedPoints(message, reader_.lastMessage(), id_);
    if (!points) {
        accept(convert::fromProto(message), part_sequence, sink);
        return;
    }
    if (part_sequence > 0) {
        points->bytes = stampedByPart(std::move(points->bytes), part_sequence);
    }
    sink(std::move(*points), nullptr);
}

bool SupervisedTask::readEvents(const Sink& sink, SteadyTime now) {
    more_events_ = false;
    try {
        proto::TaskEvent message;
        for (int i = 0; events_open_ && i < kMessagesAtOnce; ++i) {
            switch (reader_.read(message)) {
                case convert::ReadResult::kMessage:
                    heard_.last = now;
                    heard_.ever = true;
                    if (message.receipt_wanted() > 0) {
                        receipt_wanted_ = message.receipt_wanted();
                        break;
                    }
                    if (message.has_heartbeat() && message.heartbeat().has_exchange()) {
                        heard_.exchange = convert::fromProto(message.heartbeat().exchange());
                        heard_.exchange_at = now;
                    }
                    take(message, sink);
                    break;
                case convert::ReadResult::kWouldBlock:
                    return false;
                case convert::ReadResult::kEnd:
                    loseStream("closed its event stream", now);
                    break;
            }
        }
        more_events_ = events_open_;
    } catch (const engine::Error& error) {
        loseStream(error.what(), now);
    }
    return more_events_;
}

void SupervisedTask::loseStream(std::string why, SteadyTime now) {
    events_open_ = false;
    stream_loss_ = {now, std::move(why)};
}

bool SupervisedTask::readStream(int descriptor, LineSplitter& lines, spec::LogLevel level, bool& open, const Sink& sink) {
    const LineSplitter::Sink toEvent = [&](const std::string& raw) {
        spec::LogLine line{level, convert::validUtf8(raw)};
        accept({.sequence = 0, .time_unix_ns = nowUnixNs(), .task = id_, .body = std::move(line)}, 0, sink);
    };
    std::string bytes(kOutputBytesAtOnce, '\0');
    const ssize_t received = open ? ::read(descriptor, bytes.data(), bytes.size()) : 0;
    if (received > 0) {
        lines.feed(std::string_view(bytes).substr(0, static_cast<std::size_t>(received)), toEvent);
        return true;
    }
    if (open && received < 0 && (errno == EAGAIN || errno == EINTR)) {
        return false;
    }
    open = false;
    lines.flush(toEvent);
    return false;
}

bool SupervisedTask::readOutput(const Sink& sink) {
    const bool more_output = readStream(process_->outputDescriptor(), output_lines_, spec::LogLevel::kInfo, output_open_, sink);
    const bool more_errors = readStream(process_->errorDescriptor(), error_lines_, spec::LogLevel::kWarning, error_open_, sink);
    return more_output || more_errors;
}

bool SupervisedTask::reapIfEnded(const Sink& sink, SteadyTime now) {
    if (exit_) {
        return false;
    }
    std::optional<ExitStatus> status = process_->tryReap();
    if (!status) {
        return false;
    }
    while (readEvents(sink, now)) {
    }
    while (readOutput(sink)) {
    }
    // Another process may hold the ends of a pipe; this task says nothing any more.
    events_open_ = false;
    output_open_ = error_open_ = false;
    readOutput(sink);
    port_.release();
    exit_ = status;
    if (given_up_.empty()) {
        given_up_ = process_->givenUp();
    }
    return true;
}

bool SupervisedTask::hand(const std::variant<convert::Secret, trust::RunCredentials>& secret) {
    proto::TaskOrder order;
    if (const auto* credentials = std::get_if<trust::RunCredentials>(&secret)) {
        convert::toProto(*credentials, *order.mutable_credentials());
    } else {
        order.set_secret(std::string(convert::bytesOf(std::get<convert::Secret>(secret))));
    }
    return write(order);
}

bool SupervisedTask::send(const std::variant<spec::Control, engine::chaos::Fault>& asked) {
    proto::TaskOrder order;
    if (const auto* fault = std::get_if<engine::chaos::Fault>(&asked)) {
        *order.mutable_fault() = convert::toProto(*fault);
    } else {
        *order.mutable_control() = convert::toProto(std::get<spec::Control>(asked));
    }
    return write(order);
}

bool SupervisedTask::write(const proto::TaskOrder& order) {
    try {
        return events_open_ && writer_.write(order, kSendDeadline);
    } catch (const engine::Error&) {
        return false;
    }
}

void SupervisedTask::giveReceipt(bool kept) {
    proto::TaskOrder order;
    order.mutable_receipt()->set_number(std::exchange(receipt_wanted_, 0));
    order.mutable_receipt()->set_kept(kept);
    write(order);  // a task that does not take it waits no longer than it wants to
}

void SupervisedTask::terminate(SteadyTime kill_at) {
    if (!exit_ && !kill_at_) {
        kill_at_ = kill_at;
        process_->signalGroup(SIGTERM);
    }
}

void SupervisedTask::killIfDue(SteadyTime now) {
    if (!exit_ && !killed_ && kill_at_ && now >= *kill_at_) {
        killed_ = true;
        process_->signalGroup(SIGKILL);
    }
}

void SupervisedTask::giveUp(std::string reason, SteadyTime kill_at) {
    if (given_up_.empty() && !exit_) {
        given_up_ = std::move(reason);
        terminate(kill_at);
    }
}

}  // namespace agent::server
