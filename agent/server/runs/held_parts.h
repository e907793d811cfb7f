// What this computer holds for runs whose home is another one, between the two halves of their start.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "agent/server/process/port_reservation.h"
#include "engine/thread/mutex.h"

namespace agent::server {

// Safe from any thread.
class HeldParts {
public:
    static constexpr std::chrono::seconds kHeldFor{60};

    explicit HeldParts(std::chrono::milliseconds held_for = kHeldFor);
    ~HeldParts();

    // Lets the ports go again after held_for. Answers the id.
    std::string hold(std::vector<PortReservation> ports);
    // These of them, in their order, are the caller's now. Throws Error(kNotFound) when nothing is held under that id, and
    // Error(kInvalidArgument) for a port that is not; then all stay held.
    std::vector<PortReservation> take(const std::string& id, const std::vector<int>& ports);
    void drop(const std::string& id);

private:
    struct Held {
        std::vector<PortReservation> ports;
        std::chrono::steady_clock::time_point until;
    };

    void letGo(const std::stop_token& stop);

    const std::chrono::milliseconds held_for_;
    engine::Mutex mutex_;
    std::condition_variable_any changed_;
    std::map<std::string, Held> held_ TANDEM_GUARDED_BY(mutex_);
    std::jthread thread_;  // last: it uses the others
};

}  // namespace agent::server
