// The peers that a program trains with: the workers that sum with it, the servers that hold its variables. agent/distributed makes them
// over sockets; tests make them within a process.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/distribute/collective.h"
#include "engine/spec/project/cluster_spec.h"

namespace engine::parameter_server {
struct ParameterPlans;
class ServerLink;
}  // namespace engine::parameter_server

namespace engine::custom_training {

// Owned by a strategy's copies and its models together; one thread. A model calls declare() when it is made, and connect() before it
// reads or trains.
class ParameterServers {
public:
    enum class Role { kCoordinator, kWorker, kServer };

    virtual ~ParameterServers() = default;

    virtual Role role() const = 0;
    // What the model's servers must hold; all tasks of a cluster say the same `model`. Throws Error(kUnimplemented) for a second model.
    virtual void declare(std::shared_ptr<const parameter_server::ParameterPlans> plans, std::uint64_t model) = 0;

    struct Connection {
        std::vector<parameter_server::ServerLink*> links;  // by server; they live as long as this object
        std::span<std::byte> region;                       // for the gradients of the plans that were declared; the same
    };
    // Called once by a coordinator or a worker: calls every server until it answers. Throws Error(kDeadlineExceeded), naming who did not
    // answer.
    virtual Connection connect() = 0;
    // Throws Error(kDeadlineExceeded) when a worker has waited long enough for the coordinator's values, kCancelled when it is to end.
    virtual void checkWait() = 0;
};

// The peers of a program. Where both are empty it trains alone.
struct Peers {
    spec::TfConfig config{};                            // empty without a cluster
    std::shared_ptr<distribute::Collective> workers{};  // this worker's member; null: there are no others
    std::shared_ptr<ParameterServers> servers{};        // null: this process holds its variables
};

}  // namespace engine::custom_training
