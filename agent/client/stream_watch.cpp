#include "agent/client/stream_watch.h"

#include <utility>

#include "agent/client/credentials.h"
#include "agent/wire/run_convert.h"
#include "agent/wire/status.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::client {

using namespace std::chrono_literals;

namespace {

// The longest time of one stream; it is then asked for again from where it was. Pulse notices an agent that hangs.
constexpr std::chrono::milliseconds kLegDeadline = 60s;
constexpr std::chrono::milliseconds kPingDeadline = 5s;
constexpr std::chrono::milliseconds kStreamRetry = 20ms;
constexpr std::chrono::milliseconds kRefusedFor = 10s;  // an agent that hangs is waited for, one that refuses every connection is not

// The messages of one stream, each handed to `take` until it returns false.
template <typename Message, typename Take>
std::optional<grpc::Status> readAll(grpc::ClientContext& context, grpc::ClientReader<Message>& reader, const Take& take) {
    Message message;
    bool wanted = true;
    const grpc::Status broken = convert::guarded([&] {
        while (wanted && reader.Read(&message)) {
            wanted = take(message);
        }
    });
    if (!wanted || !broken.ok()) {
        context.TryCancel();
    }
    const grpc::Status status = reader.Finish();
    if (!wanted) {
        return std::nullopt;
    }
    return broken.ok() ? status : broken;
}

// False when the handler wants no more.
bool deliver(const WatchHandler& handler, const proto::WatchReply& reply, std::uint64_t& next_sequence) {
    std::vector<engine::spec::TaskEvent> events;
    events.reserve(static_cast<std::size_t>(reply.events_size()));
    for (const std::string& bytes : reply.events()) {
        events.push_back(convert::decodeEvent(bytes));
    }
    if (!events.empty()) {
        next_sequence = events.back().sequence + 1;
    }
    if (reply.dropped_points() > 0 && handler.dropped) {
        handler.dropped(reply.dropped_points());
    }
    return events.empty() || !handler.events || handler.events(std::move(events));
}

bool deliver(const HostHandler& handler, const proto::WatchHostReply& reply, std::int64_t& after_unix_ns) {
    std::vector<engine::spec::HostLoad> loads;
    loads.reserve(static_cast<std::size_t>(reply.loads_size()));
    for (const proto::HostLoad& load : reply.loads()) {
        loads.push_back(convert::fromProto(load));
    }
    if (!loads.empty()) {
        after_unix_ns = loads.back().time_unix_ns;
    }
    return loads.empty() || !handler.loads || handler.loads(std::move(loads));
}

}  // namespace

StreamWatch::StreamWatch(std::shared_ptr<AgentChannel> channel, Reader reader, Finished finished)
    : channel_(std::move(channel)), reader_(std::move(reader)), finished_(std::move(finished)), thread_([this] { loop(); }) {}

StreamWatch::~StreamWatch() {
    end();
}

void StreamWatch::end() {
    {
        const engine::MutexLock lock(mutex_);
        ended_ = true;
        if (context_ != nullptr) {
            context_->TryCancel();
        }
    }
    ended_changed_.notify_all();
    if (thread_.joinable() && thread_.get_id() != std::this_thread::get_id()) {
        thread_.join();
    }
}

bool StreamWatch::pause(std::chrono::milliseconds duration) {
    engine::MutexLock lock(mutex_);
    return !ended_changed_.wait_for(lock, duration, [this]() TANDEM_REQUIRES(mutex_) { return ended_; });
}

StreamWatch::Leg StreamWatch::follow(std::string& error) {
    grpc::ClientContext context;
    const AgentChannel::Connection connection = channel_->connection();
    admit(context, connection.token, kLegDeadline);
    {
        const engine::MutexLock lock(mutex_);
        if (ended_) {
            return Leg::kEnded;
        }
        context_ = &context;
    }
    const std::optional<grpc::Status> status = reader_(*connection.stub, context);
    const engine::MutexLock lock(mutex_);
    context_ = nullptr;
    if (ended_ || !status) {
        return Leg::kEnded;
    }
    error = status->ok() ? std::string() : std::string(convert::toError(*status, "watch").what());
    const grpc::StatusCode code = status->error_code();
    const bool passing = code == grpc::StatusCode::UNAVAILABLE || code == grpc::StatusCode::DEADLINE_EXCEEDED ||
                         code == grpc::StatusCode::CANCELLED || code == grpc::StatusCode::UNAUTHENTICATED;
    return passing ? Leg::kAgain : Leg::kOver;
}

bool StreamWatch::waitForAgent(std::string& error) {
    auto give_up = std::chrono::steady_clock::now() + kRefusedFor;
    while (std::chrono::steady_clock::now() < give_up) {
        if (!channel_->agentLives()) {
            error.insert(0, "the agent ended (").append(")");
            return false;
        }
        try {
            channel_->ping(kPingDeadline);
            return true;
        } catch (const engine::Error& failure) {
            error = failure.what();
            if (failure.code() == engine::ErrorCode::kDeadlineExceeded) {
                give_up = std::chrono::steady_clock::now() + kRefusedFor;
            }
        }
        if (!pause(kStreamRetry)) {
            return false;
        }
    }
    return false;
}

void StreamWatch::loop() {
    std::string error;
    try {
        Leg leg = follow(error);
        while (leg == Leg::kAgain && waitForAgent(error)) {
            leg = follow(error);
        }
        if (leg == Leg::kEnded) {
            return;
        }
    } catch (const engine::Error& failure) {
        error = failure.what();
    }
    {
        const engine::MutexLock lock(mutex_);
        if (ended_) {
            return;
        }
    }
    if (finished_) {
        finished_(error.empty() ? std::nullopt : std::optional(error));
    }
}

std::unique_ptr<Watch> watchRun(std::shared_ptr<AgentChannel> channel, const std::string& run_id, std::uint64_t from_sequence,
                                WatchHandler handler) {
    StreamWatch::Finished finished = handler.finished;
    auto reader = [run_id, handler = std::move(handler), next = from_sequence](proto::Agent::Stub& stub,
                                                                               grpc::ClientContext& context) mutable {
        proto::WatchRequest request;
        request.set_run_id(run_id);
        request.set_from_sequence(next);
        const std::unique_ptr<grpc::ClientReader<proto::WatchReply>> stream = stub.Watch(&context, request);
        return readAll(context, *stream, [&](const proto::WatchReply& reply) { return deliver(handler, reply, next); });
    };
    return std::make_unique<StreamWatch>(std::move(channel), std::move(reader), std::move(finished));
}

std::unique_ptr<Watch> watchHost(std::shared_ptr<AgentChannel> channel, std::int64_t after_unix_ns, HostHandler handler) {
    StreamWatch::Finished finished = handler.finished;
    auto reader = [handler = std::move(handler), after = after_unix_ns](proto::Agent::Stub& stub, grpc::ClientContext& context) mutable {
        proto::WatchHostRequest request;
        request.set_after_unix_ns(after);
        const std::unique_ptr<grpc::ClientReader<proto::WatchHostReply>> stream = stub.WatchHost(&context, request);
        return readAll(context, *stream, [&](const proto::WatchHostReply& reply) { return deliver(handler, reply, after); });
    };
    return std::make_unique<StreamWatch>(std::move(channel), std::move(reader), std::move(finished));
}

}  // namespace agent::client
