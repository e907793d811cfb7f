#include "agent/transport/parameter_links.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <optional>
#include <thread>
#include <utility>

#include "agent/proto/parameters.grpc.pb.h"
#include "agent/transport/connection_gate.h"
#include "agent/transport/grpc_channel.h"
#include "agent/transport/push_box.h"
#include "agent/wire/size_limits.h"
#include "engine/distribute/aligned_memory.h"
#include "engine/distribute/shared_segment.h"
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

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kParameterLinksProtocol = 4;
constexpr auto kParameterLinksLook = 50ms;  // at what may have ended while an answer is awaited
constexpr auto kLongest = 1h;               // of one answer while the server is alive
constexpr auto kServerGoodbyeMore = 2s;     // than a silent server is waited for
constexpr auto kServerHelloWithin = 20s;    // a server that was called has to say something

// Puts bytes that come one after another to the places that were asked for.
class RangeWriter {
public:
    RangeWriter(std::span<const ps::ByteRange> ranges, std::span<std::byte> values) : ranges_(ranges), values_(values) {}

    // False for more than was asked for.
    bool write(std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            if (isFull()) return false;
            const ps::ByteRange& range = ranges_.front();
            const std::size_t part = std::min(bytes.size(), range.bytes - done_);
            std::memcpy(values_.data() + range.offset + done_, bytes.data(), part);
            bytes = bytes.subspan(part);
            done_ += part;
            if (done_ < range.bytes) continue;
            ranges_ = ranges_.subspan(1);
            done_ = 0;
        }
        return true;
    }
    bool isFull() const { return ranges_.empty(); }

private:
    std::span<const ps::ByteRange> ranges_;  // not full yet
    std::span<std::byte> values_;
    std::size_t done_ = 0;  // of the first
};

// One server's call.
class RemoteLink final : public ps::ServerLink {
public:
    RemoteLink(std::string server, convert::FileDescriptor socket, const ParameterLinksOptions& options, std::size_t index, bool is_here)
        : server_(std::move(server)),
          is_here_(is_here),
          options_(options),
          index_(index),
          layout_(ps::storeLayout(options.plans->servers[index].front().plan, options.plans->worker.buckets.size())),
          stub_(proto::Parameters::NewStub(channelOver(std::move(socket), options.lost_after))),
          stream_(stub_->Serve(&context_)) {
        reader_ = std::jthread([this] { readAll(); });
    }

    ~RemoteLink() override {
        context_.TryCancel();
        reader_ = {};
        // Every call of a stream must be over before its context goes; what it ended with is known.
        [[maybe_unused]] const grpc::Status status = stream_->Finish();
    }

    // Hello both ways. Throws Error(kFailedPrecondition) for a refusal. `own` is this task's segment; null where there is none.
    void meet(const SharedSegment* own, const std::string& no_segment, std::span<std::byte> region) {
        region_ = region;
        proto::WorkerMessage message;
        proto::WorkerHello& hello = *message.mutable_hello();
        const spec::TaskId& task = options_.cluster.tasks[static_cast<std::size_t>(options_.rank)];
        hello.set_protocol(kParameterLinksProtocol);
        hello.set_cluster(options_.cluster.text());
        hello.mutable_task()->set_type(task.type);
        hello.mutable_task()->set_index(task.index);
        hello.set_project(options_.cluster.project);
        hello.set_boot_id(engine::distribute::machineBootId());
        if (own != nullptr) {
            const std::vector<std::byte> address = encode(own->address());
            hello.set_segment(address.data(), address.size());
        } else {
            hello.set_no_segment(no_segment);
        }
        write(message);
        const proto::ServerMessage reply = await(proto::ServerMessage::kHello, Clock::now() + kServerHelloWithin);
        if (!reply.hello().refusal().empty()) {
            throw Error(ErrorCode::kFailedPrecondition, "refused by " + server_ + ": " + convert::shortened(reply.hello().refusal()));
        }
        const std::string why_not = own == nullptr ? no_segment : tryMemory(reply.hello());
        proto::WorkerMessage answer;
        answer.mutable_memory()->set_usable(why_not.empty());
        write(answer);
        if (why_not.empty() && reply.hello().usable()) {
            box_ = &boxOf(own->span(), index_);
        } else if (options_.offer_shared_memory && options_.on_log) {
            options_.on_log("no shared memory with " + server_ + ": " +
                            (why_not.empty() ? convert::shortened(reply.hello().reason()) : why_not));
        }
    }

    // Waits until the server has heard it: one that is busy would take a call that ends before that for a worker that was lost, and might
    // never hear that the run is complete. A server that gives no sign of life ends the call.
    void sayGoodbye(bool complete) {
        proto::WorkerMessage message;
        message.mutable_goodbye()->set_complete(complete);
        if (!stream_->Write(message) || !stream_->WritesDone()) return;  // it is gone already
        MutexLock lock(mutex_);
        changed_.wait_for(lock, options_.lost_after + kServerGoodbyeMore, [this]() TANDEM_REQUIRES(mutex_) { return ended_; });
    }

    State state() override {
        if (box_ != nullptr) {
            check();
            return ownState();
        }
        proto::WorkerMessage message;
        message.mutable_state();
        write(message);
        return stateOf(await(proto::ServerMessage::kState, Clock::now() + kLongest).state());
    }

    void give(const ps::GivenValues& values) override {
        for (std::size_t at = 0; at < values.variables.size(); at += kPieceBytes) {
            proto::WorkerMessage piece;
            piece.mutable_given()->set_offset(at);
            piece.mutable_given()->set_data(values.variables.data() + at, std::min(kPieceBytes, values.variables.size() - at));
            write(piece);
        }
        proto::WorkerMessage message;
        message.mutable_give()->set_updates(values.updates);
        message.mutable_give()->set_global_step(values.global_step);
        message.mutable_give()->set_first_epoch(values.origin.epoch);
        message.mutable_give()->set_first_step(values.origin.step);
        write(message);
        await(proto::ServerMessage::kState, Clock::now() + kLongest);
    }

    void begin(Clock::time_point deadline) override {
        proto::WorkerMessage message;
        message.mutable_begin();
        write(message);
        await(proto::ServerMessage::kBegun, deadline);
    }

    State pull(std::span<const ps::ByteRange> ranges, std::span<std::byte> values, std::span<std::int64_t> versions) override {
        if (box_ != nullptr) {
            check();
            State state = ownState();
            state.generation = ps::copyOut(segment_.span(), layout_, ranges, values, versions);
            return state;
        }
        const bool is_whole = ranges.size() == 1 && ranges.front() == ps::ByteRange{.offset = 0, .bytes = layout_.pulled};
        if (!is_whole) askFor(ranges);
        proto::WorkerMessage message;
        message.mutable_pull();
        return fetch(message, is_whole ? std::nullopt : std::optional(ranges), values, versions);
    }

    void read(std::span<std::byte> variables) override {
        std::vector<std::int64_t> versions(options_.plans->worker.buckets.size());
        if (box_ != nullptr) {
            check();
            ps::copyOut(segment_.span(), layout_, std::array{ps::ByteRange{.offset = 0, .bytes = variables.size()}}, variables, versions);
            return;
        }
        proto::WorkerMessage message;
        message.mutable_read();
        fetch(message, std::nullopt, variables, versions);
    }

    void startPush(const ps::PushRequest& request, const ps::PushedRanges& ranges) override {
        if (box_ != nullptr) {
            while (asked_ - taken_ >= PushBox::kPlaces) early_.push_back(takeAnswer());
            box_->requests[asked_ % PushBox::kPlaces] = request;
            ++asked_;
            box_->asked.increment();
            return;
        }
        sendGradients(ranges.whole);
        sendRows(ranges.rows);
        proto::WorkerMessage message;
        proto::Push& push = *message.mutable_push();
        push.set_generation(request.generation);
        push.set_seen_version(request.seen_version);
        push.set_bucket(request.bucket);
        push.set_learning_rate(request.learning_rate);
        push.set_ends_step(request.ends_step);
        write(message);
    }

    ps::PushReply awaitPush() override {
        if (box_ != nullptr) {
            if (early_.empty()) return takeAnswer();
            const ps::PushReply reply = early_.front();
            early_.pop_front();
            return reply;
        }
        const proto::Pushed pushed = await(proto::ServerMessage::kPushed, Clock::now() + kLongest).pushed();
        return {.is_void = pushed.is_void(), .staleness = pushed.staleness(), .global_step = pushed.global_step()};
    }

    void tellEpoch(const ps::EpochSums& sums) override {
        proto::WorkerMessage message;
        message.mutable_epoch()->set_epoch(sums.epoch);
        message.mutable_epoch()->set_whole(sums.whole);
        message.mutable_epoch()->mutable_sums()->Add(sums.sums.begin(), sums.sums.end());
        write(message);
        await(proto::ServerMessage::kState, Clock::now() + kLongest);
    }

    ps::EpochSums epochSums(std::int64_t epoch) override {
        proto::WorkerMessage message;
        message.set_epoch_sums(epoch);
        write(message);
        const proto::EpochSums told = await(proto::ServerMessage::kEpoch, Clock::now() + kLongest).epoch();
        return {.epoch = told.epoch(), .whole = told.whole(), .sums = {told.sums().begin(), told.sums().end()}};
    }

    void setLearningRate(float rate) override {
        proto::WorkerMessage message;
        message.set_learning_rate(rate);
        write(message);
        await(proto::ServerMessage::kState, Clock::now() + kLongest);
    }

    void openEpochs(std::int64_t epochs) override {
        proto::WorkerMessage message;
        message.set_open_epochs(epochs);
        write(message);
        await(proto::ServerMessage::kState, Clock::now() + kLongest);
    }

    std::string way() const override { return box_ != nullptr ? "shared memory" : is_here_ ? "gRPC" : "gRPC over TLS"; }
    const std::string& server() const { return server_; }

private:
    static State stateOf(const proto::State& told) {
        return {.generation = told.generation(),
                .global_step = told.global_step(),
                .is_over = told.is_over(),
                .chief_is_here = told.chief_is_here(),
                .pushes = told.pushes(),
                .staleness_sum = told.staleness_sum(),
                .largest_staleness = told.largest_staleness(),
                .rate_changes = told.rate_changes(),
                .learning_rate = told.learning_rate(),
                .open_epochs = told.open_epochs(),
                .origin = {.epoch = told.first_epoch(), .step = told.first_step()}};
    }
    State ownState() const { return stateIn(*reinterpret_cast<const ps::StoreState*>(segment_.span().data())); }

    std::string tryMemory(const proto::ServerHello& hello) {
        if (hello.segment().empty()) return hello.no_segment().empty() ? "it offers none" : convert::shortened(hello.no_segment());
        if (hello.boot_id().empty() || hello.boot_id() != engine::distribute::machineBootId()) return "the tasks are on different machines";
        const auto address = engine::distribute::decodeSegmentAddress(std::as_bytes(std::span(hello.segment())));
        if (!address || address->bytes != layout_.bytes) return "unknown kind of segment";
        try {
            segment_ = SharedSegment::open(*address);
            return {};
        } catch (const Error& error) {
            return error.what();
        }
    }

    ps::PushReply takeAnswer() {
        const auto deadline = Clock::now() + kLongest;
        while (!box_->answered.waitBeyond(taken_, Clock::now() + kParameterLinksLook)) {
            check();
            if (Clock::now() > deadline) throw Error(ErrorCode::kDeadlineExceeded, server_ + " did not apply a push in time");
        }
        const ps::PushReply reply = box_->replies[taken_ % PushBox::kPlaces];
        ++taken_;
        return reply;
    }

    void sendGradients(std::span<const ps::ByteRange> ranges) {
        for (const ps::ByteRange& range : ranges) {
            const std::span<const std::byte> bytes = region_.subspan(range.offset, range.bytes);
            for (std::size_t at = 0; at < bytes.size(); at += kPieceBytes) {
                proto::WorkerMessage piece;
                piece.mutable_gradients()->set_offset(range.offset + at);
                piece.mutable_gradients()->set_data(bytes.data() + at, std::min(kPieceBytes, bytes.size() - at));
                write(piece);
            }
        }
    }

    void sendRows(std::span<const ps::ByteRange> ranges) {
        inMessages(ranges, [this](std::span<const ps::ByteRange> some) {
            proto::WorkerMessage message;
            proto::Ranges& rows = *message.mutable_gradient_rows();
            name(some, rows);
            for (const ps::ByteRange& range : some) {
                const std::span<const std::byte> bytes = region_.subspan(range.offset, range.bytes);
                rows.mutable_data()->append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
            }
            write(message);
        });
    }

    // No range, too, is a question: the batch may name no row of a shard.
    void askFor(std::span<const ps::ByteRange> ranges) {
        if (ranges.empty()) {
            proto::WorkerMessage message;
            message.mutable_pull_ranges();
            return write(message);
        }
        inMessages(ranges, [this](std::span<const ps::ByteRange> some) {
            proto::WorkerMessage message;
            name(some, *message.mutable_pull_ranges());
            write(message);
        });
    }

    static void name(std::span<const ps::ByteRange> ranges, proto::Ranges& message) {
        for (const ps::ByteRange& range : ranges) {
            message.add_offsets(range.offset);
            message.add_sizes(static_cast<std::uint32_t>(range.bytes));
        }
    }

    // Calls `send` with ranges that fit into one message; a range that does not fit is cut.
    template <typename Send>
    static void inMessages(std::span<const ps::ByteRange> ranges, Send send) {
        std::vector<ps::ByteRange> some;
        std::size_t bytes = 0;
        const auto flush = [&] {
            if (!some.empty()) send(std::span<const ps::ByteRange>(some));
            some.clear();
            bytes = 0;
        };
        for (ps::ByteRange left : ranges) {
            while (left.bytes > 0) {
                if (bytes == kPieceBytes || some.size() == kMostRanges) flush();
                const std::size_t part = std::min(left.bytes, kPieceBytes - bytes);
                some.push_back({.offset = left.offset, .bytes = part});
                bytes += part;
                left.offset += part;
                left.bytes -= part;
            }
        }
        flush();
    }

    // Values arrive at their offsets, or, where `ranges` were asked for, one range after another.
    State fetch(const proto::WorkerMessage& request, std::optional<std::span<const ps::ByteRange>> ranges, std::span<std::byte> values,
                std::span<std::int64_t> versions) {
        write(request);
        const auto deadline = Clock::now() + kLongest;
        RangeWriter asked(ranges.value_or(std::span<const ps::ByteRange>()), values);
        while (true) {
            const proto::ServerMessage message = next(deadline);
            if (message.has_pulled()) {
                const bool fits = asked.isFull() && static_cast<std::size_t>(message.pulled().versions_size()) == versions.size();
                if (!fits) break;
                std::copy(message.pulled().versions().begin(), message.pulled().versions().end(), versions.begin());
                return stateOf(message.pulled().state());
            }
            if (message.body_case() == proto::ServerMessage::kRanges) {
                if (!asked.write(std::as_bytes(std::span(message.ranges())))) break;
                continue;
            }
            const proto::Piece& piece = message.values();
            const bool fits =
                message.has_values() && !ranges && piece.offset() <= values.size() && piece.data().size() <= values.size() - piece.offset();
            if (!fits) break;
            std::memcpy(values.data() + piece.offset(), piece.data().data(), piece.data().size());
        }
        throw Error(ErrorCode::kDataLoss, server_ + ": expected the variables of this project, got others");
    }

    void write(const proto::WorkerMessage& message) {
        if (!stream_->Write(message)) {
            // The reader hears why.
            MutexLock lock(mutex_);
            changed_.wait_for(lock, 1s, [this]() TANDEM_REQUIRES(mutex_) { return ended_; });
            throwEnded();
        }
    }

    proto::ServerMessage await(proto::ServerMessage::BodyCase expected, Clock::time_point deadline) {
        proto::ServerMessage message = next(deadline);
        if (message.body_case() != expected) throw Error(ErrorCode::kDataLoss, server_ + ": it answered what was not asked");
        return message;
    }

    proto::ServerMessage next(Clock::time_point deadline) {
        MutexLock lock(mutex_);
        const bool came = changed_.wait_until(lock, deadline, [this]() TANDEM_REQUIRES(mutex_) { return ended_ || !received_.empty(); });
        if (!came) throw Error(ErrorCode::kDeadlineExceeded, server_ + " is alive but did not answer in time");
        if (received_.empty()) throwEnded();
        proto::ServerMessage message = std::move(received_.front());
        received_.pop_front();
        if (message.body_case() == proto::ServerMessage::kFailure) {
            throw Error(ErrorCode::kUnavailable, server_ + ": " + convert::shortened(message.failure()));
        }
        return message;
    }

    void check() {
        const MutexLock lock(mutex_);
        if (ended_) throwEnded();
    }

    [[noreturn]] void throwEnded() const { throw Error(ErrorCode::kUnavailable, server_ + " is lost: it closed its connection"); }

    // Runs on a thread of its own, so that the end of the connection is known at once, whatever the task does.
    void readAll() {
        proto::ServerMessage message;
        while (stream_->Read(&message)) {
            const MutexLock lock(mutex_);
            received_.push_back(std::move(message));
            changed_.notify_all();
        }
        const MutexLock lock(mutex_);
        ended_ = true;
        changed_.notify_all();
    }

    const std::string server_;  // "ps 0 at localhost:2222"
    const bool is_here_;        // on this computer
    const ParameterLinksOptions& options_;
    const std::size_t index_;
    const ps::StoreLayout layout_;
    grpc::ClientContext context_;
    const std::unique_ptr<proto::Parameters::Stub> stub_;
    const std::unique_ptr<grpc::ClientReaderWriter<proto::WorkerMessage, proto::ServerMessage>> stream_;
    SharedSegment segment_;   // the server's
    PushBox* box_ = nullptr;  // in this task's segment; null over gRPC
    std::span<std::byte> region_;
    std::uint32_t asked_ = 0, taken_ = 0;
    std::deque<ps::PushReply> early_;  // answers that had to make room

    Mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<proto::ServerMessage> received_ TANDEM_GUARDED_BY(mutex_);
    bool ended_ TANDEM_GUARDED_BY(mutex_) = false;
    std::jthread reader_;
};

std::string wholeSecondsText(std::chrono::milliseconds time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

}  // namespace

class ParameterLinks::Impl {
public:
    explicit Impl(const ParameterLinksOptions& options) : options_(options), links_(static_cast<std::size_t>(options.cluster.servers())) {
        makeRegion();
        connect();
    }

    void leave(bool complete) {
        for (const auto& link : links_) link->sayGoodbye(complete);
    }
    std::vector<ps::ServerLink*> links() const {
        std::vector<ps::ServerLink*> all;
        for (const auto& link : links_) all.push_back(link.get());
        return all;
    }
    std::span<std::byte> region() const { return region_; }
    std::string describe() const {
        std::string text;
        for (std::size_t k = 0; k < links_.size(); ++k) {
            text += (k == 0 ? "" : "\n") + taskName(options_.rank) + " <-> " + taskName(static_cast<int>(k)) + ": " + links_[k]->way();
        }
        return text;
    }

private:
    std::string taskName(int rank) const { return toString(options_.cluster.tasks[static_cast<std::size_t>(rank)]); }
    std::string placeOf(std::size_t server) const {
        return toString(engine::distribute::TaskName{taskName(static_cast<int>(server)), options_.cluster.addresses[server]});
    }

    std::size_t regionBytes() const { return static_cast<std::size_t>(options_.plans->worker.shared_bytes); }

    void makeRegion() {
        if (!options_.offer_shared_memory) no_segment_ = "transport is set to grpc";
        try {
            if (no_segment_.empty()) segment_ = SharedSegment::create(segmentBytes(links_.size(), regionBytes()));
        } catch (const Error& error) {
            no_segment_ = error.what();
        }
        if (no_segment_.empty()) {
            region_ = gradientsIn(segment_.span(), links_.size());
        } else {
            memory_ = AlignedMemory(std::max<std::size_t>(regionBytes(), 64));
            region_ = memory_.span();
        }
    }

    std::unique_ptr<ConnectionGate> listen(const std::string& own) const {
        // Nobody calls a worker: who does is let go.
        auto gate = openGate({.secret = options_.secret, .address = own, .tasks = options_.cluster.names(), .rank = options_.rank},
                             {.called = [](Connection&&) {}, .answered = [] {}});
        if (options_.on_listening) options_.on_listening();
        return gate;
    }

    void connect() {
        const auto rank = static_cast<std::size_t>(options_.rank);
        places_ = resolveTasks(options_.cluster.names(), rank, options_.secret.reach());
        const std::unique_ptr<ConnectionGate> gate = listen(places_[rank].target);
        for (std::size_t k = 0; k < links_.size(); ++k) dial(*gate, k);
        const auto start = Clock::now();
        auto report_at = start + options_.waiting_report;
        while (!missing().empty()) {
            const auto now = Clock::now();  // before the look: what came while this thread got no processor is seen before the time is up
            for (Connection& connection : gate->takeAnswered()) {
                const auto server = static_cast<std::size_t>(connection.proven.call.called);
                if (!tryMeeting(server, std::move(connection.socket))) dial(*gate, server);
            }
            if (missing().empty()) return;
            std::this_thread::sleep_for(2ms);
            if (options_.is_cancelled && options_.is_cancelled())
                throw Error(ErrorCode::kCancelled, "stopped while waiting for " + missingNames());
            if (now - start >= options_.start_timeout) {
                throw Error(ErrorCode::kDeadlineExceeded, taskName(options_.rank) + ": gave up waiting for " + missingNames() + " after " +
                                                              wholeSecondsText(options_.start_timeout) + obstacles(*gate));
            }
            if (now >= report_at && options_.on_waiting) {
                report_at += options_.waiting_report;
                options_.on_waiting("waiting for " + missingNames() + " (" +
                                        wholeSecondsText(std::chrono::duration_cast<std::chrono::milliseconds>(now - start)) + " of " +
                                        wholeSecondsText(options_.start_timeout) + ")" + obstacles(*gate),
                                    missing());
            }
        }
    }

    void dial(ConnectionGate& gate, std::size_t server) const {
        gate.dial({Purpose::kParameters, options_.rank, static_cast<int>(server)}, places_[server]);
    }

    // False: it went away while they met.
    bool tryMeeting(std::size_t server, convert::FileDescriptor socket) {
        auto link = std::make_unique<RemoteLink>(placeOf(server), std::move(socket), options_, server, places_[server].is_here);
        try {
            link->meet(no_segment_.empty() ? &segment_ : nullptr, no_segment_, region_);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::kFailedPrecondition) throw;
            return false;
        }
        links_[server] = std::move(link);
        return true;
    }

    std::vector<spec::TaskId> missing() const {
        std::vector<spec::TaskId> tasks;
        for (std::size_t k = 0; k < links_.size(); ++k) {
            if (!links_[k]) tasks.push_back(options_.cluster.tasks[k]);
        }
        return tasks;
    }
    std::string missingNames() const {
        std::string names;
        for (std::size_t k = 0; k < links_.size(); ++k) {
            if (!links_[k]) names += (names.empty() ? "" : ", ") + placeOf(k);
        }
        return names;
    }
    std::string obstacles(const ConnectionGate& gate) const {
        std::vector<int> ranks;
        for (std::size_t k = 0; k < links_.size(); ++k) {
            if (!links_[k]) ranks.push_back(static_cast<int>(k));
        }
        return gate.obstaclesTo(ranks);
    }

    const ParameterLinksOptions options_;
    std::vector<TaskPlace> places_;  // by rank
    std::string no_segment_;
    SharedSegment segment_;
    AlignedMemory memory_;
    std::span<std::byte> region_;
    std::vector<std::unique_ptr<RemoteLink>> links_;  // by server; null until it has answered
};

ParameterLinks::ParameterLinks(const ParameterLinksOptions& options) : impl_(std::make_unique<Impl>(options)) {}
ParameterLinks::~ParameterLinks() = default;

std::vector<ps::ServerLink*> ParameterLinks::links() const {
    return impl_->links();
}
std::span<std::byte> ParameterLinks::region() const {
    return impl_->region();
}
std::string ParameterLinks::describe() const {
    return impl_->describe();
}
void ParameterLinks::leave(bool complete) {
    impl_->leave(complete);
}

}  // namespace agent::worker
