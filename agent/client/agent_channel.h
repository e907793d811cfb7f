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

    // Empty for an agent whose address is known.
    const std::filesystem::path& folder() const { return folder_; }
    // Whether there is an agent that may answer again after a silence.
    bool agentLives() const { return lives_ ? lives_() : convert::agentLives(folder_); }
    // To the address in the file now; the former one again while the file names the same. Throws Error(kUnavailable) without a file, and
    // what convert::openPrivateFolder throws of the socket's folder.
    Connection connection();
    // What the agent's clock said, and when. With the id of a run there, a part of one whose home this is, it is also a sign that home is
    // there. Throws engine::Error as the call ended.
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
