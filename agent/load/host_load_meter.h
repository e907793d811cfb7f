// Measures how much of this computer is in use, and by which tasks: from two readings of /proc and the time between them, and the GPUs'
// state now.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/load/gpu_probe.h"
#include "agent/load/live_task.h"
#include "agent/load/proc_text.h"
#include "engine/spec/events/host_load.h"

namespace agent::load {

// The folders to read; tests have folders of their own.
struct HostLoadPlaces {
    std::filesystem::path proc = "/proc", sys = "/sys";
};

// Used by one thread at a time. Never throws: what can't be read counts as nothing.
class HostLoadMeter {
public:
    // `gpus` is asked at every reading; empty: there are none.
    explicit HostLoadMeter(HostLoadPlaces places = {}, std::function<GpuUse()> gpus = {});

    // Returns what the host and `tasks` have used since the last call; nullopt for the first call, which has nothing to compare with.
    std::optional<engine::spec::HostLoad> read(const std::vector<LiveTask>& tasks, std::chrono::steady_clock::time_point now,
                                               std::int64_t time_unix_ns);
    // The next call is a first one: after a pause a mean over it would tell nothing.
    void forget() { last_.reset(); }

private:
    struct Reading {
        std::chrono::steady_clock::time_point at;
        CpuTicks cpu;
        std::vector<InterfaceBytes> interfaces;
        std::map<int, ProcessUse> processes;  // by number
    };

    void addNetwork(const Reading& before, const Reading& now, engine::spec::HostLoad& load) const;
    double taskCores(const Reading& before, const LiveTask& task, const ProcessUse& use, double interval_s) const;

    const HostLoadPlaces places_;
    const std::function<GpuUse()> gpus_;
    const double ticks_per_second_;
    const std::int64_t page_bytes_;
    std::optional<Reading> last_;
};

}  // namespace agent::load
