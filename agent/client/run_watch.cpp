#include "agent/client/run_watch.h"

#include <utility>

#include "agent/client/credentials.h"
#include "agent/convert/status.h"
#include "agent/convert/task_event_convert.h"
#include "engine/spec/error.h"

namespace agent::client {

using namespace std::chrono_literals;

namespace {

// One stream lasts so long at most and is then asked for again from where it was: an agent that hangs is noticed.
constexpr std::chrono::milliseconds kLegDeadline = 60s;
constexpr std::chrono::milliseconds kPingDeadline = 5s;
constexpr std::chrono::milliseconds kRetry = 20ms;
constexpr int kRetries = 250;

}  // namespace

RunWatch::RunWatch(std::shared_ptr<AgentChannel> channel, std::string run_id, std::uint64_t from_sequence,
                   AgentClient::WatchHandler handler)
    : channel_(std::move(channel)),
      run_id_(std::move(run_id)),
      handler_(std::move(handler)),
      next_sequence_(from_sequence),
      thread_([this] { loop(); }) {}

RunWatch::~RunWatch() {
    end();
}

void RunWatch::end() {
    {
        const std::lock_guard lock(mutex_);
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

bool RunWatch::pause(std::chrono::milliseconds duration) {
    std::unique_lock lock(mutex_);
    return !ended_changed_.wait_for(lock, duration, [this] { return ended_; });
}

bool RunWatch::deliver(const proto::WatchReply& reply) {
    std::vector<engine::spec::TaskEvent> events;
    events.reserve(static_cast<std::size_t>(reply.events_size()));
    for (const std::string& bytes : reply.events()) {
        events.push_back(convert::decodeEvent(bytes));
    }
    if (!events.empty()) {
        next_sequence_ = events.back().sequence + 1;
    }
    if (reply.dropped_points() > 0 && handler_.dropped) {
        handler_.dropped(reply.dropped_points());
    }
    return events.empty() || !handler_.events || handler_.events(std::move(events));
}

RunWatch::Leg RunWatch::follow(std::string& error) {
    grpc::ClientContext context;
    const AgentChannel::Connection connection = channel_->connection();
    admit(context, connection.token, kLegDeadline);
    {
        const std::lock_guard lock(mutex_);
        if (ended_) {
            return Leg::kEnded;
        }
        context_ = &context;
    }
    proto::WatchRequest request;
    request.set_run_id(run_id_);
    request.set_from_sequence(next_sequence_);
    const std::unique_ptr<grpc::ClientReader<proto::WatchReply>> reader = connection.stub->Watch(&context, request);
    proto::WatchReply reply;
    bool wanted = true;
    const grpc::Status broken = convert::guarded([&] {
        while (wanted && reader->Read(&reply)) {
            wanted = deliver(reply);
        }
    });
    if (!wanted || !broken.ok()) {
        context.TryCancel();
    }
    const grpc::Status status = reader->Finish();
    const std::lock_guard lock(mutex_);
    context_ = nullptr;
    if (ended_ || !wanted) {
        return Leg::kEnded;
    }
    error = broken.ok() ? std::string(status.ok() ? "" : convert::toError(status, "watch").what()) : broken.error_message();
    const grpc::StatusCode code = broken.ok() ? status.error_code() : broken.error_code();
    const bool passing = code == grpc::StatusCode::UNAVAILABLE || code == grpc::StatusCode::DEADLINE_EXCEEDED ||
                         code == grpc::StatusCode::CANCELLED || code == grpc::StatusCode::UNAUTHENTICATED;
    return passing ? Leg::kAgain : Leg::kRunOver;
}

bool RunWatch::waitForAgent(std::string& error) {
    for (int i = 0; i < kRetries; ++i) {
        if (!convert::agentLives(channel_->folder())) {
            error = "the agent ended (" + error + ")";
            return false;
        }
        try {
            channel_->ping(kPingDeadline);
            return true;
        } catch (const engine::Error& failure) {
            error = failure.what();
            if (failure.code() == engine::ErrorCode::kDeadlineExceeded) {
                return false;
            }
        }
        if (!pause(kRetry)) {
            return false;
        }
    }
    return false;
}

void RunWatch::loop() {
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
        const std::lock_guard lock(mutex_);
        if (ended_) {
            return;
        }
    }
    if (handler_.finished) {
        handler_.finished(error.empty() ? std::nullopt : std::optional(error));
    }
}

}  // namespace agent::client
