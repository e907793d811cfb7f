// What a host and the tasks on it use at one moment: measured by the host's agent, or by a task that has none, shown by the studio and the
// command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/events/exchange_state.h"
#include "engine/spec/project/cluster_spec.h"

namespace engine::spec {

// One task's process, all of its threads.
struct TaskLoad {
    std::string run_id;
    TaskId task;
    int pid = 0;
    double cpu_cores = 0;                     // mean over the interval
    std::int64_t resident_bytes = 0;          // shared memory included
    std::int64_t gpu_memory_bytes = 0;        // over all GPUs; 0 too where the driver does not tell
    std::optional<ExchangeState> exchange{};  // none: it exchanges nothing with others, or has not begun to
    friend bool operator==(const TaskLoad&, const TaskLoad&) = default;
};

struct GpuLoad {
    std::string name;
    double busy = 0;  // share of the last moment in which a kernel ran, 0 to 1
    std::int64_t memory_used_bytes = 0, memory_bytes = 0;
    friend bool operator==(const GpuLoad&, const GpuLoad&) = default;
};

struct HostLoad {
    std::int64_t time_unix_ns = 0;
    double interval_s = 0;  // what cores and rates are means over
    double cpu_cores = 0;   // busy with anything, of the cores that a task may use
    int cores = 0;          // that a task may use; 0: the host was not measured, its tasks alone tell
    std::int64_t memory_used_bytes = 0, memory_bytes = 0;
    double received_bytes_per_s = 0, sent_bytes_per_s = 0;  // over every network interface but loopback
    double loopback_bytes_per_s = 0;                        // what programs of this host sent each other over TCP
    std::vector<TaskLoad> tasks;                            // of this agent, in order of run and start
    std::vector<GpuLoad> gpus;                              // in the order of their slots
    std::string host{};                                     // the other computer's name that it is of; empty: the agent's own
    friend bool operator==(const HostLoad&, const HostLoad&) = default;
};

}  // namespace engine::spec
