// How a program of one's own finds the other tasks of its cluster: TF_CONFIG, and how long it waits.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/project/run_spec.h"

namespace agent::distributed {

// All tasks are processes of this computer and of one user: they know each other by a secret in a file of the user's, which the first of
// them makes (STATE/tandem/tasks.secret, where STATE is $XDG_STATE_HOME, else ~/.local/state).
struct ClusterOptions {
    std::optional<std::string> tf_config{};  // as text; nothing: the variable TF_CONFIG of the environment
    engine::spec::TransportChoice transport = engine::spec::TransportChoice::kAuto;  // shared memory where that is possible, else gRPC
    std::chrono::milliseconds start_timeout{std::chrono::minutes(10)};               // how long a task that is not there is waited for
    std::chrono::milliseconds lost_after{std::chrono::seconds(10)};  // a task that gives no sign of life for so long is lost
    // Told who came, who is awaited ("waiting for worker 1 at localhost:23456 (5 s of 600 s)") and who was lost, on any thread; may be
    // empty.
    std::function<void(const std::string&)> log{};
    std::function<bool()> is_cancelled{};  // asked many times a second while a task waits for others; true ends that with kCancelled
};

// Returns what the options' TF_CONFIG says, for a strategy of that use; empty where there is none. Warnings go to options.log. Throws
// Error(kInvalidArgument) with the first mistake: "TF_CONFIG, task.index: ...".
engine::spec::TfConfig readTfConfig(const ClusterOptions& options, engine::spec::TfConfigUse use);

// Returns how many threads each task computes with when the tasks share this computer's cores; `wanted` when that is above 0.
int threadsFor(const engine::spec::ClusterSpec& cluster, int wanted);

}  // namespace agent::distributed
