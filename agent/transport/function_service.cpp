#include "agent/transport/function_service.h"

#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <exception>
#include <optional>
#include <utility>

#include "agent/proto/functions.grpc.pb.h"
#include "agent/transport/connection_gate.h"
#include "agent/transport/function_wire.h"
#include "agent/transport/grpc_channel.h"
#include "agent/wire/size_limits.h"
#include "engine/distribute/peer_lost.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::worker {

using engine::Error;
using engine::ErrorCode;
using engine::Mutex;
using engine::MutexLock;

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Stream = grpc::ServerReaderWriter<proto::FunctionMessage, proto::CoordinatorMessage>;

constexpr auto kFunctionServiceLook = 50ms;  // at what was asked for from outside

// Returns what `run` makes of a call, as a message.
proto::FunctionResult resultOf(const FunctionService::Run& run, const proto::FunctionCall& call) {
    proto::FunctionResult result;
    result.set_number(call.number());
    const auto failed = [&result](ErrorCode code, std::string_view message) {
        result.set_error(static_cast<int>(code));
        result.set_message(convert::shortened(message, convert::kMaxMessageText));
    };
    try {
        const FunctionValues values = run(call.function(), fromProto(call.arguments()));
        if (sizeOf(values) > kMaxFunctionBytes) {
            throw Error(ErrorCode::kInvalidArgument,
                        "result: expected at most " + std::to_string(kMaxFunctionBytes) + " bytes, got " + std::to_string(sizeOf(values)));
        }
        *result.mutable_values() = toProto(values);
    } catch (const Error& error) {
        failed(error.code(), error.what());
    } catch (const std::exception& error) {
        failed(ErrorCode::kInternal, error.what());
    }
    return result;
}

}  // namespace

class FunctionService::Impl final : public proto::Functions::Service {
public:
    explicit Impl(FunctionServiceOptions options) : options_(std::move(options)) {}
    ~Impl() override { shutDown(); }

    void serve(const Run& run) {
        {
            const MutexLock lock(mutex_);
            alone_since_ = Clock::now();
        }
        listen();
        while (true) {
            MutexLock lock(mutex_);
            if (goodbye_) return;
            if (asked_) {
                const proto::FunctionCall call = *std::exchange(asked_, std::nullopt);
                const std::uint64_t visit = visit_;
                is_running_ = true;
                lock.unlock();
                proto::FunctionResult result = resultOf(run, call);
                lock.lock();
                is_running_ = false;
                if (visit == visit_) answer_ = std::move(result);  // else whoever asked is gone
                alone_since_ = Clock::now();
                changed_.notify_all();
                continue;
            }
            changed_.wait_for(lock, kFunctionServiceLook);
            const bool is_alone = coordinator_ == nullptr && !goodbye_ && Clock::now() - alone_since_ > options_.start_timeout;
            lock.unlock();
            if (options_.is_cancelled && options_.is_cancelled()) throw Error(ErrorCode::kCancelled, name() + ": stopped");
            if (is_alone) throwAlone();
        }
    }

    void shutDown() {
        if (gate_) gate_->close();
        if (server_) {
            constexpr auto kGoodbye = 1s;  // a call that is ending ends
            server_->Shutdown(std::chrono::system_clock::now() + kGoodbye);
        }
        server_.reset();
    }

    grpc::Status Serve(grpc::ServerContext* context, Stream* stream) override {
        proto::CoordinatorMessage message;
        if (!stream->Read(&message) || !message.has_hello()) return {grpc::StatusCode::INVALID_ARGUMENT, "expected a hello"};
        const auto proven = provenBy(context->peer());
        const std::string why = proven ? whyRefused(message.hello(), proven->call) : "it has proven nothing";
        proto::FunctionMessage welcome;
        welcome.mutable_hello()->set_refusal(why);
        if (!why.empty()) {
            log("refused the coordinator: " + why);
            stream->Write(welcome);
            return grpc::Status::OK;
        }
        if (!enter(*context)) return {grpc::StatusCode::ABORTED, "the coordinator is already here"};
        bool says_goodbye = false;
        if (stream->Write(welcome)) says_goodbye = listenTo(*context, *stream);
        leave(says_goodbye);
        return grpc::Status::OK;
    }

private:
    // True when it ends with a goodbye.
    bool listenTo(grpc::ServerContext& context, Stream& stream) {
        proto::CoordinatorMessage message;
        while (stream.Read(&message) && !message.has_goodbye()) {
            if (!message.has_call()) return false;
            const auto result = runOnServingThread(context, std::move(*message.mutable_call()));
            proto::FunctionMessage reply;
            if (!result) return false;
            *reply.mutable_result() = *result;
            if (!stream.Write(reply)) return false;
        }
        return message.has_goodbye();
    }

    // nullopt: whoever asked is gone.
    std::optional<proto::FunctionResult> runOnServingThread(const grpc::ServerContext& context, proto::FunctionCall call) {
        MutexLock lock(mutex_);
        asked_ = std::move(call);
        changed_.notify_all();
        while (!changed_.wait_for(lock, kFunctionServiceLook, [this]() TANDEM_REQUIRES(mutex_) { return answer_.has_value(); })) {
            if (context.IsCancelled()) return std::nullopt;
        }
        return std::exchange(answer_, std::nullopt);
    }

    [[noreturn]] void throwAlone() {
        const MutexLock lock(mutex_);
        const std::string longest = secondsText(options_.start_timeout);
        if (visit_ > 0) throw engine::distribute::PeerLost(chiefName() + " is gone: expected it back within " + longest);
        throw Error(ErrorCode::kDeadlineExceeded, name() + ": gave up waiting for " + chiefName() + " after " + longest);
    }

    void listen() {
        const std::vector<engine::distribute::TaskName> names = options_.cluster.names();
        const auto own = static_cast<std::size_t>(options_.rank);
        const std::string target = resolveTasks(names, own, options_.secret.reach())[own].target;
        grpc::ServerBuilder builder;
        applyServerArguments(builder);
        builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 1000);
        builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, static_cast<int>(options_.lost_after.count()));
        builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 500);
        builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
        acceptor_ = builder.experimental().AddExternalConnectionAcceptor(
            grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, grpc::InsecureServerCredentials());
        builder.RegisterService(this);
        server_ = builder.BuildAndStart();
        if (!server_) throw Error(ErrorCode::kInternal, name() + ": gRPC does not start");
        const auto called = [this](Connection&& connection) {
            grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters parameters;
            parameters.fd = connection.socket.release();
            acceptor_->HandleNewConnection(&parameters);
        };
        const MutexLock lock(mutex_);  // a coordinator may be there before the gate has its name
        gate_ = openGate({.secret = options_.secret, .address = target, .tasks = names, .rank = options_.rank},
                         {.called = called, .answered = [] {}});
        if (options_.on_listening) options_.on_listening();
    }

    std::optional<ProvenCall> provenBy(const std::string& peer) {
        const MutexLock lock(mutex_);
        return gate_->calledBy(peer);
    }

    // Returns why the coordinator is refused; empty: it is welcome.
    std::string whyRefused(const proto::CoordinatorHello& hello, const Call& proven) const {
        if (hello.protocol() != kFunctionProtocol) {
            return "it speaks protocol " + std::to_string(hello.protocol()) + ", expected " + std::to_string(kFunctionProtocol);
        }
        if (hello.cluster() != options_.cluster.text()) return "it belongs to another cluster";
        const auto& tasks = options_.cluster.tasks;
        const bool is_chief = proven.caller < std::ssize(tasks) && tasks[static_cast<std::size_t>(proven.caller)].type == "chief";
        if (proven.purpose != Purpose::kFunctions || proven.called != options_.rank || !is_chief) {
            return "it has proven to be another task";
        }
        if (hello.program() != options_.program) {
            return "expected the functions and data sets that " + name() + " defines, got others: every task runs the same program";
        }
        return {};
    }

    // A coordinator that comes again is a new process: what is left of the old one's call ends first, its function too.
    bool enter(grpc::ServerContext& context) {
        MutexLock lock(mutex_);
        const auto isFree = [this]() TANDEM_REQUIRES(mutex_) { return coordinator_ == nullptr && !is_running_; };
        const auto until = Clock::now() + options_.start_timeout;
        if (coordinator_ != nullptr) coordinator_->TryCancel();
        while (!changed_.wait_for(lock, kFunctionServiceLook, isFree)) {
            if (context.IsCancelled() || Clock::now() > until) return false;
        }
        coordinator_ = &context;
        log("the coordinator is connected");
        return true;
    }

    void leave(bool says_goodbye) {
        const MutexLock lock(mutex_);
        coordinator_ = nullptr;
        alone_since_ = Clock::now();
        ++visit_;
        asked_.reset();
        answer_.reset();
        if (says_goodbye) goodbye_ = true;
        changed_.notify_all();
        log(says_goodbye ? "the coordinator has said goodbye" : "the coordinator is lost");
    }

    void log(const std::string& text) const {
        if (options_.on_log) options_.on_log(name() + ": " + text);
    }
    // "chief 0 at localhost:2222"
    std::string chiefName() const {
        const int rank = options_.cluster.chief();
        return rank < 0 ? "the coordinator" : toString(options_.cluster.names()[static_cast<std::size_t>(rank)]);
    }
    std::string name() const { return toString(options_.cluster.tasks[static_cast<std::size_t>(options_.rank)]); }

    const FunctionServiceOptions options_;
    std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor_;
    std::unique_ptr<grpc::Server> server_;
    std::unique_ptr<ConnectionGate> gate_;

    Mutex mutex_;
    std::condition_variable_any changed_;
    grpc::ServerContext* coordinator_ TANDEM_GUARDED_BY(mutex_) = nullptr;
    Clock::time_point alone_since_ TANDEM_GUARDED_BY(mutex_);  // if there is no coordinator
    std::uint64_t visit_ TANDEM_GUARDED_BY(mutex_) = 0;        // another one after each coordinator
    std::optional<proto::FunctionCall> asked_ TANDEM_GUARDED_BY(mutex_);
    std::optional<proto::FunctionResult> answer_ TANDEM_GUARDED_BY(mutex_);
    bool is_running_ TANDEM_GUARDED_BY(mutex_) = false;
    bool goodbye_ TANDEM_GUARDED_BY(mutex_) = false;
};

FunctionService::FunctionService(FunctionServiceOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
FunctionService::~FunctionService() = default;

void FunctionService::serve(const Run& run) {
    impl_->serve(run);
    impl_->shutDown();
}

}  // namespace agent::worker
