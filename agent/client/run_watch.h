// A running watch of one run: a thread that reads the agent's stream and, when it breaks, goes on after the last event it delivered.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "agent/client/agent_channel.h"
#include "agent/client/agent_client.h"

namespace agent::client {

class RunWatch final : public AgentClient::Watch {
public:
    RunWatch(std::shared_ptr<AgentChannel> channel, std::string run_id, std::uint64_t from_sequence, AgentClient::WatchHandler handler);
    ~RunWatch() override;
    // Joins, unless called from the handler: then the thread ends right after it.
    void end() override;

private:
    // How one stream ended.
    enum class Leg { kRunOver, kEnded, kAgain };

    void loop();
    Leg follow(std::string& error);
    bool deliver(const proto::WatchReply& reply);
    // False when there is nothing to go on with; `error` says why.
    bool waitForAgent(std::string& error);
    bool pause(std::chrono::milliseconds duration);

    const std::shared_ptr<AgentChannel> channel_;
    const std::string run_id_;
    const AgentClient::WatchHandler handler_;
    std::uint64_t next_sequence_;  // the thread's alone
    std::mutex mutex_;
    std::condition_variable ended_changed_;
    bool ended_ = false;                      // guarded by mutex_
    grpc::ClientContext* context_ = nullptr;  // of the stream in progress; guarded by mutex_
    std::thread thread_;
};

}  // namespace agent::client
