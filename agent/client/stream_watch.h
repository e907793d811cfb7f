// A running watch: a thread that reads one of the agent's streams and, when it breaks, asks for the rest of it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "agent/client/agent_channel.h"
#include "agent/client/watch.h"
#include "engine/thread/mutex.h"

namespace agent::client {

class StreamWatch final : public Watch {
public:
    // Reads one stream to its end, from where the last one broke; nullopt when the handler wants no more. Called from the watch's thread.
    using Reader = std::function<std::optional<grpc::Status>(proto::Agent::Stub& stub, grpc::ClientContext& context)>;
    using Finished = std::function<void(std::optional<std::string> error)>;

    StreamWatch(std::shared_ptr<AgentChannel> channel, Reader reader, Finished finished);
    ~StreamWatch() override;
    // Joins, unless called from the handler: then the thread ends right after it.
    void end() override;

private:
    // How one stream ended.
    enum class Leg { kOver, kEnded, kAgain };

    void loop();
    Leg follow(std::string& error);
    // False when there is nothing to go on with; `error` says why.
    bool waitForAgent(std::string& error);
    bool pause(std::chrono::milliseconds duration);

    const std::shared_ptr<AgentChannel> channel_;
    const Reader reader_;
    const Finished finished_;
    engine::Mutex mutex_;
    std::condition_variable_any ended_changed_;
    bool ended_ TANDEM_GUARDED_BY(mutex_) = false;
    grpc::ClientContext* context_ TANDEM_GUARDED_BY(mutex_) = nullptr;  // the one in use, to be cancelled
    std::thread thread_;                                                // last: begins with all of the above made
};

// Watch as AgentClient::watch and watchHost say.
std::unique_ptr<Watch> watchRun(std::shared_ptr<AgentChannel> channel, const std::string& run_id, std::uint64_t from_sequence,
                                WatchHandler handler);
std::unique_ptr<Watch> watchHost(std::shared_ptr<AgentChannel> channel, std::int64_t after_unix_ns, HostHandler handler);

}  // namespace agent::client
