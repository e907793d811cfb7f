// Which members of a run are there. Heartbeats and connections write it on threads of their own, waiting operations read it.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "engine/thread/mutex.h"

namespace engine::distribute {

struct TaskName {
    std::string task;     // "worker 1"
    std::string address;  // "localhost:23456"; may be empty
};
// "worker 1 at localhost:23456"
std::string toString(const TaskName& name);

// Thread-safe. A member that left in order owes nothing to operations that it took part in, but no others can succeed with it: whoever
// still waits for it after kGrace gives up. A lost member fails every pending operation at once.
class PeerHealth {
public:
    static constexpr std::chrono::milliseconds kGrace{1000};

    explicit PeerHealth(std::vector<TaskName> names);

    const TaskName& name(int rank) const { return names_[static_cast<std::size_t>(rank)]; }
    int size() const { return static_cast<int>(names_.size()); }

    // The first reason stays: "closed its connection", "sent no heartbeat for 4 s".
    void markLost(int rank, const std::string& why);
    void markLeft(int rank);

    // Throws PeerLost naming a lost member, or Error(kUnavailable) naming `waited_for` (negative: nobody in particular) when that one left
    // long ago.
    void check(int waited_for) const;
    // The same for everybody but `own_rank`: an operation that needs all of them waits.
    void checkAll(int own_rank) const;

private:
    struct State {
        std::string lost_because;
        std::chrono::steady_clock::time_point left_at{};
        bool left = false;
        bool lost = false;
    };

    const std::vector<TaskName> names_;
    std::atomic<bool> any_{false};  // someone is lost or left: only then is the lock taken
    mutable Mutex mutex_;
    std::vector<State> states_ TANDEM_GUARDED_BY(mutex_);
    int first_lost_ TANDEM_GUARDED_BY(mutex_) = -1;
};

}  // namespace engine::distribute
