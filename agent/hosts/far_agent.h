// The agent of another computer, by the way that the user's list names. Its socket here lies in a folder of mode 0700 below
// convert::agentFolder(), which goes with it.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "agent/client/agent_client.h"
#include "agent/client/clock_offset.h"
#include "agent/hosts/host_list.h"
#include "agent/hosts/way.h"

namespace agent::client {
class AgentChannel;
}

namespace agent::hosts {

// Reachable from the constructor to the destructor, which ends the way and removes the socket. Safe from any thread. A lost connection does
// not come back: make another FarAgent.
class FarAgent {
public:
    // Throws Error as openWay() does.
    FarAgent(const Host& host, const FarOptions& options);
    ~FarAgent();
    FarAgent(const FarAgent&) = delete;
    FarAgent& operator=(const FarAgent&) = delete;

    // The client goes with this object.
    client::AgentClient& client();
    // Measures the offset of that computer's clock by `rounds` round trips, or by those that the deadline has time for. Throws Error as a
    // call does, naming the host, where there is time for none.
    client::ClockOffset clockOffset(int rounds, std::chrono::milliseconds deadline);
    // Returns the channel to the agent itself, for calls that a client does not make.
    const std::shared_ptr<client::AgentChannel>& channel() const;
    // Return the address by which that computer was reached, and the one from which this computer reached it: numbers. Empty where its sshd
    // did not say.
    const std::string& farAddress() const;
    const std::string& ownAddress() const;
    // Returns why the agent can't be reached any more; nullopt while the way stands.
    std::optional<engine::Error> lost() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace agent::hosts
