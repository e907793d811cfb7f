#include "engine/spec/project/batch_advice.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "engine/spec/project/data_order.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/schedule.h"

namespace engine::spec {
namespace {

std::string rateText(double rate) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", rate);
    return text.data();
}

}  // namespace

std::vector<std::string> batchAdvice(const RunSpec& run, std::int64_t tasks, std::int64_t samples, std::int64_t steps_per_epoch) {
    const std::int64_t replicas = tasks * static_cast<std::int64_t>(devicesOf(run.strategy).size());
    const std::int64_t each = run.data.batch_size_per_replica;
    const std::string global = std::to_string(each * replicas);
    std::vector<std::string> lines{"global batch: " + std::to_string(each) + " per replica x " + std::to_string(replicas) +
                                   (replicas == 1 ? " replica = " : " replicas = ") + global};
    if (run.fit.steps_per_epoch > 0) {
        lines.push_back("steps per epoch: " + std::to_string(run.fit.steps_per_epoch) + " (fit.steps_per_epoch)");
    } else if (steps_per_epoch > 0) {
        lines.push_back("steps per epoch: " + std::to_string(steps_per_epoch) + " (" + std::to_string(trainedSamples(run.data, samples)) +
                        " training samples)");
    }
    const double rate = optimizerRate(run.compile.optimizer, 0);
    if (replicas > 1 && rate > 0) {
        lines.push_back("learning rate: " + rateText(rate) + " as chosen for one replica's batch of " + std::to_string(each) + "; for " +
                        global + ", " + rateText(rate * std::sqrt(static_cast<double>(replicas))) + " (square root) to " +
                        rateText(rate * static_cast<double>(replicas)) + " (linear) are usual");
    }
    return lines;
}

std::string shardReason(const DataSpec& data, bool by_file, std::int64_t files, std::int64_t tasks) {
    const std::string workers = std::to_string(tasks);
    if (tasks < 2) {
        return "One worker reads all samples.";
    }
    if (data.auto_shard == AutoShardPolicy::kOff) {
        return "OFF: each of " + workers + " workers reads all samples, " +
               (data.seed_per_worker ? "in an order of its own." : "in the same order.");
    }
    const bool is_auto = data.auto_shard == AutoShardPolicy::kAuto;
    if (by_file) {
        return (is_auto ? "AUTO deals whole files (FILE), because the set is read file by file: " : "FILE: ") + std::to_string(files) +
               " files for " + workers + " workers.";
    }
    return is_auto ? "AUTO deals single samples (DATA), because the set is held in memory."
                   : "DATA: each of " + workers + " workers takes 1/" + workers + " of every batch.";
}

}  // namespace engine::spec
