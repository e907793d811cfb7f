// The connection to the agent of this computer, made again when the agent was started anew.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

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

    const std::filesystem::path& folder() const { return folder_; }
    // To the address in the file now; the former one again while the file names the same. Throws Error(kUnavailable) without a file, and
    // what convert::openPrivateFolder throws of the socket's folder.
    Connection connection();
    // Throws engine::Error as the call ended.
    void ping(std::chrono::milliseconds deadline);

private:
    const std::filesystem::path folder_;
    engine::Mutex mutex_;
    std::optional<convert::AgentAddress> address_ TANDEM_GUARDED_BY(mutex_);
    std::shared_ptr<proto::Agent::Stub> stub_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace agent::client
