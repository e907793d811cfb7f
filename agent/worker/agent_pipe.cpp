#include "agent/worker/agent_pipe.h"

#include <utility>

#include <poll.h>
#include <sys/socket.h>

#include "agent/convert/delimited.h"
#include "agent/convert/task_event_convert.h"
#include "agent/proto/task_event.pb.h"
#include "engine/spec/error.h"

namespace agent::worker {
namespace {

// An agent that is stopped takes nothing and is waited for; one that is gone is noticed at once, by its end of the socket.
constexpr std::chrono::hours kSendDeadline{24};

}  // namespace

AgentPipe::AgentPipe(int descriptor, Handlers handlers)
    : descriptor_(descriptor),
      handlers_(std::move(handlers)),
      writer_(std::make_unique<convert::DelimitedWriter>(descriptor)),
      reader_([this](const std::stop_token& stop) { read(stop); }) {}

AgentPipe::~AgentPipe() {
    reader_.request_stop();
    ::shutdown(descriptor_, SHUT_RD);  // wakes the reader
}

void AgentPipe::send(const engine::spec::TaskEvent& event) {
    try {
        // False: the agent is gone, and the reader hears of it too.
        static_cast<void>(writer_->write(convert::toProto(event), kSendDeadline));
    } catch (const engine::Error&) {
        end();
    }
}

void AgentPipe::end() {
    if (!ended_.exchange(true)) {
        handlers_.ended();
    }
}

void AgentPipe::read(const std::stop_token& stop) {
    convert::DelimitedReader reader(descriptor_);
    proto::TaskControl message;
    while (!stop.stop_requested()) {
        pollfd waiting{descriptor_, POLLIN, 0};
        if (!reader.hasBuffered() && ::poll(&waiting, 1, 100) <= 0) {
            continue;
        }
        try {
            const convert::ReadResult result = reader.read(message);
            if (result == convert::ReadResult::kMessage) {
                handlers_.control(convert::fromProto(message));
            } else if (result == convert::ReadResult::kEnd) {
                break;
            }
        } catch (const engine::Error& error) {
            if (error.code() != engine::ErrorCode::kInvalidArgument) {
                break;  // the stream is of no use any more
            }
        }
    }
    if (!stop.stop_requested()) {
        end();
    }
}

}  // namespace agent::worker
