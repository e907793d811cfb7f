#include "engine/spec/batch_advice.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "engine/spec/device_name.h"
#include "engine/spec/schedule.h"
#include "engine/spec/task_plan.h"

namespace engine::spec {
namespace {

std::string rateText(double rate) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", rate);
    return text.data();
}

}  // namespace

std::vector<std::string> batchAdvice(const RunSpec& run, int tasks, std::int64_t samples) {
    const int replicas = tasks * static_cast<int>(devicesOf(run.strategy).size());
    const std::int64_t each = run.data.batch_size_per_replica;
    const std::string global = std::to_string(each * replicas);
    std::vector<std::string> lines{"global batch: " + std::to_string(each) + " per replica x " + std::to_string(replicas) +
                                   (replicas == 1 ? " replica = " : " replicas = ") + global};
    if (run.fit.steps_per_epoch > 0) {
        lines.push_back("steps per epoch: " + std::to_string(run.fit.steps_per_epoch) + " (fit.steps_per_epoch)");
    } else if (samples > 0) {
        lines.push_back("steps per epoch: " + std::to_string(stepsPerEpoch(run, samples, tasks)) + " (" + std::to_string(samples) +
                        " training samples)");
    }
    const double rate = optimizerRate(run.compile.optimizer, 0);
    if (replicas > 1 && rate > 0) {
        lines.push_back("learning rate: " + rateText(rate) + " as chosen for one replica's batch of " + std::to_string(each) + "; for " +
                        global + ", " + rateText(rate * std::sqrt(replicas)) + " (square root) to " + rateText(rate * replicas) +
                        " (linear) are usual");
    }
    return lines;
}

}  // namespace engine::spec
