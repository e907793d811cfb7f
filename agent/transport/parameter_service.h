// A ps task's port: workers come, go and come again while their variables stay. The other side: parameter_links.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/transport/link_secret.h"
#include "engine/distribute/peer_health.h"
#include "engine/distribute/shared_segment.h"
#include "engine/parameter_server/parameter_store.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::worker {

// Bytes of variables or gradients that one message carries at the most.
inline constexpr std::size_t kPieceBytes = 256 * 1024;
inline constexpr std::size_t kMostRanges = 64 * 1024;  // in one message

// What both sides say of the run when they meet; it must be the same.
struct ParameterCluster {
    std::vector<engine::spec::TaskId> tasks;                  // ps tasks first, then the training tasks: a task's place here is its rank
    std::vector<std::string> addresses;                       // by rank
    std::uint64_t project = 0;                                // engine::train::replicaFingerprint()
    int servers() const;                                      // how many ps tasks there are
    int chief() const;                                        // rank of the job chief's task, else of worker 0; -1: there is neither
    std::string text() const;                                 // "ps 0 localhost:2222", one a line
    std::vector<engine::distribute::TaskName> names() const;  // by rank
};
ParameterCluster parameterCluster(const engine::spec::ClusterSpec& cluster, std::uint64_t project);

struct ParameterServiceOptions {
    ParameterCluster cluster;
    int server = 0;  // index of the ps task
    LinkSecret secret;
    bool offer_shared_memory = true;
    std::size_t region_bytes = 0;                      // of a worker's gradients
    std::chrono::milliseconds start_timeout{600000};   // how long nobody may be connected
    bool serves_forever = false;                       // neither the end of a run nor being alone ends it
    bool is_coordinated = false;                       // by a chief: without it no worker comes to the run's end
    std::chrono::milliseconds lost_after{10000};       // a worker that gives no sign of life for so long is lost
    std::chrono::milliseconds returns_within{30000};   // it may come back for so long; all may, from the moment the service listens
    std::function<void()> on_listening{};              // the task's port is ours
    std::function<void(const std::string&)> on_log{};  // who came, who left and who was refused; from threads of the service
    std::function<void(const std::vector<engine::spec::TaskId>&)> on_workers{};  // who is connected, whenever it changes; the same
    std::function<bool()> is_cancelled{};                                        // asked some 20 times a second
};

// Owned by the task; its threads, one or two for each worker, work on the store. Both outlive it.
class ParameterService {
public:
    // `segment` holds the store's memory, or nothing where there is none to share, for the reason `no_segment`.
    ParameterService(ParameterServiceOptions options, engine::parameter_server::ParameterStore& store,
                     const engine::distribute::SharedSegment* segment, std::string no_segment);
    ~ParameterService();

    // Listens, and returns when a worker has said that the run has all its steps, every worker is gone, and none that was lost, or has not
    // come yet, may come within `returns_within`: it would wait for a server that has ended. Throws Error: kAlreadyExists (the port is in
    // use), kDeadlineExceeded (nobody came, or nobody came back, within start_timeout), kCancelled; of a coordinated run PeerLost, which
    // names the chief, when that has been away for start_timeout and no worker is left either.
    void serve();

private:
    class Impl;
    const std::unique_ptr<Impl> impl_;
};

}  // namespace agent::worker
