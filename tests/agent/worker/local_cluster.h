// Clusters of tasks on free ports of this machine.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "agent/transport/grpc_transport.h"

namespace tests::support {

// Binds to a port that the system chooses and keeps it bound, not listening, as the agent does: the task may listen, nobody else is given
// it.
class ReservedPort {
public:
    ReservedPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        if (socket_ < 0 || bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
            getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
            throw std::runtime_error("no free port");
        }
        const int on = 1;  // after the bind: before it, the system could give one port twice
        setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        port_ = ntohs(address.sin_port);
    }
    ReservedPort(ReservedPort&& other) noexcept : socket_(other.socket_), port_(other.port_) { other.socket_ = -1; }
    ReservedPort& operator=(ReservedPort&&) = delete;
    ~ReservedPort() {
        if (socket_ >= 0) close(socket_);
    }
    int port() const { return port_; }
    int socket() const { return socket_; }

private:
    int socket_;
    int port_ = 0;
};

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
