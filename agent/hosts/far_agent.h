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

// Reachable from the constructor to the destructor, which ends the way and removes the socket. Safe from any thread. Does not come back
// when the connection was lost: make another one.
class FarAgent {
public:
    // Throws Error as openWay() does.
    FarAgent(const Host& host, const FarOptions& options);
    ~FarAgent();
    FarAgent(const FarAgent&) = delete;
    FarAgent& operator=(const FarAgent&) = delete;

    // Outlived by this object.
    client::AgentClient& client();
    // Out of `rounds` round trips. Throws Error as a call does.
    client::ClockOffset clockOffset(int rounds, std::chrono::milliseconds deadline);
    // The way to the agent itself, for those who ask of it what a client does not.
    const std::shared_ptr<client::AgentChannel>& channel() const;
    // By which address that computer was reached, and from which one of this computer: numbers. Empty where its sshd did not say.
    const std::string& farAddress() const;
    const std::string& ownAddress() const;
    // Why it can't be reached any more; nullopt while the way stands.
    std::optional<engine::Error> lost() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace agent::hosts
