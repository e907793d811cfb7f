// The connection to an agent: to the one of this computer, made again when the agent was started anew, or to one whose address is known.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "agent/client/clock_offset.h"
#include "agent/local/address_file.h"
#include "agent/proto/agent.grpc.pb.h"
#include "engine/thread/mutex.h"

namespace agent::client {

// Safe from any thread.
class AgentChannel {
public:
    struct Connection {
        std::shared_ptr<proto::Agent::Stub> stub;  // holds the socket's folder open
        std::string token;
        std::string address;
    };

    // `folder` is where the agent leaves its address: the runs folder (of an earlier version: the agent's).
    explicit AgentChannel(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // `fixed` is all that is known of the agent; `lives` says whether it can still be reached there, from any thread.
    AgentChannel(convert::AgentAddress fixed, std::function<bool()> lives) : fixed_(std::move(fixed)), lives_(std::move(lives)) {}

    // Returns the folder where the agent leaves its address; empty for an agent whose address is known.
    const std::filesystem::path& folder() const { return folder_; }
    // True while there is an agent that may answer again after a silence.
    bool agentLives() const { return lives_ ? lives_() : convert::agentLives(folder_); }
    // Returns a connection to the address that the file names now; it is the former one while the file is the same or is gone. Throws
    // Error(kUnavailable) while no file was there yet, and what convert::openPrivateFolder throws of the socket's folder.
    Connection connection();
    // Returns what the agent's clock said, and when. `part_of` names a run of that agent which is a part of a run whose home is here: the
    // call then also tells the agent that the home is there. Throws engine::Error as the call ended.
    ClockReading ping(std::chrono::milliseconds deadline, const std::string& part_of = {});

private:
    const std::filesystem::path folder_;
    const std::optional<convert::AgentAddress> fixed_;
    const std::function<bool()> lives_;
    engine::Mutex mutex_;
    std::optional<convert::AgentAddress> address_ TANDEM_GUARDED_BY(mutex_);
    std::shared_ptr<proto::Agent::Stub> stub_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace agent::client
