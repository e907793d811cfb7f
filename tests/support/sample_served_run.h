// A made-up run of one ps and three workers for views and models under test: each worker has every third global step or so, and the server
// tells its load once a second. Not measured; never shown as a result.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/spec/events/task_event.h"

namespace tests {

struct ServedRunOptions {
    std::int64_t created_unix_ns = 1'800'000'000'000'000'000;
    int workers = 3;
    std::int64_t steps = 5000, steps_done = 3600;
    double steps_per_second = 75;
    int batch = 50;
};

inline std::vector<engine::spec::TaskEvent> sampleServedRun(const ServedRunOptions& options) {
    using namespace engine::spec;
    constexpr std::int64_t kParameters = 1'663'370, kBuckets = 4;
    std::vector<TaskEvent> events;
    const TaskId server{"ps", 0};
    const auto at = [&](std::int64_t step) {
        return options.created_unix_ns + static_cast<std::int64_t>((0.4 + static_cast<double>(step) / options.steps_per_second) * 1e9);
    };
    std::uint32_t noise = 4711;
    const auto wobble = [&noise] {
        noise = noise * 1664525u + 1013904223u;
        return static_cast<double>(noise >> 8) / 16777216.0 - 0.5;
    };
    const auto tell = [&](std::int64_t time, const TaskId& task, EventBody body) { events.push_back({0, time, task, std::move(body)}); };
    tell(at(0), server, StateChanged{TaskState::kTraining, "serving worker 0, worker 1, worker 2"});
    std::vector<StepPoints> packs(static_cast<std::size_t>(options.workers));
    std::vector<std::vector<float>> staleness(packs.size());
    std::string ways;
    for (int worker = 0; worker < options.workers; ++worker) {
        tell(at(0), {"worker", worker}, StateChanged{TaskState::kTraining, ""});
        ways += (worker > 0 ? "\n" : "") + std::string("worker ") + std::to_string(worker) + " <-> ps 0: shared memory";
    }
    tell(at(0), {"worker", 0}, RunStarted{options.steps, 1, options.batch, kParameters, kParameters * 4, "cpu (AVX-512, 2 threads)", ways});
    ServerLoad load;
    const auto second = static_cast<std::int64_t>(options.steps_per_second);
    for (std::int64_t step = 1; step <= options.steps_done; ++step) {
        const auto worker = static_cast<std::size_t>(step * 7 / 3 + (wobble() > 0.3 ? 1 : 0)) % packs.size();
        StepPoints& pack = packs[worker];
        if (pack.columns.empty()) {
            pack.examples_per_step = options.batch;
            pack.aggregated = false;
            pack.columns = {{"loss", {}}, {"accuracy", {}}, {"staleness", {}}, {"learning_rate", {}}};
            pack.input_us = 300, pack.compute_us = 29000, pack.wait_us = 5200, pack.reduce_us = 900;
        }
        const double x = static_cast<double>(step), base = 0.03 + 0.25 * std::exp(-x / 900) + 2.0 * std::exp(-x / 90);
        const auto missed = static_cast<std::size_t>(std::max(0.0, std::round(2 + 2.4 * wobble())));
        pack.step.push_back(step);
        pack.epoch.push_back(0);
        pack.time_unix_ns.push_back(at(step));
        const float values[] = {static_cast<float>(base * (1 + 0.9 * wobble())),
                                static_cast<float>(std::min(1.0, 1 - base * 0.3 + 0.02 * wobble())), static_cast<float>(missed), 1e-4F};
        for (std::size_t i = 0; i < pack.columns.size(); ++i) pack.columns[i].values.push_back(values[i]);
        load.staleness.resize(std::max(load.staleness.size(), missed + 1), 0);
        load.staleness[missed] += kBuckets;
        if (step % second != 0 && step != options.steps_done) continue;
        for (std::size_t i = 0; i < packs.size(); ++i) {
            if (!packs[i].step.empty()) tell(at(step), {"worker", static_cast<int>(i)}, std::exchange(packs[i], {}));
            tell(at(step), {"worker", static_cast<int>(i)}, Heartbeat{step, 290'000'000, 0.6});
        }
        load.seconds = 1;
        load.steps = second;
        load.updates = second * kBuckets;
        load.pulled_bytes = load.pushed_bytes = second * kParameters * 4;
        tell(at(step), server, std::exchange(load, {}));
        tell(at(step), server, Heartbeat{0, 75'000'000, 0.3});
    }
    return events;
}

}  // namespace tests
