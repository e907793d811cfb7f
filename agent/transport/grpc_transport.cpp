#include "agent/transport/grpc_transport.h"

#include <algorithm>
#include <thread>

#include "agent/transport/peer_links.h"
#include "engine/distribute/aligned_memory.h"
#include "engine/distribute/byte_pipe.h"
#include "engine/distribute/loopback.h"
#include "engine/distribute/ring.h"
#include "engine/distribute/shared_segment.h"
#include "engine/spec/error.h"
#include "engine/thread/usable_cores.h"

namespace agent::worker {
namespace {

using engine::Error;
using engine::ErrorCode;
using engine::distribute::AlignedMemory;
using engine::distribute::BytePipe;
using engine::distribute::Edges;
using engine::distribute::Message;
using engine::distribute::PeerHealth;
using engine::distribute::SharedSegment;
using engine::distribute::TaskName;
using engine::spec::TransportChoice;

// Each edge over what its two ends agreed on. A task's segment holds a pipe for each task that it sends to, in order of rank.
class WorkerTransport final : public engine::distribute::Transport {
public:
    WorkerTransport(LinkOptions options, std::vector<TaskName> names)
        : rank_(options.rank),
          edges_(options.edges),
          health_(std::move(names)),
          faults_(options.faults),
          links_(withSegments(std::move(options)), health_),
          outgoing_(static_cast<std::size_t>(size())),
          incoming_(static_cast<std::size_t>(size())) {}

    ~WorkerTransport() override = default;

    // Called before anything else.
    void connect() {
        links_.connect();
        for (const int peer : edges_.from(rank_)) open(outgoing_, peer, links_.ownSegment(), edges_.placeOf(rank_, peer));
        for (const int peer : edges_.to(rank_)) open(incoming_, peer, links_.peerSegment(peer), edges_.placeOf(peer, rank_));
    }
    void requireSharedMemory() const {
        for (int peer = 0; peer < size(); ++peer) {
            if (peer == rank_ || links_.sharesMemory(peer) || !links_.isLinked(peer)) continue;
            throw Error(ErrorCode::kFailedPrecondition,
                        "transport shm: " + health_.name(rank_).task + " cannot share memory with " + toString(health_.name(peer)));
        }
    }

    int rank() const override { return rank_; }
    int size() const override { return edges_.size(); }
    const Edges& edges() const override { return edges_; }
    PeerHealth& health() override { return health_; }
    std::string link(int peer) const override {
        return links_.sharesMemory(peer) ? "shared memory" : links_.isHere(peer) ? "gRPC" : "gRPC over TLS";
    }
    int tasksHere() const {
        int tasks = 0;
        for (int peer = 0; peer < size(); ++peer) tasks += links_.isHere(peer) ? 1 : 0;
        return tasks;
    }

    std::size_t maxMessageBytes(int peer) const override { return pipeTo(peer) ? BytePipe::kSlotBytes : DataStreams::kMessageBytes; }
    bool trySend(int peer, std::uint64_t tag, std::span<const std::byte> bytes) override {
        if (faults_ != nullptr && faults_->any() && !faults_->maySend(peer)) return false;
        BytePipe* const pipe = pipeTo(peer);
        return pipe ? pipe->trySend(tag, bytes) : links_.data().trySend(peer, tag, bytes);
    }
    const Message* tryReceive(int peer) override {
        if (faults_ != nullptr && faults_->any() && faults_->cutSince(peer)) return nullptr;
        BytePipe* const pipe = pipeFrom(peer);
        return pipe ? pipe->tryReceive() : links_.data().tryReceive(peer);
    }
    void release(int peer) override {
        BytePipe* const pipe = pipeFrom(peer);
        pipe ? pipe->release() : links_.data().release(peer);
    }
    bool drained(int peer) const override { return pipeTo(peer) || links_.data().drained(peer); }
    void poll(std::chrono::microseconds may_block) override {
        if (has_streams_) {
            // A pipe cannot wake us: with one beside the streams only a short nap is safe.
            links_.data().poll(has_pipes_ ? std::min(may_block, std::chrono::microseconds(100)) : may_block);
        } else if (may_block.count() > 0) {
            std::this_thread::sleep_for(may_block);
        }
    }

    Region allocateRegion(std::size_t bytes) override {
        if (sharesWithAll()) {
            own_region_ = SharedSegment::create(bytes);
            return {own_region_.span(), encode(own_region_.address())};
        }
        private_region_ = AlignedMemory(bytes);
        return {private_region_.span(), {}};
    }
    std::span<std::byte> peerView(int peer, std::span<const std::byte> address) override {
        const auto segment = engine::distribute::decodeSegmentAddress(address);
        if (!segment || !links_.sharesMemory(peer)) return {};
        try {
            return peer_regions_.emplace_back(SharedSegment::open(*segment)).span();
        } catch (const Error&) {
            return {};  // all members then go without: the ring finds out
        }
    }

    void leave(const std::string& failure) override { links_.leave(failure); }

private:
    using Pipes = std::vector<std::unique_ptr<BytePipe>>;  // by the other end; null where gRPC carries the bytes, or nothing does

    // A pipe for each edge from the task, and memory at least for the proof that it can be shared.
    static LinkOptions withSegments(LinkOptions options) {
        for (int rank = 0; rank < options.edges.size(); ++rank) {
            options.segment_bytes.push_back(BytePipe::kBytes * std::max<std::size_t>(options.edges.from(rank).size(), 1));
        }
        return options;
    }
    void open(Pipes& pipes, int peer, std::span<std::byte> segment, std::size_t place) {
        if (!links_.sharesMemory(peer)) {
            has_streams_ = true;
            return;
        }
        has_pipes_ = true;
        pipes[static_cast<std::size_t>(peer)] = std::make_unique<BytePipe>(segment.subspan(place * BytePipe::kBytes, BytePipe::kBytes));
    }
    BytePipe* pipeTo(int peer) const { return outgoing_[static_cast<std::size_t>(peer)].get(); }
    BytePipe* pipeFrom(int peer) const { return incoming_[static_cast<std::size_t>(peer)].get(); }
    bool sharesWithAll() const {
        for (int peer = 0; peer < size(); ++peer) {
            if (peer != rank_ && !links_.sharesMemory(peer)) return false;
        }
        return true;
    }

    const int rank_;
    const Edges edges_;
    PeerHealth health_;
    LinkFaults* const faults_;  // null: none
    SharedSegment own_region_;
    AlignedMemory private_region_;
    std::vector<SharedSegment> peer_regions_;
    PeerLinks links_;
    Pipes outgoing_, incoming_;
    bool has_pipes_ = false, has_streams_ = false;
};

std::string clusterText(const std::vector<TaskName>& names) {
    std::string text;
    for (const TaskName& name : names) text += name.task + " " + name.address + "\n";
    return text;
}

std::unique_ptr<WorkerTransport> connectWorker(const engine::spec::TaskPlan& plan, const engine::spec::TfConfig& config, const Edges& edges,
                                               TransportChoice transport, const LinkSecret& secret, const ConnectOptions& options,
                                               const ConnectCallbacks& callbacks) {
    LinkOptions links;
    links.rank = plan.rank;
    links.tasks = config.cluster.trainingTasks();
    std::vector<TaskName> names;
    for (const engine::spec::TaskId& task : links.tasks) names.push_back({toString(task), config.cluster.address(task).value_or("")});
    ENGINE_CHECK(plan.rank >= 0 && plan.rank < static_cast<int>(names.size()) && edges.size() == static_cast<int>(names.size()));
    links.cluster = clusterText(names);
    links.secret = secret;
    links.offer_shared_memory = transport != TransportChoice::kGrpc;
    links.edges = edges;
    links.start_timeout = options.start_timeout;
    links.waiting_report = options.waiting_report;
    links.heartbeat = options.heartbeat;
    links.lost_after = options.lost_after;
    links.faults = options.faults;
    links.on_listening = callbacks.on_listening;
    links.on_waiting = callbacks.on_waiting;
    links.on_log = callbacks.on_log;
    links.cancelled = callbacks.is_cancelled;

    auto worker = std::make_unique<WorkerTransport>(std::move(links), std::move(names));
    try {
        worker->connect();
        if (transport == TransportChoice::kShm) worker->requireSharedMemory();
    } catch (const Error& error) {
        worker->leave(error.what());  // those who are already here need not wait for us
        throw;
    }
    return worker;
}

}  // namespace

std::unique_ptr<engine::distribute::Transport> connectTransport(const engine::spec::TaskPlan& plan, const engine::spec::TfConfig& config,
                                                                const Edges& edges, TransportChoice transport, const LinkSecret& secret,
                                                                const ConnectOptions& options, const ConnectCallbacks& callbacks) {
    return connectWorker(plan, config, edges, transport, secret, options, callbacks);
}

std::unique_ptr<engine::distribute::Collective> connectCollective(const engine::spec::TaskPlan& plan, const engine::spec::TfConfig& config,
                                                                  TransportChoice transport, const LinkSecret& secret,
                                                                  const ConnectOptions& options, const ConnectCallbacks& callbacks) {
    engine::distribute::RingOptions ring{.deadline = options.operation_deadline, .progress = options.progress};
    if (plan.replicas <= 1) return makeRingCollective(std::move(engine::distribute::makeLoopbackTransports(1).front()), ring);
    auto worker = connectWorker(plan, config, Edges::ring(plan.replicas), transport, secret, options, callbacks);
    if (options.threads > 0 && worker->tasksHere() * options.threads >= engine::usableCores()) ring.own_thread = false;
    return makeRingCollective(std::move(worker), ring);
}

}  // namespace agent::worker
