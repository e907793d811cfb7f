#include "agent/worker/agent_pipe.h"

#include <utility>

#include <poll.h>
#include <sys/socket.h>

#include "agent/proto/task_event.pb.h"
#include "agent/wire/credentials_convert.h"
#include "agent/wire/delimited.h"
#include "agent/wire/fault_convert.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

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
    write(convert::toProto(event));
}

void AgentPipe::sendLive(const engine::spec::TaskEvent& heartbeat, const LiveState& live) {
    proto::TaskEvent message = convert::toProto(heartbeat);
    if (live.exchange) *message.mutable_heartbeat()->mutable_exchange() = convert::toProto(*live.exchange);
    write(message);
}

void AgentPipe::write(const proto::TaskEvent& message) {
    try {
        // False: the agent is gone, and the reader hears of it too.
        static_cast<void>(writer_->write(message, kSendDeadline));
    } catch (const engine::Error&) {
        end();
    }
}

bool AgentPipe::confirmKept(std::chrono::milliseconds deadline) {
    proto::TaskEvent question;
    {
        const engine::MutexLock lock(receipts_mutex_);
        question.set_receipt_wanted(++receipts_wanted_);
    }
    try {
        if (!writer_->write(question, deadline)) {
            return false;
        }
    } catch (const engine::Error&) {
        return false;
    }
    engine::MutexLock lock(receipts_mutex_);
    return receipt_came_.wait_for(
               lock, deadline, [&]() TANDEM_REQUIRES(receipts_mutex_) { return newest_receipt_ >= question.receipt_wanted() || ended_; }) &&
           newest_receipt_ >= question.receipt_wanted() && newest_was_kept_;
}

void AgentPipe::takeReceipt(std::uint64_t number, bool kept) {
    {
        const engine::MutexLock lock(receipts_mutex_);
        newest_receipt_ = number;
        newest_was_kept_ = kept;
    }
    receipt_came_.notify_all();
}

void AgentPipe::end() {
    bool is_first = false;
    {
        const engine::MutexLock lock(receipts_mutex_);  // whoever waits for a receipt looks at it under the lock, too
        is_first = !ended_.exchange(true);
    }
    receipt_came_.notify_all();
    if (is_first) {
        handlers_.ended();
    }
}

void AgentPipe::takeSecret(const std::optional<convert::Secret>& secret, const std::optional<trust::TaskCredentials>& credentials) {
    if (secret && !has_secret_ && handlers_.secret) {
        has_secret_ = true;
        handlers_.secret(*secret, credentials);
    }
}

// Throws Error(kInvalidArgument) for an order that makes no sense: the next one may.
void AgentPipe::obey(const proto::TaskOrder& order) {
    if (order.has_receipt()) {
        takeReceipt(order.receipt().number(), order.receipt().kept());
        return;
    }
    if (order.has_secret()) {
        takeSecret(convert::secretFromBytes(order.secret()), std::nullopt);
    } else if (order.has_credentials()) {
        const trust::RunCredentials credentials = convert::fromProto(order.credentials());
        takeSecret(credentials.secret, credentials.tls);
    } else if (order.has_fault()) {
        if (handlers_.fault) handlers_.fault(convert::fromProto(order.fault()));
    } else {
        handlers_.control(convert::fromProto(order.control()));
    }
}

void AgentPipe::read(const std::stop_token& stop) {
    convert::DelimitedReader reader(descriptor_);
    proto::TaskOrder message;
    while (!stop.stop_requested()) {
        pollfd waiting{descriptor_, POLLIN, 0};
        if (!reader.hasBuffered() && ::poll(&waiting, 1, 100) <= 0) {
            continue;
        }
        try {
            const convert::ReadResult result = reader.read(message);
            if (result == convert::ReadResult::kMessage) {
                obey(message);
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
