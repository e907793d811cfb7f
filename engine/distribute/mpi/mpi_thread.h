// The one thread that calls MPI: it joins the members, moves one operation after the other, and leaves.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/distribute/mpi/mpi_functions.h"
#include "engine/thread/mutex.h"

namespace engine::distribute::mpi {

struct Operation {
    enum class Kind { kSum, kBroadcast } kind = Kind::kSum;
    std::span<std::byte> data{};  // floats, of a sum
    int root = 0;                 // of a broadcast
};

// Shared by its thread and its owner: a call of MPI's may never return, and the owner must not wait for it for good.
//
//   joining -> ready -> ended (mutex_ guards it; a problem may come in each)
class MpiThread {
public:
    // Begins to join. `functions` stays for as long as the process.
    static std::shared_ptr<MpiThread> start(const Functions& functions, int rank, int size);

    // Puts it behind the others, and returns its number, counted from 1. The memory is the thread's until the operation is over.
    std::uint64_t submit(const Operation& operation);

    enum class Reached { kYes, kNotYet, kNever };
    // Waits for at most so long until the members have joined.
    Reached awaitReady(std::chrono::milliseconds most);
    // The same until an operation is over. The thread takes a core for itself meanwhile.
    Reached awaitOperation(std::uint64_t number, std::chrono::milliseconds most);

    // Why nothing is reached any more, in MPI's words.
    std::string problem() const;
    // "Open MPI v4.1.4, TCP (btl tcp)"; once it is ready.
    std::string description() const;

    // No operation follows. With kInOrder the thread leaves MPI together with the other members, with kAtOnce it drops what is under way.
    enum class Leave { kInOrder, kAtOnce };
    void leave(Leave how);
    // Waits for at most so long until the thread is over; false: it still is in a call of MPI's.
    bool awaitEnd(std::chrono::milliseconds most);

private:
    MpiThread(const Functions& functions, int size);
    void run(int rank);
    void work();
    // Empty, or why it failed. Returns early when it is to leave at once.
    std::string carryOut(const Operation& operation);
    void fail(const std::string& problem);

    const Functions& functions_;
    const int size_;
    std::vector<float> given_;  // the thread's own

    std::atomic<bool> drops_{false};
    std::atomic<bool> awaited_{false};  // the owner waits for an operation

    mutable Mutex mutex_;
    std::condition_variable_any for_thread_, for_owner_;
    std::deque<Operation> operations_ TANDEM_GUARDED_BY(mutex_);
    std::uint64_t submitted_ TANDEM_GUARDED_BY(mutex_) = 0;
    std::uint64_t finished_ TANDEM_GUARDED_BY(mutex_) = 0;
    bool ready_ TANDEM_GUARDED_BY(mutex_) = false;
    bool leaves_ TANDEM_GUARDED_BY(mutex_) = false;
    bool ended_ TANDEM_GUARDED_BY(mutex_) = false;
    std::string problem_ TANDEM_GUARDED_BY(mutex_);
    std::string description_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace engine::distribute::mpi
