#include "agent/transport/parameter_service.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "agent/proto/parameters.grpc.pb.h"
#include "agent/transport/connection_gate.h"
#include "agent/transport/grpc_channel.h"
#include "agent/transport/push_box.h"
#include "agent/wire/size_limits.h"
#include "engine/distribute/aligned_memory.h"
#include "engine/distribute/peer_lost.h"
#include "engine/parameter_server/server_link.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::worker {

namespace ps = engine::parameter_server;
namespace spec = engine::spec;
using engine::Error;
using engine::ErrorCode;
using engine::Mutex;
using engine::MutexLock;
using engine::distribute::AlignedMemory;
using engine::distribute::SharedSegment;

int ParameterCluster::servers() const {
    return static_cast<int>(std::count_if(tasks.begin(), tasks.end(), [](const spec::TaskId& task) { return task.type == "ps"; }));
}

int ParameterCluster::chief() const {
    const auto rankOf = [this](std::string_view type) {
        const auto found =
            std::find_if(tasks.begin(), tasks.end(), [type](const spec::TaskId& task) { return task.type == type && task.index == 0; });
        return found == tasks.end() ? -1 : static_cast<int>(found - tasks.begin());
    };
    const int named = rankOf("chief");
    return named >= 0 ? named : rankOf("worker");
}

std::string ParameterCluster::text() const {
    std::string text;
    for (std::size_t i = 0; i < tasks.size(); ++i) text += toString(tasks[i]) + " " + addresses[i] + "\n";
    return text;
}

std::vector<engine::distribute::TaskName> ParameterCluster::names() const {
    std::vector<engine::distribute::TaskName> names;
    for (std::size_t rank = 0; rank < tasks.size(); ++rank) names.push_back({toString(tasks[rank]), addresses[rank]});
    return names;
}

ParameterCluster parameterCluster(const spec::ClusterSpec& cluster, std::uint64_t project) {
    ParameterCluster made{.tasks = cluster.serverTasks(), .addresses = {}, .project = project};
    for (const spec::TaskId& task : cluster.trainingTasks()) made.tasks.push_back(task);
    for (const spec::TaskId& task : made.tasks) made.addresses.push_back(cluster.address(task).value_or(""));
    return made;
}

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using WorkerStream = grpc::ServerReaderWriter<proto::ServerMessage, proto::WorkerMessage>;

constexpr std::uint32_t kParameterServiceProtocol = 4;
constexpr auto kParameterServiceLook = 50ms;  // at what was asked for from outside

// A place for bytes that arrive in pieces. Throws Error(kDataLoss) for one that lies outside.
void place(const proto::Piece& piece, std::span<std::byte> whole, const char* what) {
    if (piece.offset() > whole.size() || piece.data().size() > whole.size() - piece.offset()) {
        throw Error(ErrorCode::kDataLoss, std::string(what) + ": expected bytes within " + std::to_string(whole.size()) + ", got " +
                                              std::to_string(piece.data().size()) + " at " + std::to_string(piece.offset()));
    }
    std::memcpy(whole.data() + piece.offset(), piece.data().data(), piece.data().size());
}

std::vector<ps::ByteRange> namedIn(const proto::Ranges& ranges, std::size_t whole, const char* what) {
    if (ranges.offsets_size() != ranges.sizes_size() || static_cast<std::size_t>(ranges.sizes_size()) > kMostRanges) {
        throw Error(ErrorCode::kDataLoss, std::string(what) + ": expected a size for each of " + std::to_string(kMostRanges) +
                                              " offsets at most, got " + std::to_string(ranges.sizes_size()) + " for " +
                                              std::to_string(ranges.offsets_size()));
    }
    std::vector<ps::ByteRange> named;
    for (int i = 0; i < ranges.sizes_size(); ++i) {
        const ps::ByteRange range{.offset = ranges.offsets(i), .bytes = ranges.sizes(i)};
        if (range.bytes == 0 || range.offset > whole || range.bytes > whole - range.offset) {
            throw Error(ErrorCode::kDataLoss, std::string(what) + ": expected bytes within " + std::to_string(whole) + ", got " +
                                                  std::to_string(range.bytes) + " at " + std::to_string(range.offset));
        }
        named.push_back(range);
    }
    return named;
}

// Adds ranges. No worker of ours asks for more than one range a float: whoever does would fill the memory.
void add(std::vector<ps::ByteRange>& all, const std::vector<ps::ByteRange>& more, std::size_t whole, const char* what) {
    const std::size_t most = whole / sizeof(float);
    if (all.size() + more.size() > most) {
        throw Error(ErrorCode::kDataLoss, std::string(what) + ": expected " + std::to_string(most) + " ranges at most, got " +
                                              std::to_string(all.size() + more.size()));
    }
    all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

class ParameterService::Impl final : public proto::Parameters::Service {
public:
    Impl(ParameterServiceOptions options, ps::ParameterStore& store, const SharedSegment* segment, std::string no_segment)
        : options_(std::move(options)), store_(store), segment_(segment), no_segment_(std::move(no_segment)) {
        if (!options_.offer_shared_memory) no_segment_ = "transport is set to grpc";
    }

    ~Impl() override { shutDown(); }

    void serve() {
        listen();
        while (true) {
            MutexLock lock(mutex_);
            if (complete_ && callers_.empty() && !awaitsTheLost() && !options_.serves_forever) return;
            changed_.wait_for(lock, kParameterServiceLook);
            const auto now = Clock::now();
            const bool is_left = isLeftByItsChief(now);
            const bool is_alone = callers_.empty() && !complete_ && !options_.serves_forever && now - alone_since_ > options_.start_timeout;
            lock.unlock();
            if (const auto news = gate_->newsOfStrangers(); news && options_.on_log) options_.on_log(*news);
            if (options_.is_cancelled && options_.is_cancelled()) throw Error(ErrorCode::kCancelled, name() + ": stopped");
            if (is_left) throwChiefGone();
            if (is_alone) {
                throw Error(ErrorCode::kDeadlineExceeded, name() + ": gave up waiting for workers after " + startTimeoutText());
            }
        }
    }

    void shutDown() {
        if (gate_) gate_->close();
        if (server_) server_->Shutdown(std::chrono::system_clock::now());
        server_.reset();
    }

    grpc::Status Serve(grpc::ServerContext* context, WorkerStream* stream) override {
        proto::WorkerMessage message;
        if (!stream->Read(&message) || !message.has_hello()) return {grpc::StatusCode::INVALID_ARGUMENT, "expected a hello"};
        const auto proven = provenBy(context->peer());
        const std::string why = proven ? whyRefused(message.hello(), proven->call) : "it has proven nothing";
        if (!why.empty()) {
            const std::string text =
                shortened(message.hello().task().type() + " " + std::to_string(message.hello().task().index())) + ": " + why;
            if (options_.on_log) options_.on_log("refused " + text);
            proto::ServerMessage refusal;
            refusal.mutable_hello()->set_refusal(text);
            stream->Write(refusal);
            return grpc::Status::OK;
        }
        const int rank = proven->call.caller;
        Ending ending = Ending::kLost;
        try {
            if (!enter(rank, *context)) return {grpc::StatusCode::ABORTED, "the task is already here"};
            ending = Call(*this, *context, *stream, rank, proven->is_encrypted).run(message.hello());
        } catch (const std::exception& error) {  // whatever it is, `context` must not stay among the callers
            tellFailure(rank, *stream, error);
        }
        leave(rank, *context, ending);
        return grpc::Status::OK;
    }

private:
    enum class Ending { kGoodbye, kLost };

    // One worker's call, from its hello to its end.
    class Call {
    public:
        Call(Impl& service, grpc::ServerContext& context, WorkerStream& stream, int rank, bool is_encrypted)
            : service_(service), context_(context), stream_(stream), rank_(rank), is_encrypted_(is_encrypted) {}

        Ending run(const proto::WorkerHello& hello) {
            const bool shares = meet(hello);
            std::span<std::byte> region;
            if (shares) {
                region = gradientsIn(segment_.span(), static_cast<std::size_t>(service_.options_.cluster.servers()));
            } else {
                memory_ = AlignedMemory(std::max<std::size_t>(service_.options_.region_bytes, 64));
                region = memory_.span();
            }
            region_ = region;
            ps::ParameterStore::Session session(service_.store_, rank_, region);
            std::jthread box;
            if (shares) box = std::jthread([this, &session](const std::stop_token& stop) { serveBox(session, stop); });
            if (service_.options_.on_log) {
                service_.options_.on_log(service_.taskName(rank_) + " is connected over " +
                                         (shares          ? "shared memory"
                                          : is_encrypted_ ? "gRPC over TLS"
                                                          : "gRPC"));
            }
            proto::WorkerMessage message;
            while (stream_.Read(&message) && !message.has_goodbye()) answer(message, session);
            if (message.has_goodbye() && message.goodbye().complete()) service_.complete();
            return message.has_goodbye() ? Ending::kGoodbye : Ending::kLost;
        }

    private:
        // True when the two share memory.
        bool meet(const proto::WorkerHello& hello) {
            proto::ServerMessage message;
            proto::ServerHello& own = *message.mutable_hello();
            own.set_boot_id(engine::distribute::machineBootId());
            if (service_.no_segment_.empty()) {
                const std::vector<std::byte> address = encode(service_.segment_->address());
                own.set_segment(address.data(), address.size());
            } else {
                own.set_no_segment(service_.no_segment_);
            }
            const std::string why_not = tryMemory(hello);
            own.set_usable(why_not.empty());
            own.set_reason(why_not);
            stream_.Write(message);
            proto::WorkerMessage answer;
            if (!stream_.Read(&answer) || !answer.has_memory())
                throw Error(ErrorCode::kUnavailable, "it left before it said how bytes travel");
            return why_not.empty() && answer.memory().usable();
        }

        std::string tryMemory(const proto::WorkerHello& hello) {
            if (!service_.no_segment_.empty()) return service_.no_segment_;
            if (hello.segment().empty()) return hello.no_segment().empty() ? "it offers none" : shortened(hello.no_segment());
            if (hello.boot_id().empty() || hello.boot_id() != engine::distribute::machineBootId())
                return "the tasks are on different machines";
            const auto address = engine::distribute::decodeSegmentAddress(std::as_bytes(std::span(hello.segment())));
            const std::size_t bytes =
                segmentBytes(static_cast<std::size_t>(service_.options_.cluster.servers()), service_.options_.region_bytes);
            if (!address || address->bytes != bytes) return "unknown kind of segment";
            try {
                segment_ = SharedSegment::open(*address);
                return {};
            } catch (const Error& error) {
                return error.what();
            }
        }

        void serveBox(ps::ParameterStore::Session& session, const std::stop_token& stop) {
            PushBox& box = boxOf(segment_.span(), static_cast<std::size_t>(service_.options_.server));
            std::uint32_t done = 0;
            try {
                while (!stop.stop_requested()) {
                    if (!box.asked.waitBeyond(done, Clock::now() + kParameterServiceLook)) continue;
                    const std::size_t place = done % PushBox::kPlaces;
                    const ps::PushRequest request = box.requests[place];
                    box.replies[place] = session.push(request);
                    ++done;
                    box.answered.increment();
                }
            } catch (const std::exception& error) {
                service_.logFailure(rank_, error);
                context_.TryCancel();
            }
        }

        void answer(const proto::WorkerMessage& message, ps::ParameterStore::Session& session) {
            switch (message.body_case()) {
                case proto::WorkerMessage::kState:
                    return writeState();
                case proto::WorkerMessage::kBegin:
                    return begin();
                case proto::WorkerMessage::kPullRanges:
                    asks_for_ranges_ = true;
                    return add(asked_, namedIn(message.pull_ranges(), pulledBytes(), "variables"), pulledBytes(), "variables");
                case proto::WorkerMessage::kPull:
                    if (std::exchange(asks_for_ranges_, false)) return writeRanges();
                    pulled_bytes_ += static_cast<std::int64_t>(pulledBytes());
                    return writeValues(pulledBytes());
                case proto::WorkerMessage::kRead:
                    return writeValues(variableBytes());
                case proto::WorkerMessage::kGradients:
                    pushed_bytes_ += static_cast<std::int64_t>(message.gradients().data().size());
                    return place(message.gradients(), region_, "gradients");
                case proto::WorkerMessage::kGradientRows:
                    return placeRows(message.gradient_rows());
                case proto::WorkerMessage::kPush:
                    return push(message.push(), session);
                case proto::WorkerMessage::kGiven:
                    given_.resize(variableBytes());
                    return place(message.given(), given_, "variables");
                case proto::WorkerMessage::kGive:
                    service_.store_.give({.variables = given_,
                                          .updates = message.give().updates(),
                                          .global_step = message.give().global_step(),
                                          .origin = {.epoch = message.give().first_epoch(), .step = message.give().first_step()}});
                    given_ = {};
                    return writeState();
                case proto::WorkerMessage::kEpoch:
                    service_.store_.tellEpoch(rank_, {.epoch = message.epoch().epoch(),
                                                      .whole = message.epoch().whole(),
                                                      .sums = {message.epoch().sums().begin(), message.epoch().sums().end()}});
                    return writeState();
                case proto::WorkerMessage::kEpochSums:
                    return writeEpoch(message.epoch_sums());
                case proto::WorkerMessage::kLearningRate:
                    service_.store_.setLearningRate(message.learning_rate());
                    return writeState();
                case proto::WorkerMessage::kOpenEpochs:
                    service_.store_.openEpochs(message.open_epochs());
                    return writeState();
                case proto::WorkerMessage::kHello:
                case proto::WorkerMessage::kMemory:
                case proto::WorkerMessage::kGoodbye:
                case proto::WorkerMessage::BODY_NOT_SET:
                    throw Error(ErrorCode::kInvalidArgument, "a message that has no place here");
            }
        }

        std::size_t pulledBytes() const { return service_.store_.layout().pulled; }
        std::size_t variableBytes() const { return service_.store_.variableBytes(); }

        proto::State state() const {
            const ps::ServerLink::State now = ps::ServerLink::stateIn(service_.store_.state());
            proto::State told;
            told.set_generation(now.generation);
            told.set_global_step(now.global_step);
            told.set_is_over(now.is_over);
            told.set_chief_is_here(now.chief_is_here);
            told.set_pushes(now.pushes);
            told.set_staleness_sum(now.staleness_sum);
            told.set_largest_staleness(now.largest_staleness);
            told.set_rate_changes(now.rate_changes);
            told.set_learning_rate(now.learning_rate);
            told.set_open_epochs(now.open_epochs);
            told.set_first_epoch(now.origin.epoch);
            told.set_first_step(now.origin.step);
            return told;
        }

        void writeState() {
            proto::ServerMessage reply;
            *reply.mutable_state() = state();
            write(reply);
        }

        void writeEpoch(std::int64_t epoch) {
            const ps::EpochSums sums = service_.store_.epochSums(epoch);
            proto::ServerMessage reply;
            reply.mutable_epoch()->set_epoch(sums.epoch);
            reply.mutable_epoch()->set_whole(sums.whole);
            reply.mutable_epoch()->mutable_sums()->Add(sums.sums.begin(), sums.sums.end());
            write(reply);
        }

        void begin() {
            while (!service_.store_.gate().begin(rank_, Clock::now() + kParameterServiceLook)) {
                if (context_.IsCancelled()) return;
            }
            proto::ServerMessage reply;
            reply.mutable_begun();
            write(reply);
        }

        void writeValues(std::size_t bytes) {
            values_.resize(bytes);
            std::vector<std::int64_t> versions(service_.store_.bucketCount());
            const std::uint64_t generation = ps::copyOut(service_.store_.memory(), service_.store_.layout(),
                                                         std::array{ps::ByteRange{.offset = 0, .bytes = bytes}}, values_, versions);
            for (std::size_t at = 0; at < bytes; at += kPieceBytes) {
                proto::ServerMessage piece;
                piece.mutable_values()->set_offset(at);
                piece.mutable_values()->set_data(values_.data() + at, std::min(kPieceBytes, bytes - at));
                write(piece);
            }
            writePulled(generation, versions);
        }

        // Writes what was asked for, and nothing else.
        void writeRanges() {
            values_.resize(pulledBytes());
            std::vector<std::int64_t> versions(service_.store_.bucketCount());
            const std::uint64_t generation = ps::copyOut(service_.store_.memory(), service_.store_.layout(), asked_, values_, versions);
            proto::ServerMessage piece;
            std::string& data = *piece.mutable_ranges();
            const auto flush = [&] {
                if (data.empty()) return;
                pulled_bytes_ += static_cast<std::int64_t>(data.size());
                write(piece);
                data.clear();
            };
            for (ps::ByteRange left : asked_) {
                while (left.bytes > 0) {
                    if (data.size() == kPieceBytes) flush();
                    const std::size_t part = std::min(left.bytes, kPieceBytes - data.size());
                    data.append(reinterpret_cast<const char*>(values_.data() + left.offset), part);
                    left.offset += part;
                    left.bytes -= part;
                }
            }
            flush();
            asked_.clear();
            writePulled(generation, versions);
        }

        void placeRows(const proto::Ranges& message) {
            const std::vector<ps::ByteRange> rows = namedIn(message, region_.size(), "gradients");
            const std::size_t bytes = std::accumulate(rows.begin(), rows.end(), std::size_t{0},
                                                      [](std::size_t sum, const ps::ByteRange& row) { return sum + row.bytes; });
            if (bytes != message.data().size()) {
                throw Error(ErrorCode::kDataLoss, "gradients: expected " + std::to_string(bytes) + " bytes of rows, got " +
                                                      std::to_string(message.data().size()));
            }
            add(placed_rows_, rows, region_.size(), "gradients");
            const char* data = message.data().data();
            for (const ps::ByteRange& row : rows) {
                std::memcpy(region_.data() + row.offset, data, row.bytes);
                data += row.bytes;
            }
            pushed_bytes_ += static_cast<std::int64_t>(bytes);
        }

        void writePulled(std::uint64_t generation, const std::vector<std::int64_t>& versions) {
            proto::ServerMessage end;
            *end.mutable_pulled()->mutable_state() = state();
            end.mutable_pulled()->mutable_state()->set_generation(generation);
            for (const std::int64_t version : versions) end.mutable_pulled()->add_versions(version);
            write(end);
        }

        void push(const proto::Push& push, ps::ParameterStore::Session& session) {
            const ps::PushReply done = session.push({.generation = push.generation(),
                                                     .seen_version = push.seen_version(),
                                                     .bucket = push.bucket(),
                                                     .learning_rate = push.learning_rate(),
                                                     .ends_step = push.ends_step(),
                                                     .pulled_bytes = std::exchange(pulled_bytes_, 0),
                                                     .pushed_bytes = std::exchange(pushed_bytes_, 0)});
            // The next batch names others.
            for (const ps::ByteRange& row : placed_rows_) std::memset(region_.data() + row.offset, 0, row.bytes);
            placed_rows_.clear();
            proto::ServerMessage reply;
            reply.mutable_pushed()->set_is_void(done.is_void);
            reply.mutable_pushed()->set_staleness(done.staleness);
            reply.mutable_pushed()->set_global_step(done.global_step);
            write(reply);
        }

        void write(const proto::ServerMessage& message) {
            if (!stream_.Write(message)) throw Error(ErrorCode::kUnavailable, "it closed its connection");
        }

        Impl& service_;
        grpc::ServerContext& context_;
        WorkerStream& stream_;
        const int rank_;
        const bool is_encrypted_;
        SharedSegment segment_;  // the worker's
        AlignedMemory memory_;
        std::span<std::byte> region_;
        std::vector<std::byte> values_, given_;
        bool asks_for_ranges_ = false;  // the next pull does; else for all
        std::vector<ps::ByteRange> asked_;
        std::vector<ps::ByteRange> placed_rows_;            // of the region, since the last push
        std::int64_t pulled_bytes_ = 0, pushed_bytes_ = 0;  // over gRPC, since the last push
    };

    // This server may be the second of its index, and know nothing of workers that its predecessor lost.
    void awaitEveryWorker() {
        const MutexLock lock(mutex_);
        const auto now = Clock::now();
        for (auto rank = options_.cluster.servers(); rank < static_cast<int>(options_.cluster.tasks.size()); ++rank) {
            lost_.emplace(rank, now);
        }
        alone_since_ = now;
        chief_away_since_ = now;
    }

    void listen() {
        awaitEveryWorker();
        const std::vector<engine::distribute::TaskName> names = options_.cluster.names();
        const auto own = static_cast<std::size_t>(options_.server);
        const std::string target = resolveTasks(names, own, options_.secret.reach())[own].target;
        grpc::ServerBuilder builder;
        applyServerArguments(builder);
        const auto silence = static_cast<int>(options_.lost_after.count());
        builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 1000);
        builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, silence);
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
        {
            const MutexLock lock(mutex_);  // a worker may be there before the gate has its name
            gate_ = openGate({.secret = options_.secret, .address = target, .tasks = names, .rank = options_.server},
                             {.called = called, .answered = [] {}});
        }
        if (options_.on_listening) options_.on_listening();
    }

    std::optional<ProvenCall> provenBy(const std::string& peer) {
        const MutexLock lock(mutex_);
        return gate_->calledBy(peer);
    }

    void tellFailure(int rank, WorkerStream& stream, const std::exception& error) const noexcept {
        logFailure(rank, error);
        try {
            proto::ServerMessage failure;
            failure.set_failure(shortened(error.what()));
            stream.Write(failure);
        } catch (const std::exception&) {  // the worker sees the end of its call, without a reason
        }
    }

    void logFailure(int rank, const std::exception& error) const noexcept {
        try {
            if (options_.on_log) options_.on_log(taskName(rank) + ": " + error.what());
        } catch (const std::exception&) {  // a log that takes no more is nothing to end a call by
        }
    }

    // Returns why the worker is refused; empty: it is welcome.
    std::string whyRefused(const proto::WorkerHello& hello, const agent::worker::Call& proven) const {
        if (hello.protocol() != kParameterServiceProtocol) {
            return "it speaks protocol " + std::to_string(hello.protocol()) + ", expected " + std::to_string(kParameterServiceProtocol);
        }
        if (hello.cluster() != options_.cluster.text()) return "it belongs to another cluster";
        const spec::TaskId task{hello.task().type(), hello.task().index()};
        const auto& tasks = options_.cluster.tasks;
        const auto found = std::find(tasks.begin(), tasks.end(), task);
        const auto rank = static_cast<int>(found - tasks.begin());
        if (found == tasks.end() || task.type == "ps") return "it is no worker of this cluster";
        if (proven.purpose != Purpose::kParameters || proven.caller != rank || proven.called != options_.server) {
            return "it has proven to be another task";
        }
        if (hello.project() != options_.cluster.project) {
            return "expected the project of " + name() + ", got one with another model, data, compile, fit, callbacks or strategy";
        }
        return {};
    }

    // A worker that comes again is a new process: what is left of the old one's call ends first.
    bool enter(int rank, grpc::ServerContext& context) {
        constexpr auto kOldOneEnds = 5s;
        MutexLock lock(mutex_);
        if (const auto old = callers_.find(rank); old != callers_.end()) old->second->TryCancel();
        const bool is_free = changed_.wait_for(lock, kOldOneEnds, [&]() TANDEM_REQUIRES(mutex_) { return !callers_.contains(rank); });
        if (!is_free) return false;
        callers_[rank] = &context;
        lost_.erase(rank);
        if (rank == options_.cluster.chief()) {
            chief_was_here_ = true;
            chief_away_since_.reset();
            store_.setChiefHere(true);
        }
        tellWorkers();
        return true;
    }

    void leave(int rank, const grpc::ServerContext& context, Ending ending) {
        const MutexLock lock(mutex_);
        if (const auto found = callers_.find(rank); found != callers_.end() && found->second == &context) {
            const auto now = Clock::now();
            callers_.erase(found);
            alone_since_ = now;
            if (ending == Ending::kLost) lost_[rank] = now;
            if (rank == options_.cluster.chief()) noteAwayChief(now);
        }
        changed_.notify_all();
        tellWorkers();
    }

    // A worker that was lost may be started again: it finds the run complete and ends well, where without a server it would wait for one.
    bool awaitsTheLost() const TANDEM_REQUIRES(mutex_) {
        return std::any_of(lost_.begin(), lost_.end(),
                           [&](const auto& one) { return Clock::now() - one.second < options_.returns_within; });
    }

    void noteAwayChief(Clock::time_point now) TANDEM_REQUIRES(mutex_) {
        chief_away_since_ = now;
        store_.setChiefHere(false);
        if (!options_.is_coordinated || complete_ || !options_.on_log) return;
        try {
            options_.on_log(placeOf(options_.cluster.chief()) + " is gone; it may come back within " + startTimeoutText());
        } catch (const std::exception&) {  // its call ends all the same
        }
    }

    // Workers that have something to do without their chief may do it, and give up later than they hear that it is gone.
    // A chief that is away was so no later than the last worker left: whenever a server is alone for too long, this holds as well.
    bool isLeftByItsChief(Clock::time_point now) const TANDEM_REQUIRES(mutex_) {
        const bool may_end = options_.is_coordinated && !options_.serves_forever && !complete_ && callers_.empty();
        return may_end && options_.cluster.chief() >= 0 && chief_away_since_ && now - *chief_away_since_ > options_.start_timeout;
    }

    [[noreturn]] void throwChiefGone() {
        const MutexLock lock(mutex_);
        const std::string chief = placeOf(options_.cluster.chief());
        throw engine::distribute::PeerLost(chief_was_here_ ? chief + " is gone: expected it back within " + startTimeoutText()
                                                           : name() + ": gave up waiting for " + chief + " after " + startTimeoutText());
    }

    void tellWorkers() TANDEM_REQUIRES(mutex_) {
        if (!options_.on_workers) return;
        std::vector<spec::TaskId> tasks;
        for (const auto& [rank, context] : callers_) tasks.push_back(options_.cluster.tasks[static_cast<std::size_t>(rank)]);
        options_.on_workers(tasks);
    }

    void complete() {
        store_.end();
        const MutexLock lock(mutex_);
        complete_ = true;
    }

    std::string name() const { return taskName(options_.server); }
    std::string taskName(int rank) const { return toString(options_.cluster.tasks[static_cast<std::size_t>(rank)]); }
    // "chief 0 at localhost:2222"
    std::string placeOf(int rank) const { return toString(options_.cluster.names()[static_cast<std::size_t>(rank)]); }
    std::string startTimeoutText() const {
        return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(options_.start_timeout).count()) + " s";
    }
    static std::string shortened(const std::string& text) { return convert::shortened(text, convert::kMaxMessageText); }

    const ParameterServiceOptions options_;
    ps::ParameterStore& store_;
    const SharedSegment* const segment_;
    std::string no_segment_;
    std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor_;
    std::unique_ptr<grpc::Server> server_;
    std::unique_ptr<ConnectionGate> gate_;

    Mutex mutex_;
    std::condition_variable_any changed_;
    std::map<int, grpc::ServerContext*> callers_ TANDEM_GUARDED_BY(mutex_);  // by rank
    std::map<int, Clock::time_point> lost_ TANDEM_GUARDED_BY(mutex_);        // by rank: who may come back, and since when
    bool complete_ TANDEM_GUARDED_BY(mutex_) = false;
    bool chief_was_here_ TANDEM_GUARDED_BY(mutex_) = false;
    Clock::time_point alone_since_ TANDEM_GUARDED_BY(mutex_);                      // when the last caller left, if there is none
    std::optional<Clock::time_point> chief_away_since_ TANDEM_GUARDED_BY(mutex_);  // nullopt: it is connected
};

ParameterService::ParameterService(ParameterServiceOptions options, ps::ParameterStore& store, const SharedSegment* segment,
                                   std::string no_segment)
    : impl_(std::make_unique<Impl>(std::move(options), store, segment, std::move(no_segment))) {}

ParameterService::~ParameterService() = default;

void ParameterService::serve() {
    impl_->serve();
    impl_->shutDown();
}

}  // namespace agent::worker
