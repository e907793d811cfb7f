// Made-up loads of a host of eight cores while sampleRun() trained: made by plain formulas, not measured; never shown as a result.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/events/host_load.h"

namespace tests {

// One reading a second, the first a second after `from_unix_ns`.
inline std::vector<engine::spec::HostLoad> sampleLoads(const std::string& run_id, std::int64_t from_unix_ns, int seconds) {
    std::vector<engine::spec::HostLoad> loads;
    constexpr std::int64_t kSecond = 1'000'000'000, kMegabyte = 1 << 20;
    for (int i = 1; i <= seconds; ++i) {
        const double swing = std::sin(i * 0.7);
        engine::spec::HostLoad load{.time_unix_ns = from_unix_ns + i * kSecond,
                                    .interval_s = 1,
                                    .cpu_cores = 7.64 + 0.12 * swing,
                                    .cores = 8,
                                    .memory_used_bytes = 5300 * kMegabyte + i * kMegabyte,
                                    .memory_bytes = 15871 * kMegabyte,
                                    .received_bytes_per_s = 0.3e6 + 0.2e6 * swing,
                                    .sent_bytes_per_s = 0.1e6,
                                    .loopback_bytes_per_s = 210e6 + 12e6 * swing,
                                    .tasks = {}};
        load.tasks.push_back({run_id, {"worker", 0}, 48212, 3.72 + 0.05 * swing, 212 * kMegabyte});
        load.tasks.push_back({run_id, {"worker", 1}, 48213, 3.80 - 0.05 * swing, 208 * kMegabyte});
        for (int worker = 0; worker < 2; ++worker) {
            load.tasks[static_cast<std::size_t>(worker)].exchange =
                engine::spec::ExchangeState{.sequence = static_cast<std::uint64_t>(i) * 150U,
                                            .bucket = 2,
                                            .buckets = 2,
                                            .bytes = 1'384'120,
                                            .wait_s = worker == 0 ? 0.002 : 0,
                                            .awaited = worker == 0 ? std::optional(engine::spec::TaskId{"worker", 1}) : std::nullopt,
                                            .step_wait_s = 0.0013 + 0.0004 * worker,
                                            .age_s = 0.3 + 0.2 * worker};
        }
        loads.push_back(std::move(load));
    }
    return loads;
}

}  // namespace tests
