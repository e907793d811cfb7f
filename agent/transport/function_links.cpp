#include "agent/transport/function_links.h"

#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <deque>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include "agent/proto/functions.grpc.pb.h"
#include "agent/transport/connection_gate.h"
#include "agent/transport/function_wire.h"
#include "agent/transport/grpc_channel.h"
#include "agent/wire/size_limits.h"
#include "engine/thread/mutex.h"

namespace agent::worker {

using engine::Error;
using engine::ErrorCode;
using engine::Mutex;
using engine::MutexLock;

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kHelloWithin = 20s;  // a worker that was called has to say something
constexpr auto kGoodbyeWithin = 2s;
constexpr auto kStatusWithin = 1s;  // gRPC knows why a stream ended

class RemoteWorker final : public FunctionLink {
public:
    RemoteWorker(std::string worker, convert::FileDescriptor socket, const FunctionLinksOptions& options)
        : worker_(std::move(worker)),
          options_(options),
          stub_(proto::Functions::NewStub(channelOver(std::move(socket), options.lost_after))),
          stream_(stub_->Serve(&context_)),
          reader_([this] { readAll(); }) {}

    ~RemoteWorker() override {
        context_.TryCancel();
        reader_ = {};
        // Every call of a stream must be over before its context goes; what it ended with is known.
        [[maybe_unused]] const grpc::Status status = stream_->Finish();
    }

    // Hello both ways. Throws Error: kFailedPrecondition for a refusal, else the worker went away.
    void meet() {
        proto::CoordinatorMessage message;
        message.mutable_hello()->set_protocol(kFunctionProtocol);
        message.mutable_hello()->set_cluster(options_.cluster.text());
        message.mutable_hello()->set_program(options_.program);
        write(message);
        const std::optional<proto::FunctionMessage> reply = next(Clock::now() + kHelloWithin);
        if (!reply || !reply->has_hello()) throw Error(ErrorCode::kUnavailable, worker_ + ": it answered what was not asked");
        if (!reply->hello().refusal().empty()) {
            throw Error(ErrorCode::kFailedPrecondition, "refused by " + worker_ + ": " + convert::shortened(reply->hello().refusal()));
        }
    }

    Outcome call(const std::string& function, const FunctionValues& arguments, const std::stop_token& stop) override {
        proto::CoordinatorMessage message;
        proto::FunctionCall& asked = *message.mutable_call();
        asked.set_number(++calls_);
        asked.set_function(function);
        *asked.mutable_arguments() = toProto(arguments);
        write(message);
        const std::optional<proto::FunctionMessage> reply = next(Clock::now() + options_.call_deadline, stop);
        if (!reply && stop.stop_requested()) return Error(ErrorCode::kCancelled, "function " + function + ": stopped on " + worker_);
        if (!reply) {
            context_.TryCancel();
            return Error(ErrorCode::kDeadlineExceeded, "function " + function + ": " + worker_ + " is alive but has not ended it within " +
                                                           secondsText(options_.call_deadline));
        }
        const proto::FunctionResult& result = reply->result();
        if (!reply->has_result() || result.number() != calls_) {
            context_.TryCancel();
            throw Error(ErrorCode::kUnavailable, worker_ + " is lost: it answered what was not asked");
        }
        if (result.error() != 0) {
            return Error(errorCodeOf(result.error()),
                         "function " + function + " on " + worker_ + ": " + convert::shortened(result.message()));
        }
        return fromProto(result.values());
    }

    bool isOver() const override {
        const MutexLock lock(mutex_);
        return ended_;
    }

    void sayGoodbye() override {
        proto::CoordinatorMessage message;
        message.mutable_goodbye();
        if (!stream_->Write(message) || !stream_->WritesDone()) return;  // it is gone already
        MutexLock lock(mutex_);
        changed_.wait_for(lock, kGoodbyeWithin, [this]() TANDEM_REQUIRES(mutex_) { return ended_; });
    }

private:
    void write(const proto::CoordinatorMessage& message) {
        if (stream_->Write(message)) return;
        MutexLock lock(mutex_);
        changed_.wait_for(lock, kStatusWithin, [this]() TANDEM_REQUIRES(mutex_) { return ended_; });
        throwLost();
    }

    // nullopt: nothing came by then. Throws when the stream has ended.
    std::optional<proto::FunctionMessage> next(Clock::time_point deadline, const std::stop_token& stop = {}) {
        MutexLock lock(mutex_);
        const bool came =
            changed_.wait_until(lock, stop, deadline, [this]() TANDEM_REQUIRES(mutex_) { return ended_ || !received_.empty(); });
        if (!came) return std::nullopt;
        if (received_.empty()) throwLost();
        proto::FunctionMessage message = std::move(received_.front());
        received_.pop_front();
        return message;
    }

    [[noreturn]] void throwLost() const { throw Error(ErrorCode::kUnavailable, worker_ + " is lost: it closed its connection"); }

    // Runs on a thread of its own, so that the end of the connection is known at once.
    void readAll() {
        proto::FunctionMessage message;
        while (stream_->Read(&message)) {
            const MutexLock lock(mutex_);
            received_.push_back(std::move(message));
            changed_.notify_all();
        }
        const MutexLock lock(mutex_);
        ended_ = true;
        changed_.notify_all();
    }

    const std::string worker_;  // "worker 0 at localhost:2223"
    const FunctionLinksOptions& options_;
    grpc::ClientContext context_;
    const std::unique_ptr<proto::Functions::Stub> stub_;
    const std::unique_ptr<grpc::ClientReaderWriter<proto::CoordinatorMessage, proto::FunctionMessage>> stream_;
    std::uint64_t calls_ = 0;

    mutable Mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<proto::FunctionMessage> received_ TANDEM_GUARDED_BY(mutex_);
    bool ended_ TANDEM_GUARDED_BY(mutex_) = false;
    std::jthread reader_;  // last: it uses the others
};

}  // namespace

class FunctionLinks::Impl {
public:
    explicit Impl(const FunctionLinksOptions& options)
        : options_(options),
          places_(resolveTasks(options.cluster.names(), static_cast<std::size_t>(options.rank), options.secret.reach())) {
        // Nobody calls the coordinator: who does is let go.
        gate_ = openGate({.secret = options_.secret,
                          .address = places_[static_cast<std::size_t>(options_.rank)].target,
                          .tasks = options_.cluster.names(),
                          .rank = options_.rank},
                         {.called = [](Connection&&) {}, .answered = [this] { takeAnswered(); }});
    }

    std::unique_ptr<FunctionLink> connect(int rank, Clock::time_point deadline) {
        while (true) {
            MutexLock lock(mutex_);
            if (dialled_.insert(rank).second)
                gate_->dial({Purpose::kFunctions, options_.rank, rank}, places_[static_cast<std::size_t>(rank)]);
            if (!changed_.wait_until(lock, deadline, [&]() TANDEM_REQUIRES(mutex_) { return answered_.contains(rank); })) return nullptr;
            convert::FileDescriptor socket = std::move(answered_.extract(rank).mapped());
            dialled_.erase(rank);
            lock.unlock();
            auto link = std::make_unique<RemoteWorker>(placeOf(rank), std::move(socket), options_);
            try {
                link->meet();
                return link;
            } catch (const Error& error) {
                if (error.code() == ErrorCode::kFailedPrecondition) throw;  // else it went away while they met
            }
        }
    }

    std::string placeOf(int rank) const {
        return toString(engine::distribute::TaskName{taskName(rank), options_.cluster.addresses[static_cast<std::size_t>(rank)]});
    }
    std::string obstacleTo(int rank) const { return gate_->obstaclesTo({rank}); }

private:
    std::string taskName(int rank) const { return toString(options_.cluster.tasks[static_cast<std::size_t>(rank)]); }

    // Called on the gate's thread.
    void takeAnswered() {
        const MutexLock lock(mutex_);
        for (Connection& connection : gate_->takeAnswered()) {
            answered_.insert_or_assign(connection.proven.call.called, std::move(connection.socket));
        }
        changed_.notify_all();
    }

    const FunctionLinksOptions options_;
    const std::vector<TaskPlace> places_;  // by rank
    mutable Mutex mutex_;
    std::condition_variable_any changed_;
    std::set<int> dialled_ TANDEM_GUARDED_BY(mutex_);  // ranks that the gate calls
    std::map<int, convert::FileDescriptor> answered_ TANDEM_GUARDED_BY(mutex_);
    std::unique_ptr<ConnectionGate> gate_;  // last: its thread uses the others
};

FunctionLinks::FunctionLinks(const FunctionLinksOptions& options) : impl_(std::make_unique<Impl>(options)) {}
FunctionLinks::~FunctionLinks() = default;

std::unique_ptr<FunctionLink> FunctionLinks::connect(int rank, Clock::time_point deadline) {
    return impl_->connect(rank, deadline);
}
std::string FunctionLinks::placeOf(int rank) const {
    return impl_->placeOf(rank);
}
std::string FunctionLinks::obstacleTo(int rank) const {
    return impl_->obstacleTo(rank);
}

}  // namespace agent::worker
