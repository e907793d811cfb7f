// Clusters of tasks on free ports of this machine.
#pragma once

#include <string>
#include <vector>

#include "agent/transport/grpc_transport.h"
#include "tests/support/reserved_port.h"

namespace tests::support {

inline agent::worker::LinkSecret testSecret() {
    agent::worker::LinkSecret secret{{}, "the secret of the test"};
    secret.key.fill(7);
    return secret;
}

struct LocalCluster {
    explicit LocalCluster(int n) : ports(static_cast<std::size_t>(n)) {
        engine::spec::Job job{"worker", {}};
        for (int rank = 0; rank < n; ++rank) job.tasks[rank] = "localhost:" + std::to_string(ports[static_cast<std::size_t>(rank)].port());
        spec.jobs.push_back(job);
    }
    engine::spec::TfConfig config(int rank) const {
        return {.cluster = spec, .task = engine::spec::TaskId{"worker", rank}, .rpc_layer = ""};
    }
    engine::spec::TaskPlan plan(int rank) const {
        engine::spec::TaskPlan plan;
        plan.task = {"worker", rank};
        plan.address = spec.address(plan.task).value_or("");
        plan.is_chief = rank == 0;
        plan.rank = rank;
        plan.replicas = static_cast<int>(ports.size());
        return plan;
    }
    std::unique_ptr<engine::distribute::Collective> connect(int rank, engine::spec::TransportChoice transport,
                                                            const agent::worker::ConnectOptions& options = {},
                                                            const agent::worker::ConnectCallbacks& callbacks = {}) const {
        return agent::worker::connectCollective(plan(rank), config(rank), transport, secret, options, callbacks);
    }
    agent::worker::LinkSecret secret = testSecret();
    std::vector<ReservedPort> ports;
    engine::spec::ClusterSpec spec;
};

}  // namespace tests::support
