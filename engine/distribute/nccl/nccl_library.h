// What is used of NCCL, as calls that return at once: communicators come up and end while somebody looks after the members. Two real
// sources (nccl_library.cpp, and no_nccl.cpp where it was built without NCCL); tests have one that adds up on the CPU.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "engine/distribute/collective.h"

namespace engine::distribute::nccl {

struct CommunicatorId {
    std::array<std::byte, 128> bytes{};
    friend bool operator==(const CommunicatorId&, const CommunicatorId&) = default;
};

enum class Progress { kDone, kGoesOn, kFailed };

struct State {
    Progress progress = Progress::kDone;
    std::string reason{};  // of a failure, in the library's words
};

// One member's end, of the GPU that was current at its making. One thread at a time. The destructor ends it whatever its state.
class Communicator {
public:
    virtual ~Communicator() = default;

    // How far the making, the last call or a sum under way is.
    virtual State state() = 0;
    // Sums in place. After kGoesOn, state() tells the rest, and the next call comes only after kDone.
    virtual State sum(float* data, std::size_t count, StreamCollective::Stream stream) = 0;
    virtual State broadcast(std::byte* data, std::size_t bytes, int root, StreamCollective::Stream stream) = 0;
    // One sum on a stream of its own, so that connections are made now and not while a graph is captured. state() tells when it is over.
    virtual State trySum() = 0;
    // Ends everything under way: streams run empty from now on, while the communicator itself goes in the background, when graphs that were
    // captured with it are gone. Only the destructor may follow; it waits a few seconds at most.
    virtual void abort() = 0;
};

class Library {
public:
    virtual ~Library() = default;

    virtual std::string version() const = 0;  // "2.28.9"
    // The id of a group that is to be made; one member asks and tells the others. Throws Error(kUnavailable).
    virtual CommunicatorId newId() = 0;
    // Begins to join; state() tells when all `size` members have. Throws Error(kUnavailable).
    virtual std::unique_ptr<Communicator> join(const CommunicatorId& id, int rank, int size) = 0;
};

// Sets what the library reads of the environment, unless somebody has set it. Called before the program has other threads. Members connect
// for every kind of sum when they join, not at the first one: that may be in the middle of a capture, where the others are not.
void prepareEnvironment();

// libnccl.so.2, loaded now. Null, and why in `reason`, where it can't be.
std::shared_ptr<Library> openLibrary(std::string& reason);

}  // namespace engine::distribute::nccl
