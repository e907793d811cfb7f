#include "agent/load/host_load_meter.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include <sched.h>
#include <unistd.h>

namespace agent::load {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLoopback = "lo";

std::string textOf(const fs::path& file) {
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

// The processors that this process, and so a task, may run on; all of them where the system does not say.
std::function<bool(int)> usableProcessors() {
    cpu_set_t set;
    if (::sched_getaffinity(0, sizeof set, &set) != 0) {
        return [](int) { return true; };
    }
    return [set](int index) { return index < CPU_SETSIZE && CPU_ISSET(index, &set); };
}

// A counter that fell began anew: what it counted before is lost.
std::int64_t grown(std::int64_t before, std::int64_t now) {
    return std::max<std::int64_t>(0, now - before);
}

}  // namespace

HostLoadMeter::HostLoadMeter(HostLoadPlaces places, std::function<GpuUse()> gpus)
    : places_(std::move(places)),
      gpus_(std::move(gpus)),
      ticks_per_second_(static_cast<double>(::sysconf(_SC_CLK_TCK))),
      page_bytes_(::sysconf(_SC_PAGESIZE)) {}

// What goes through a bridge or a tunnel goes through a card as well: where there are cards, they alone count.
void HostLoadMeter::addNetwork(const Reading& before, const Reading& now, engine::spec::HostLoad& load) const {
    const auto isCard = [&](const InterfaceBytes& one) {
        std::error_code ignored;
        return fs::exists(places_.sys / "class" / "net" / one.name / "device", ignored);
    };
    const bool cards = std::any_of(now.interfaces.begin(), now.interfaces.end(), isCard);
    for (const InterfaceBytes& one : now.interfaces) {
        const auto old = std::find_if(before.interfaces.begin(), before.interfaces.end(),
                                      [&](const InterfaceBytes& other) { return other.name == one.name; });
        if (old == before.interfaces.end()) {
            continue;  // it came up just now
        }
        const double received = static_cast<double>(grown(old->received, one.received)) / load.interval_s;
        const double sent = static_cast<double>(grown(old->sent, one.sent)) / load.interval_s;
        if (one.name == kLoopback) {
            load.loopback_bytes_per_s = sent;
        } else if (!cards || isCard(one)) {
            load.received_bytes_per_s += received;
            load.sent_bytes_per_s += sent;
        }
    }
}

// A process that was not there at the last reading has used since then whatever it has used at all.
double HostLoadMeter::taskCores(const Reading& before, const LiveTask& task, const ProcessUse& use, double interval_s) const {
    const auto old = before.processes.find(task.pid);
    const bool same = old != before.processes.end() && old->second.start_ticks == use.start_ticks;
    return static_cast<double>(grown(same ? old->second.cpu_ticks : 0, use.cpu_ticks)) / ticks_per_second_ / interval_s;
}

std::optional<engine::spec::HostLoad> HostLoadMeter::read(const std::vector<LiveTask>& tasks, std::chrono::steady_clock::time_point now,
                                                          std::int64_t time_unix_ns) {
    Reading reading{
        now, parseCpuTicks(textOf(places_.proc / "stat"), usableProcessors()), parseInterfaces(textOf(places_.proc / "net" / "dev")), {}};
    for (const LiveTask& task : tasks) {
        if (const auto use = parseProcess(textOf(places_.proc / std::to_string(task.pid) / "stat"))) {
            reading.processes.emplace(task.pid, *use);
        }
    }
    const std::optional<Reading> before = std::exchange(last_, reading);
    const double interval_s = before ? std::chrono::duration<double>(now - before->at).count() : 0;
    if (!(interval_s > 0)) {
        return std::nullopt;
    }
    const MemoryUse memory = parseMemory(textOf(places_.proc / "meminfo"));
    engine::spec::HostLoad load{.time_unix_ns = time_unix_ns,
                                .interval_s = interval_s,
                                .cores = reading.cpu.cores,
                                .memory_used_bytes = memory.used_bytes,
                                .memory_bytes = memory.total_bytes,
                                .tasks = {},
                                .gpus = {}};
    const auto busy = static_cast<double>(grown(before->cpu.busy, reading.cpu.busy));
    const auto idle = static_cast<double>(grown(before->cpu.idle, reading.cpu.idle));
    load.cpu_cores = busy + idle > 0 ? busy / (busy + idle) * load.cores : 0;
    addNetwork(*before, reading, load);
    GpuUse gpus = gpus_ ? gpus_() : GpuUse();
    load.gpus = std::move(gpus.gpus);
    for (const LiveTask& task : tasks) {
        const auto use = reading.processes.find(task.pid);
        if (use == reading.processes.end()) {
            continue;  // it ended meanwhile
        }
        load.tasks.push_back({task.run_id, task.task, task.pid, taskCores(*before, task, use->second, interval_s),
                              use->second.resident_pages * page_bytes_, gpus.process_memory_bytes[task.pid], task.exchange});
    }
    return load;
}

}  // namespace agent::load
