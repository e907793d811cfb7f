// Bytes to a peer and from a peer: what a collective, or a parameter server, needs of the wire. Implemented by loopback (threads of one
// process), shared memory and gRPC.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/distribute/edges.h"
#include "engine/distribute/peer_health.h"

namespace engine::distribute {

// A message as it lies in the transport's memory. The fragments together are the bytes that were sent; they may begin and end anywhere,
// also within a float.
struct Message {
    std::uint64_t tag = 0;
    std::size_t bytes = 0;
    std::span<const std::span<const std::byte>> fragments;
};

// One member's end. Owned by its collective; one thread at a time. Nothing here blocks but `poll`, and that for at most as long as it is
// told: deadlines are the caller's (Waiter).
class Transport {
public:
    virtual ~Transport() = default;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    // The ways that exist: a ring's, a star's. Lives as long as the transport.
    virtual const Edges& edges() const = 0;
    // Who is lost and what everyone is called; lives as long as the transport.
    virtual PeerHealth& health() = 0;
    // "shared memory", "gRPC", "loopback": how bytes reach this peer.
    virtual std::string link(int peer) const = 0;

    // Messages arrive whole, once, in the order in which this pair sent them; messages of different peers in any order. `peer` is one of
    // edges().from(rank()) where we send, one of edges().to(rank()) where we receive. The message that is held of one peer does not keep
    // others from coming.
    virtual std::size_t maxMessageBytes(int peer) const = 0;
    // Copies `bytes`, at most maxMessageBytes. False: no room at present, nothing sent.
    virtual bool trySend(int peer, std::uint64_t tag, std::span<const std::byte> bytes) = 0;
    // The oldest message, or null. It stays valid, and the next call returns it again, until release(peer).
    virtual const Message* tryReceive(int peer) = 0;
    virtual void release(int peer) = 0;
    // True when no message of ours waits in this process for a poll that would send it.
    virtual bool drained(int peer) const = 0;
    // Moves what can be moved and returns as soon as something did, after `may_block` at the latest.
    virtual void poll(std::chrono::microseconds may_block) = 0;

    // Zeroed memory, 64-byte aligned, that lives as long as the transport; and the text by which a peer can open it (empty: none can).
    struct Region {
        std::span<std::byte> bytes;
        std::vector<std::byte> address;
    };
    virtual Region allocateRegion(std::size_t bytes) = 0;
    // The optional peerView: the peer's region in our address space, readable and writable. Empty where that is impossible; never throws
    // for that.
    virtual std::span<std::byte> peerView(int peer, std::span<const std::byte> address) = 0;

    // Tells the others that this member goes: in order (empty), or why it gave up. Afterwards only the destructor may be called.
    virtual void leave(const std::string& failure) = 0;
};

}  // namespace engine::distribute
