// The rendezvous of a run's tasks and, from then on, their heartbeats: one stream between each pair that link_mesh.h names.
//
//   connect():  listen -> dial linked tasks of a higher rank -> the secret proven both ways -> hello both ways -> try the shared memory
//               both ways -> all are here, by what this task sees itself, else by the hub's word
//   afterwards: a thread of its own sends a heartbeat a second and watches for silence, for closed connections and for goodbyes
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "agent/proto/collective.grpc.pb.h"
#include "agent/transport/completion.h"
#include "agent/transport/connection_gate.h"
#include "agent/transport/data_streams.h"
#include "agent/transport/link_faults.h"
#include "agent/transport/link_mesh.h"
#include "agent/transport/link_secret.h"
#include "agent/transport/link_stream.h"
#include "agent/transport/queue_waker.h"
#include "engine/distribute/edges.h"
#include "engine/distribute/peer_health.h"
#include "engine/distribute/shared_segment.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::worker {

struct LinkOptions {
    int rank = 0;
    std::vector<engine::spec::TaskId> tasks;  // by rank
    std::string cluster;                      // what LinkHello::cluster says
    LinkSecret secret;
    bool offer_shared_memory = true;
    engine::distribute::Edges edges{1};      // the ways that bytes go: over gRPC where a pair shares no memory
    std::vector<std::size_t> segment_bytes;  // by rank: of the segment that each task offers
    std::chrono::milliseconds start_timeout{600000};
    std::chrono::milliseconds waiting_report{5000};
    std::chrono::milliseconds heartbeat{1000};
    std::chrono::milliseconds lost_after{4000};
    LinkFaults* faults = nullptr;  // null: none; outlives them
    std::function<void()> on_listening;
    // "waiting for worker 1 at localhost:23456 (5 s of 600 s)", and for whom
    std::function<void(const std::string&, const std::vector<engine::spec::TaskId>&)> on_waiting;
    std::function<void(const std::string&)> on_log;  // refusals, strangers, and why a pair does not share memory
    std::function<bool()> cancelled;
};

// Owned by the transport. connect and leave are called by the owner's thread; between them the links' thread is at work.
class PeerLinks {
public:
    // `health` outlives it and has the names.
    PeerLinks(LinkOptions options, engine::distribute::PeerHealth& health);
    ~PeerLinks();

    // Returns when every linked pair is agreed and the edges' gRPC streams stand, of this task and of all others. Throws Error:
    // kAlreadyExists (port in use), kFailedPrecondition (another cluster, named), kDeadlineExceeded (naming every missing task),
    // kCancelled, kUnavailable (a task that had come is lost).
    void connect();

    // The peer's segment where the pair shares memory, else empty.
    std::span<std::byte> peerSegment(int peer) const { return peers_[static_cast<std::size_t>(peer)].segment.span(); }
    bool sharesMemory(int peer) const { return peers_[static_cast<std::size_t>(peer)].shares_memory; }
    std::span<std::byte> ownSegment() const { return own_segment_.span(); }
    bool isLinked(int peer) const { return mesh_.links(options_.rank, peer); }
    bool isHere(int peer) const { return places_[static_cast<std::size_t>(peer)].is_here; }
    DataStreams& data() { return data_; }
    const DataStreams& data() const { return data_; }

    void leave(const std::string& failure);

private:
    using Clock = std::chrono::steady_clock;
    struct Peer {
        LinkStream* stream = nullptr;  // the one that hellos were exchanged on
        Clock::time_point dial_at{};   // for those we dial: when to try (again)
        bool dialling = false;
        bool memory_usable = false;  // at our end
        bool agreed = false;         // both have said whether they can share memory
        bool is_ready = false;       // it said so to the hub
        bool data_dialled = false;
        bool shares_memory = false;
        bool goodbye_seen = false;  // ours, by this peer
        bool said_goodbye = false;
        bool gone = false;  // said goodbye, or is lost
        bool silence_told = false;
        std::vector<proto::LinkMessage> held;  // came while the way was cut
        std::string dial_failure;              // the last one that was told
        engine::distribute::SharedSegment segment;
    };

    // How far the start is, when not every pair of tasks has a Link and the hub gathers who is ready.
    struct HubState {
        bool told_ready = false;      // to the hub
        bool all_here = false;        // everyone is ready, by the hub's word or as the hub
        std::vector<int> awaited;     // ranks, as the hub told last
        Clock::time_point tell_at{};  // as the hub
    };

    std::vector<TaskName> names() const;
    void listen();
    void expectLink();
    void dial(int rank);
    void dialMissing();
    void acceptData();
    void takeAnswered();
    LinkStream::Events events();
    void onMessage(LinkStream& stream, const proto::LinkMessage& message);
    void onEnded(LinkStream& stream, const std::string& why);
    void onHello(LinkStream& stream, const proto::LinkHello& hello);
    void onSharedMemory(LinkStream& stream, const proto::LinkSharedMemory& answer);
    void onGoodbye(LinkStream& stream, const proto::LinkGoodbye& goodbye);
    void onRefusal(LinkStream& stream, const std::string& reason);
    bool isHub() const { return options_.rank == LinkMesh::kHub; }
    void onHubsWord(const proto::LinkMessage& message);
    void tellHub();
    std::vector<int> awaitedByHub() const;
    void tellAll(const proto::LinkMessage& message);
    bool ownAreHere() const;
    std::string whyRefused(const LinkStream& stream, const proto::LinkHello& hello, int rank, const Call& proven) const;
    std::string tryMemory(int rank, const proto::LinkHello& hello);
    proto::LinkMessage ownHello() const;
    bool allHere() const;
    std::vector<int> missing() const;
    std::string missingNames() const;
    void turn(std::chrono::milliseconds may_block);
    void beat(Clock::time_point now);
    std::optional<Clock::time_point> cutSince(int rank) const;
    void takeHeld(Peer& peer);
    void lose(int rank, const std::string& why);
    void run(std::stop_token stop);
    void shutDown();
    bool dataOverGrpc(int peer) const;
    bool movesData() const;
    // Peers whose gRPC stream is still awaited: to whom we send, from whom we hear.
    std::vector<int> awaitedData() const;
    bool awaitsDataFrom(int peer) const;
    int size() const { return static_cast<int>(options_.tasks.size()); }

    // Constant after connect().
    const LinkOptions options_;
    engine::distribute::PeerHealth& health_;
    const LinkMesh mesh_;
    std::vector<TaskPlace> places_;  // by rank
    engine::distribute::SharedSegment own_segment_;
    std::string no_segment_;
    DataStreams data_;  // thread-safe

    // The thread in charge: the owner's until connect() returns and from leave() on, the links' own in between.
    proto::Collective::WithAsyncMethod_Link<proto::Collective::Service> service_;
    std::unique_ptr<grpc::ServerCompletionQueue> queue_;
    std::unique_ptr<grpc::Server> server_;
    std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor_;  // thread-safe; for what the gate lets in
    std::vector<Peer> peers_;
    std::vector<std::unique_ptr<LinkStream>> streams_;  // until they are spent
    std::string fatal_;                                 // what connect() must throw; kFailedPrecondition
    HubState hub_;
    bool connected_ = false;
    bool leaving_ = false;
    bool shut_down_ = false;
    Clock::time_point last_beat_{};
    Clock::time_point last_turn_{};

    engine::Mutex called_mutex_;
    std::vector<Connection> called_for_data_ TANDEM_GUARDED_BY(called_mutex_);  // by other tasks, from the gate's thread

    QueueWaker waker_;                      // thread-safe: of the gate's thread
    std::unique_ptr<ConnectionGate> gate_;  // thread-safe; goes before all that its events use

    std::jthread thread_;
};

}  // namespace agent::worker
