// A worker's ways to its parameter servers. The other side: parameter_service.h.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agent/transport/link_secret.h"
#include "agent/transport/parameter_service.h"
#include "engine/parameter_server/parameter_client.h"
#include "engine/parameter_server/server_link.h"

namespace agent::worker {

struct ParameterLinksOptions {
    ParameterCluster cluster;
    int rank = 0;  // of this task in the cluster
    LinkSecret secret;
    bool offer_shared_memory = true;
    const engine::parameter_server::ParameterPlans* plans = nullptr;  // outlives the links
    std::chrono::milliseconds start_timeout{600000};
    std::chrono::milliseconds waiting_report{5000};
    std::chrono::milliseconds lost_after{10000};  // a server that gives no sign of life for so long is lost
    std::function<void()> on_listening{};         // the task's port is ours
    // "waiting for ps 0 at localhost:2222 (5 s of 600 s)", and for whom
    std::function<void(const std::string&, const std::vector<engine::spec::TaskId>&)> on_waiting{};
    std::function<void(const std::string&)> on_log{};
    std::function<bool()> is_cancelled{};
};

// Owned by the task; one thread calls it. A link that throws is lost, and so are all: make new ones, which find the servers as they are.
class ParameterLinks {
public:
    // Calls every server until it answers. Throws Error: kAlreadyExists (the task's port is in use), kDeadlineExceeded (naming the servers
    // that did not answer), kFailedPrecondition (refused, with the reason), kCancelled.
    explicit ParameterLinks(const ParameterLinksOptions& options);
    ~ParameterLinks();

    // Returns one link for each server, in their order. They live as long as this object.
    std::vector<engine::parameter_server::ServerLink*> links() const;
    // The executor's shared region.
    std::span<std::byte> region() const;
    // "worker 0 <-> ps 0: shared memory", one a line.
    std::string describe() const;
    // Tells every server that this worker goes, and whether the run has all its steps.
    void leave(bool complete);

private:
    class Impl;
    const std::unique_ptr<Impl> impl_;
};

}  // namespace agent::worker
