// Reads what the kernel's text files under /proc say as numbers. Each parser takes a file's text; what it can't read counts as not there,
// and none throws.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agent::load {

// Times since boot, in ticks of sysconf(_SC_CLK_TCK), summed over the processors that count.
struct CpuTicks {
    std::int64_t busy = 0, idle = 0;  // waiting for a disk is idle
    int cores = 0;
    friend bool operator==(const CpuTicks&, const CpuTicks&) = default;
};
// Reads /proc/stat. `counts` says whether the processor of that number counts.
CpuTicks parseCpuTicks(std::string_view text, const std::function<bool(int)>& counts);

struct MemoryUse {
    std::int64_t used_bytes = 0, total_bytes = 0;  // used: what a new program could not get
    friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};
// Reads /proc/meminfo.
MemoryUse parseMemory(std::string_view text);

// The bytes of one network interface since it came up.
struct InterfaceBytes {
    std::string name;
    std::int64_t received = 0, sent = 0;
    friend bool operator==(const InterfaceBytes&, const InterfaceBytes&) = default;
};
// Reads /proc/net/dev, in the file's order.
std::vector<InterfaceBytes> parseInterfaces(std::string_view text);

struct ProcessUse {
    std::int64_t start_ticks = 0;  // since boot: tells apart two processes of one number
    std::int64_t cpu_ticks = 0;    // of all its threads, the ended ones included
    std::int64_t resident_pages = 0;
    friend bool operator==(const ProcessUse&, const ProcessUse&) = default;
};
// Reads /proc/PID/stat. nullopt for text that is none, and for a process that has ended and waits to be reaped.
std::optional<ProcessUse> parseProcess(std::string_view text);

}  // namespace agent::load
