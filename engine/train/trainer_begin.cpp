// What is done before the first step: variables, replicas that agree, what is told of the run.
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/passes/passes.h"
#include "engine/spec/error.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/train/fingerprint.h"
#include "engine/train/task_plans.h"
#include "engine/train/trainer.h"

namespace engine::train {

void Trainer::prepareTraining() {
    makeWeightsFolder();
    std::span<std::byte> region;
    if (collective_ != nullptr) {
        region = collective_->allocateRegion(static_cast<std::size_t>(executors_.trainingPlan().shared_bytes));
        if (distribute::ExchangeProgress* progress = collective_->progress()) {
            std::vector<distribute::ExchangeProgress::Bucket> buckets;
            for (const plan::Bucket& bucket : executors_.trainingPlan().buckets) {
                buckets.push_back({static_cast<std::size_t>(bucket.offset_bytes), static_cast<std::size_t>(bucket.bytes)});
            }
            progress->nameBuckets(region.data(), std::move(buckets));
        }
    }
    agreeWithPeers();
    progress_.begin(static_cast<std::int32_t>(run_.fit.initial_epoch));
    if (task_.servers == 0 && run_.fit.initial_weights.empty()) {
        batches_.goOnAfter(0);  // initial_epoch passes over epochs, not over samples: as Keras', a new run begins with the first batch
    }
    if (!restored_) {
        beginWeights();
    }
    readBackup();
    if (!restored_) {
        adaptToSamples();
    }
    broadcastWeights();
    backups_.agree({.steps = steps_.done(), .epoch = progress_.epoch(), .step = progress_.stepsDone(), .learning_rate = learningRate()},
                   executors_.variables());
    steps_.lookAt(executors_.variables());
    executors_.startTraining(region);
    tested_.reset();
    if (options_.prepared) {
        options_.prepared();
    }
    progress_.setLength(batches_.stepsPerEpoch(collective_));
    placeInitialState();
    progress_.countSteps(std::min(progress_.stepsDone(), progress_.length()));
    beginServed();
    looks_.layers.begin(steps_.done(), region);
    std::vector<std::string> names;
    for (const plan::NamedMetric& metric : executors_.trainingPlan().metrics) {
        names.push_back(metric.name);
    }
    if (executors_.served() != nullptr && !coordinates(task_) && names.size() < spec::kMaximumMetrics) {
        names.emplace_back("staleness");
    }
    reporter_ =
        std::make_unique<StepReporter>(observer_, StepReporterOptions{.examples_per_step = static_cast<std::int32_t>(batches_.largest()),
                                                                      .aggregated = executors_.served() == nullptr,
                                                                      .metric_names = std::move(names)});
}

void Trainer::agreeWithPeers() {
    if (collective_ == nullptr) {
        return;
    }
    const std::uint64_t mine = replicaFingerprint(run_);
    std::vector<std::uint64_t> all(static_cast<std::size_t>(collective_->size()));
    collective_->allGather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        if (all[rank] != all[0]) {
            throw Error(ErrorCode::kFailedPrecondition,
                        "replica " + std::to_string(rank) +
                            ": expected the project of replica 0, the chief, got one with another model, data, "
                            "compile, fit, callbacks or strategy");
        }
    }
}

void Trainer::broadcastWeights() {
    if (collective_ == nullptr) {
        return;
    }
    for (const backend::Variables::Entry& entry : executors_.variables().entries()) {
        if (!entry.is_slot || restored_) {
            collective_->broadcast(std::as_writable_bytes(entry.values), 0);
        }
    }
}

void Trainer::announce() {
    spec::RunStarted started;
    started.steps_per_epoch = progress_.length();
    started.epochs = run_.fit.epochs;
    started.global_batch_size = task_.global_batch_size;
    started.resumed_step = backups_.hasResumed() || begins_from_ != BeginsFrom::kSeed ? steps_.done() : 0;
    for (const backend::Variables::Entry& entry : executors_.variables().entries()) {
        started.parameters += entry.is_slot ? 0 : static_cast<std::int64_t>(entry.values.size());
    }
    for (const plan::Bucket& bucket : executors_.trainingPlan().buckets) {
        started.gradient_bytes += bucket.bytes;
    }
    started.executor = executors_.describe();
    started.transport = executors_.served() != nullptr ? executors_.served()->description()
                        : collective_ == nullptr       ? ""
                                                       : collective_->describe();
    observer_.report(std::move(started));
    announceDevices();
}

void Trainer::announceDevices() {
    const spec::TaskId* task = task_.tf_config.empty() ? nullptr : &task_.task;
    const bool is_mirrored = spec::strategyKind(run_.strategy.name) == spec::StrategyKind::kMirrored;
    if (task_.devices.size() > 1) {
        std::string names;
        for (const std::string& device : task_.devices) {
            names += (names.empty() ? "'" : ", '") + plan::deviceName(task, device) + "'";
        }
        log(spec::LogLevel::kInfo, "Using " + run_.strategy.name + " with devices (" + names + ")");
        const bool on_cpus = task_.devices.front().starts_with("CPU");
        if (on_cpus && is_mirrored && run_.strategy.cross_device_ops.class_name == "NcclAllReduce") {
            log(spec::LogLevel::kInfo, "NcclAllReduce: all devices are CPUs, so a ring over their memory takes its place");
        }
    }
    if (is_mirrored) {
        log(spec::LogLevel::kInfo, "Number of devices: " + std::to_string(task_.devices.size()));
    }
    if (!run_.strategy.log_device_placement) {
        return;
    }
    const plan::Plan& first = executors_.trainingPlan();
    for (std::size_t device = 0; device < task_.devices.size(); ++device) {
        const plan::Plan plan = device == 0 ? first : trainingPlan(run_, task_, device, first.batch);
        for (const plan::Placed& placed : plan::placements(plan, static_cast<int>(device))) {
            log(spec::LogLevel::kInfo, toString(placed));
        }
    }
}

}  // namespace engine::train
