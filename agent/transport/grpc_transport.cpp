#include "agent/transport/grpc_transport.h"

#include <optional>
#include <thread>

#include "agent/transport/peer_links.h"
#include "engine/distribute/aligned_memory.h"
#include "engine/distribute/byte_pipe.h"
#include "engine/distribute/loopback.h"
#include "engine/distribute/ring.h"
#include "engine/distribute/shared_segment.h"
#include "engine/spec/error.h"

namespace agent::worker {
namespace {

using engine::Error;
using engine::ErrorCode;
using engine::distribute::AlignedMemory;
using engine::distribute::BytePipe;
using engine::distribute::Message;
using engine::distribute::PeerHealth;
using engine::distribute::SharedSegment;
using engine::distribute::TaskName;
using engine::spec::TransportChoice;

// Each edge of the ring over what its two ends agreed on. A task's segment holds the pipe to its right neighbour.
class WorkerTransport final : public engine::distribute::Transport {
public:
    WorkerTransport(LinkOptions options, std::vector<TaskName> names)
        : rank_(options.rank), size_(static_cast<int>(names.size())), health_(std::move(names)), links_(std::move(options), health_) {}

    ~WorkerTransport() override = default;

    // Before anything else.
    void connect() {
        links_.connect();
        const int right = (rank_ + 1) % size_;
        const int left = (rank_ + size_ - 1) % size_;
        if (links_.sharesMemory(right)) outgoing_.emplace(links_.ownSegment());
        if (links_.sharesMemory(left)) incoming_.emplace(links_.peerSegment(left));
    }
    void requireSharedMemory() const {
        for (int peer = 0; peer < size_; ++peer) {
            if (peer == rank_ || links_.sharesMemory(peer)) continue;
            throw Error(ErrorCode::kFailedPrecondition,
                        "transport shm: " + health_.name(rank_).task + " cannot share memory with " + toString(health_.name(peer)));
        }
    }

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    PeerHealth& health() override { return health_; }
    std::string link(int peer) const override { return links_.sharesMemory(peer) ? "shared memory" : "gRPC"; }

    std::size_t maxMessageBytes(int) const override { return outgoing_ ? BytePipe::kSlotBytes : DataStreams::kMessageBytes; }
    bool trySend(int, std::uint64_t tag, std::span<const std::byte> bytes) override {
        return outgoing_ ? outgoing_->trySend(tag, bytes) : links_.data().trySend(tag, bytes);
    }
    const Message* tryReceive(int) override { return incoming_ ? incoming_->tryReceive() : links_.data().tryReceive(); }
    void release(int) override { incoming_ ? incoming_->release() : links_.data().release(); }
    bool drained(int) const override { return outgoing_ || links_.data().drained(); }
    void poll(std::chrono::microseconds may_block) override {
        if (!outgoing_ || !incoming_) {
            // A pipe cannot wake us: with one on the other side only a short nap is safe.
            links_.data().poll(outgoing_ || incoming_ ? std::min(may_block, std::chrono::microseconds(100)) : may_block);
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
    bool sharesWithAll() const {
        for (int peer = 0; peer < size_; ++peer) {
            if (peer != rank_ && !links_.sharesMemory(peer)) return false;
        }
        return true;
    }

    const int rank_;
    const int size_;
    PeerHealth health_;
    SharedSegment own_region_;
    AlignedMemory private_region_;
    std::vector<SharedSegment> peer_regions_;
    PeerLinks links_;
    std::optional<BytePipe> outgoing_;
    std::optional<BytePipe> incoming_;
};

std::string clusterText(const std::vector<TaskName>& names) {
    std::string text;
    for (const TaskName& name : names) text += name.task + " " + name.address + "\n";
    return text;
}

}  // namespace

std::unique_ptr<engine::distribute::Collective> connectCollective(const engine::spec::TaskPlan& plan, const engine::spec::TfConfig& config,
                                                                  TransportChoice transport, const LinkSecret& secret,
                                                                  const ConnectOptions& options, const ConnectCallbacks& callbacks) {
    engine::distribute::RingOptions ring{.deadline = options.operation_deadline};
    if (plan.replicas <= 1) return makeRingCollective(std::move(engine::distribute::makeLoopbackTransports(1).front()), ring);

    LinkOptions links;
    links.rank = plan.rank;
    links.tasks = config.cluster.trainingTasks();
    std::vector<TaskName> names;
    for (const engine::spec::TaskId& task : links.tasks) names.push_back({toString(task), config.cluster.address(task).value_or("")});
    ENGINE_CHECK(plan.rank >= 0 && plan.rank < static_cast<int>(names.size()) && plan.replicas == static_cast<int>(names.size()));
    links.cluster = clusterText(names);
    links.secret = secret;
    links.offer_shared_memory = transport != TransportChoice::kGrpc;
    links.segment_bytes = BytePipe::kBytes;
    links.start_timeout = options.start_timeout;
    links.waiting_report = options.waiting_report;
    links.heartbeat = options.heartbeat;
    links.lost_after = options.lost_after;
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
    // The tasks are all on this machine (kUnimplemented says so of others).
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());
    if (options.threads > 0 && plan.replicas * options.threads >= cores) ring.own_thread = false;
    return makeRingCollective(std::move(worker), ring);
}

}  // namespace agent::worker
