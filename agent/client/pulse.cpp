#include "agent/client/pulse.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "agent/client/credentials.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::client {

using namespace std::chrono_literals;

namespace {

constexpr std::chrono::milliseconds kTick = 100ms;
constexpr std::chrono::milliseconds kQuestion = 60s;  // an answer that comes late is one, too
// A tick that comes this late means that this very process was stopped: then silence says nothing about the agent.
constexpr std::chrono::milliseconds kOwnStop = 1s;

}  // namespace

// A call in the air, on a thread of its own. Gone with the object: no thread of gRPC's has it any more, whatever ends after that.
struct Pulse::Question {
    ~Question() {
        context.TryCancel();
        if (thread.joinable()) {
            thread.join();
        }
    }
    std::shared_ptr<proto::Agent::Stub> stub;
    grpc::ClientContext context;
    enum class State { kOpen, kAnswered, kFailed };
    std::atomic<State> state = State::kOpen;
    std::thread thread;
};

Pulse::Pulse(std::shared_ptr<AgentChannel> channel, PulseHandler handler, PulseOptions options)
    : channel_(std::move(channel)), handler_(std::move(handler)), options_(options), thread_([this] { loop(); }) {}

Pulse::~Pulse() {
    end();
}

void Pulse::end() {
    {
        const engine::MutexLock lock(mutex_);
        ended_ = true;
    }
    ended_changed_.notify_all();
    if (thread_.joinable() && thread_.get_id() != std::this_thread::get_id()) {
        thread_.join();
    }
}

bool Pulse::sleep(std::chrono::milliseconds duration) {
    engine::MutexLock lock(mutex_);
    return !ended_changed_.wait_for(lock, duration, [this]() TANDEM_REQUIRES(mutex_) { return ended_; });
}

// Null without an address to ask at.
std::unique_ptr<Pulse::Question> Pulse::ask() {
    AgentChannel::Connection connection;
    try {
        connection = channel_->connection();
    } catch (const engine::Error&) {
        return nullptr;
    }
    auto question = std::make_unique<Question>();
    question->stub = std::move(connection.stub);
    admit(question->context, connection.token, kQuestion);
    question->thread = std::thread([asked = question.get()] {
        proto::PingReply reply;
        const grpc::Status status = asked->stub->Ping(&asked->context, proto::PingRequest(), &reply);
        asked->state = status.ok() ? Question::State::kAnswered : Question::State::kFailed;
    });
    return question;
}

void Pulse::tell(std::optional<std::chrono::milliseconds> silent_for) {
    const Clock::time_point now = Clock::now();
    if (silent_for && *silent_for >= options_.silent_after && (!told_at_ || now - *told_at_ >= options_.interval)) {
        told_at_ = now;
        handler_.silent(*silent_for);
    } else if (!silent_for && std::exchange(told_at_, std::nullopt)) {
        handler_.answers();
    }
}

// A question that failed is asked again at once: the silence goes on. An agent that is no more is not silent, its streams say that it
// ended.
void Pulse::loop() {
    std::unique_ptr<Question> question = ask();
    Clock::time_point asked = Clock::now(), before = asked;
    const std::chrono::milliseconds tick = std::min(kTick, options_.interval);
    while (sleep(tick)) {
        const Clock::time_point now = Clock::now();
        if (now - std::exchange(before, now) > tick + kOwnStop || (now - asked > kOwnStop && !channel_->agentLives())) {
            asked = now;
        }
        if (question != nullptr && question->state == Question::State::kAnswered) {
            tell(std::nullopt);
            if (!sleep(options_.interval)) {
                return;
            }
            question.reset();
            question = ask();
            asked = before = Clock::now();
            continue;
        }
        if (question == nullptr || question->state == Question::State::kFailed) {
            question.reset();
            question = ask();
        }
        tell(std::chrono::duration_cast<std::chrono::milliseconds>(now - asked));
    }
}

}  // namespace agent::client
