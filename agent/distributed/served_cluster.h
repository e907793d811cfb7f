// One task's view of a cluster with parameter servers: who it is, its model's plans, its ways to the servers.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "agent/distributed/cluster_options.h"
#include "agent/transport/parameter_links.h"
#include "agent/transport/parameter_service.h"
#include "engine/custom_training/peers.h"

namespace agent::distributed {

// Owned by the strategy's copies, its models and its coordinator together; one thread.
class ServedCluster final : public engine::custom_training::ParameterServers {
public:
    // Throws Error(kInvalidArgument) as ParameterServerStrategy.
    ServedCluster(ClusterOptions options, std::optional<std::int64_t> max_staleness);
    ~ServedCluster() override;

    const engine::spec::TfConfig& config() const { return config_; }
    const engine::spec::TaskId& task() const { return *config_.task; }
    const ClusterOptions& options() const { return options_; }
    // Returns the tasks with their ranks, and the declared model. Throws Error(kFailedPrecondition) when none was declared.
    worker::ParameterCluster cluster() const;
    int rank() const;
    int workers() const { return config_.cluster.taskCount("worker"); }

    Role role() const override { return role_; }
    void declare(std::shared_ptr<const engine::parameter_server::ParameterPlans> plans, std::uint64_t model) override;
    Connection connect() override;
    void checkWait() override;

    // Called by a ps: serves until the coordinator has said that the program is over. Throws as worker::ParameterService::serve().
    void serveVariables();
    // Tells the servers that this task goes; `complete`: nobody needs them any more.
    void leave(bool complete);

    void log(const std::string& text) const;

private:
    const ClusterOptions options_;
    const engine::spec::TfConfig config_;
    const Role role_;
    const std::optional<std::int64_t> max_staleness_;
    std::shared_ptr<const engine::parameter_server::ParameterPlans> plans_;
    std::uint64_t model_ = 0;
    std::unique_ptr<worker::ParameterLinks> links_;
    std::chrono::steady_clock::time_point connected_at_{};
};

}  // namespace agent::distributed
