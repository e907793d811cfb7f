#include "engine/distribute/loopback.h"

#include <cstring>
#include <thread>

#include "engine/distribute/aligned_memory.h"
#include "engine/distribute/byte_pipe.h"
#include "engine/spec/error.h"

namespace engine::distribute {
namespace {

std::vector<TaskName> workerNames(int n) {
    std::vector<TaskName> names;
    for (int rank = 0; rank < n; ++rank) names.push_back({"worker " + std::to_string(rank), ""});
    return names;
}

// What the members share; the last one to go frees it, so that nobody ever looks at memory of a member that went before.
struct Network {
    explicit Network(const Edges& ways) : edges(ways) {
        const int members = edges.size();
        for (int rank = 0; rank < members; ++rank) {
            pipes.emplace_back();
            for (std::size_t i = 0; i < edges.from(rank).size(); ++i) pipes.back().emplace_back(BytePipe::kBytes);
            health.push_back(std::make_unique<PeerHealth>(workerNames(members)));
        }
        regions.resize(static_cast<std::size_t>(members));
    }
    std::span<std::byte> pipe(int from, int to) const { return pipes[static_cast<std::size_t>(from)][edges.placeOf(from, to)].span(); }

    const Edges edges;
    std::vector<std::vector<AlignedMemory>> pipes;    // [rank][place]: to edges.from(rank)[place]
    std::vector<std::unique_ptr<PeerHealth>> health;  // [rank] is that member's own view
    std::vector<AlignedMemory> regions;               // [rank], written once by its owner
};

class LoopbackTransport final : public Transport {
public:
    LoopbackTransport(std::shared_ptr<Network> network, int rank, LoopbackOptions options)
        : network_(std::move(network)),
          rank_(rank),
          options_(options),
          outgoing_(static_cast<std::size_t>(size())),
          incoming_(static_cast<std::size_t>(size())) {
        for (const int to : edges().from(rank))
            outgoing_[static_cast<std::size_t>(to)] = std::make_unique<BytePipe>(network_->pipe(rank, to));
        for (const int from : edges().to(rank))
            incoming_[static_cast<std::size_t>(from)] = std::make_unique<BytePipe>(network_->pipe(from, rank));
    }

    ~LoopbackTransport() override {
        if (!left_) tellOthers([&](PeerHealth& other) { other.markLost(rank_, "closed its connection"); });
    }

    int rank() const override { return rank_; }
    int size() const override { return network_->edges.size(); }
    const Edges& edges() const override { return network_->edges; }
    PeerHealth& health() override { return *network_->health[static_cast<std::size_t>(rank_)]; }
    std::string link(int) const override { return "loopback"; }

    std::size_t maxMessageBytes(int) const override { return BytePipe::kSlotBytes; }
    bool trySend(int peer, std::uint64_t tag, std::span<const std::byte> bytes) override {
        return pipe(outgoing_, peer).trySend(tag, bytes);
    }
    const Message* tryReceive(int peer) override { return pipe(incoming_, peer).tryReceive(); }
    void release(int peer) override { pipe(incoming_, peer).release(); }
    bool drained(int) const override { return true; }
    void poll(std::chrono::microseconds may_block) override {
        if (may_block.count() > 0) std::this_thread::sleep_for(may_block);
    }

    Region allocateRegion(std::size_t bytes) override {
        AlignedMemory& own = network_->regions[static_cast<std::size_t>(rank_)];
        own = AlignedMemory(bytes);
        if (!options_.peer_views) return {own.span(), {}};
        const std::span<std::byte> view = own.span();
        std::vector<std::byte> address(sizeof view);
        std::memcpy(address.data(), &view, sizeof view);
        return {view, std::move(address)};
    }
    std::span<std::byte> peerView(int, std::span<const std::byte> address) override {
        std::span<std::byte> view;
        if (address.size() == sizeof view) std::memcpy(&view, address.data(), sizeof view);
        return view;
    }

    void leave(const std::string& failure) override {
        left_ = true;
        tellOthers([&](PeerHealth& other) {
            if (failure.empty()) {
                other.markLeft(rank_);
            } else {
                other.markLost(rank_, "gave up: " + failure);
            }
        });
    }

private:
    using Pipes = std::vector<std::unique_ptr<BytePipe>>;  // by the other end; null where there is no edge

    static BytePipe& pipe(const Pipes& pipes, int peer) {
        ENGINE_CHECK(pipes[static_cast<std::size_t>(peer)] != nullptr);
        return *pipes[static_cast<std::size_t>(peer)];
    }

    template <typename Tell>
    void tellOthers(Tell tell) {
        for (int other = 0; other < size(); ++other) {
            if (other != rank_) tell(*network_->health[static_cast<std::size_t>(other)]);
        }
    }

    const std::shared_ptr<Network> network_;
    const int rank_;
    const LoopbackOptions options_;
    Pipes outgoing_, incoming_;
    bool left_ = false;
};

}  // namespace

std::vector<std::unique_ptr<Transport>> makeLoopbackTransports(const Edges& edges, LoopbackOptions options) {
    auto network = std::make_shared<Network>(edges);
    std::vector<std::unique_ptr<Transport>> transports;
    for (int rank = 0; rank < edges.size(); ++rank) transports.push_back(std::make_unique<LoopbackTransport>(network, rank, options));
    return transports;
}

std::vector<std::unique_ptr<Transport>> makeLoopbackTransports(int n, LoopbackOptions options) {
    return makeLoopbackTransports(Edges::ring(n), options);
}

}  // namespace engine::distribute
