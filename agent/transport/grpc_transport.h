// How the tasks of a run find each other and what carries their bytes: gRPC, or shared memory between tasks of one machine.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/transport/link_faults.h"
#include "agent/transport/link_secret.h"
#include "engine/distribute/collective.h"
#include "engine/distribute/transport.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/run_spec.h"

namespace agent::worker {

struct ConnectOptions {
    std::chrono::milliseconds start_timeout = std::chrono::minutes(10);    // cluster.start_timeout_s
    std::chrono::milliseconds operation_deadline = std::chrono::hours(1);  // of one collective operation while every peer is alive
    std::chrono::milliseconds waiting_report = std::chrono::seconds(5);
    std::chrono::milliseconds heartbeat = std::chrono::seconds(1);
    std::chrono::milliseconds lost_after = std::chrono::seconds(4);
    // The threads of each task that computes on this machine's cores; 0: it computes on other devices. When the tasks take all cores, the
    // thread that computes also moves gRPC's messages.
    int threads = 0;
    engine::distribute::ExchangeProgress* progress = nullptr;  // RingOptions::progress
    LinkFaults* faults = nullptr;                              // of the task's links; outlives the collective
};

// Called on the thread of connectCollective; on_log also later, on a thread of the collective's own. Each may be empty.
struct ConnectCallbacks {
    std::function<void()> on_listening;  // the task's port is ours: whoever kept it reserved may let go
    // "waiting for worker 1 at localhost:23456 (5 s of 600 s)", and for whom, in order of rank
    std::function<void(const std::string&, const std::vector<engine::spec::TaskId>&)> on_waiting;
    std::function<void(const std::string&)> on_log;  // who was refused and why, and why a pair does not share memory
    std::function<bool()> is_cancelled;              // asked some 50 times a second while waiting; true ends it
};

// Serves on the task's address, dials the others and returns when all training tasks of `config` are connected, with a way for bytes along
// each of the edges, which are the same on every task. The transport answers heartbeats on a thread of its own until it is destroyed,
// whatever the caller does meanwhile.
// Throws Error: kAlreadyExists ("worker 0: port 12345 is in use by another program"), kDeadlineExceeded (naming the missing tasks),
// kFailedPrecondition (another cluster; shared memory asked for and impossible), kUnimplemented (a host beyond this computer), kCancelled,
// kUnavailable (a task that had come is lost). Callers that do not prove `secret` are turned away, and a stranger at a task's port is
// waited out.
std::unique_ptr<engine::distribute::Transport> connectTransport(const engine::spec::TaskPlan& plan, const engine::spec::TfConfig& config,
                                                                const engine::distribute::Edges& edges,
                                                                engine::spec::TransportChoice transport, const LinkSecret& secret,
                                                                const ConnectOptions& options = {}, const ConnectCallbacks& callbacks = {});

// The collective over the same in a ring; with one replica nothing is opened. Errors as above.
std::unique_ptr<engine::distribute::Collective> connectCollective(const engine::spec::TaskPlan& plan, const engine::spec::TfConfig& config,
                                                                  engine::spec::TransportChoice transport, const LinkSecret& secret,
                                                                  const ConnectOptions& options = {},
                                                                  const ConnectCallbacks& callbacks = {});

}  // namespace agent::worker
