// A made-up run of two workers for views and models under test: shapes as a real one has them (loss falls, accuracy rises, the rate steps
// down), values from plain formulas. Not measured; never shown as a result.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/spec/events/task_event.h"

namespace tests {

struct SampleRunOptions {
    std::int64_t created_unix_ns = 1'800'000'000'000'000'000;
    int epochs = 12, epochs_done = 7;
    std::int64_t steps_per_epoch = 469, extra_steps = 312;  // of the epoch in progress
    double step_seconds = 0.0133;
    int replica_batch = 64;
    double worse = 0;  // taken from the validation's accuracy, added to its loss
};

inline std::vector<engine::spec::TaskEvent> sampleRun(const SampleRunOptions& options) {
    using namespace engine::spec;
    std::vector<TaskEvent> events;
    const TaskId chief{"worker", 0}, other{"worker", 1};
    const auto at = [&](std::int64_t step) {
        return options.created_unix_ns + static_cast<std::int64_t>(static_cast<double>(step) * options.step_seconds * 1e9) + 400'000'000;
    };
    const auto rateOf = [](int epoch) { return epoch < 3 ? 1e-3 : epoch < 7 ? 1e-4 : 1e-5; };
    std::uint32_t noise = 12345;
    const auto wobble = [&noise] {
        noise = noise * 1664525u + 1013904223u;
        return static_cast<double>(noise >> 8) / 16777216.0 - 0.5;
    };
    for (const TaskId& task : {chief, other}) {
        events.push_back({0, options.created_unix_ns + 100'000'000, task, StateChanged{TaskState::kConnecting, ""}});
        events.push_back({0, options.created_unix_ns + 300'000'000, task, StateChanged{TaskState::kTraining, ""}});
        events.push_back({0, options.created_unix_ns + 320'000'000, task,
                          LogLine{LogLevel::kInfo, "epoch 1 begins: shard " + std::to_string(task.index + 1) + " of 2, 30,000 samples"}});
    }
    events.push_back({0, options.created_unix_ns + 310'000'000, chief,
                      RunStarted{options.steps_per_epoch, options.epochs, options.replica_batch * 2, 347146, 1388584,
                                 "cpu (AVX-512, 4 threads)", "worker 0 <-> worker 1: shared memory"}});
    const std::int64_t last = options.epochs_done * options.steps_per_epoch + options.extra_steps;
    constexpr std::int64_t kPack = 32;
    for (std::int64_t first = 1; first <= last; first += kPack) {
        const std::int64_t end = std::min(first + kPack - 1, last);
        StepPoints whole, own0, own1;
        Column loss{"loss", {}}, accuracy{"accuracy", {}}, rate{"learning_rate", {}}, loss1{"loss", {}}, accuracy1{"accuracy", {}};
        for (std::int64_t step = first; step <= end; ++step) {
            const int epoch = static_cast<int>((step - 1) / options.steps_per_epoch);
            const double x = static_cast<double>(step);
            const double base = 0.02 + 0.05 * std::exp(-x / 900) + 1.9 * std::exp(-x / 70);
            const double value = std::max(0.002, base * (1 + 0.9 * wobble()));
            whole.step.push_back(step);
            whole.epoch.push_back(epoch);
            whole.time_unix_ns.push_back(at(step));
            loss.values.push_back(static_cast<float>(value));
            accuracy.values.push_back(static_cast<float>(std::min(1.0, 1 - base * 0.3 + 0.012 * wobble())));
            rate.values.push_back(static_cast<float>(rateOf(epoch)));
            loss1.values.push_back(static_cast<float>(value * (1 + 0.2 * wobble())));
            accuracy1.values.push_back(accuracy.values.back());
        }
        whole.examples_per_step = options.replica_batch;
        whole.input_us = 500, whole.compute_us = 10500, whole.wait_us = 200, whole.reduce_us = 1500, whole.apply_us = 600;
        own1 = whole;
        own1.aggregated = false;
        own0 = own1;
        whole.columns = {loss, accuracy, rate};
        own0.columns = {loss, accuracy};
        own1.columns = {loss1, accuracy1};
        events.push_back({0, at(end), chief, whole});
        events.push_back({0, at(end), chief, own0});
        events.push_back({0, at(end), other, own1});
        const std::int64_t epoch_end = (first / options.steps_per_epoch + 1) * options.steps_per_epoch;
        if (epoch_end < first || epoch_end > end) continue;
        const int epoch = static_cast<int>(epoch_end / options.steps_per_epoch) - 1;
        const double val = 0.03 + options.worse + 0.05 * std::exp(-epoch / 2.0),
                     val_accuracy = 0.9889 - options.worse - 0.012 * std::exp(-epoch / 2.0);
        events.push_back({0, at(epoch_end), chief,
                          EpochEnd{epoch,
                                   epoch_end,
                                   6.2,
                                   {{"accuracy", 0.995},
                                    {"loss", 0.02},
                                    {"val_accuracy", val_accuracy},
                                    {"val_loss", val},
                                    {"learning_rate", rateOf(epoch)}}}});
        events.push_back({0, at(epoch_end), chief,
                          CheckpointSaved{"checkpoints/ckpt_" + std::to_string(epoch + 1), epoch, epoch_end, 1390000, 0.009, true}});
        events.push_back(
            {0, at(epoch_end), chief,
             LogLine{LogLevel::kInfo, "checkpoint saved: checkpoints/ckpt_" + std::to_string(epoch + 1) + " (1.3 MB, 9 ms, best so far)"}});
        events.push_back(
            {0, at(epoch_end), chief,
             LogLine{LogLevel::kInfo, "Learning rate for epoch " + std::to_string(epoch + 1) + " is " + std::to_string(rateOf(epoch))}});
    }
    for (const TaskId& task : {chief, other}) events.push_back({0, at(last), task, Heartbeat{last, 180'000'000, 3.7}});
    return events;
}

}  // namespace tests
