// What this computer holds for runs whose home is another one, between the two halves of their start.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <string>
#include <thread>
#include <utility>
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

    // One start of a part, on these of its ports: who asks for it a second time, since the answer was lost, gets the run that it is. Goes
    // before the HeldParts.
    class Start {
    public:
        // Throws Error(kUnavailable) while another call is at it.
        Start(HeldParts& parts, const std::string& id, const std::vector<int>& ports);
        // A start that became no run is forgotten.
        ~Start();
        Start(const Start&) = delete;
        Start& operator=(const Start&) = delete;
        // The run that it became before; empty: it is the first.
        const std::string& run() const { return run_; }
        void become(const std::string& run);

    private:
        HeldParts& parts_;
        const std::pair<std::string, std::vector<int>> key_;
        std::string run_;
    };

private:
    static constexpr std::size_t kMostStarted = 256;

    struct Held {
        std::vector<PortReservation> ports;
        std::chrono::steady_clock::time_point until;
    };

    void letGo(const std::stop_token& stop);

    const std::chrono::milliseconds held_for_;
    engine::Mutex mutex_;
    std::condition_variable_any changed_;
    std::map<std::string, Held> held_ TANDEM_GUARDED_BY(mutex_);
    struct Started {
        std::pair<std::string, std::vector<int>> key;  // id and ports
        std::string run;                               // empty: it begins just now
    };
    std::vector<Started> started_ TANDEM_GUARDED_BY(mutex_);  // the newest last, kMostStarted at most
    std::jthread thread_;                                     // last: it uses the others
};

}  // namespace agent::server
