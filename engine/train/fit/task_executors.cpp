#include "engine/train/fit/task_executors.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/backend/device_group.h"
#include "engine/plan/loss.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"
#include "engine/train/task_plans.h"

namespace engine::train {
namespace {

constexpr std::int64_t kGoodEvaluationBatch = 256;                     // fewer samples keep the kernels from their speed
constexpr std::int64_t kFreeEvaluationBytes = std::int64_t{32} << 20;  // nobody minds that much

std::int64_t shareOf(std::int64_t batch, std::int64_t parts) {
    return std::max<std::int64_t>(1, (batch + parts - 1) / parts);
}

}  // namespace

TaskExecutors::TaskExecutors(const spec::RunSpec& run, const spec::TaskPlan& task, distribute::Collective* collective,
                             TaskExecutorsOptions options, std::int64_t batch)
    : run_(run),
      task_(task),
      collective_(collective),
      options_(std::move(options)),
      training_plan_(train::trainingPlan(run_, task_, 0, (batch + devices() - 1) / devices())),
      evaluation_plan_(largeForwardPlan()),
      variables_(options_.servers == nullptr ? training_plan_ : options_.servers->plans().whole) {}

TaskExecutors::~TaskExecutors() = default;

// The plan of a large batch, as long as it needs no more memory than training does; of Keras' batch where another one gives another loss.
plan::Plan TaskExecutors::largeForwardPlan() const {
    const std::int64_t least = training_plan_.batch;
    if (plan::Plan plan = forwardPlan(run_, task_, 0, least); std::ranges::any_of(plan.ops, plan::lossHangsOnBatches)) {
        const std::int64_t asked = run_.fit.validation_batch_size;
        const std::int64_t batch = shareOf(shareOf(asked > 0 ? asked : task_.global_batch_size, task_.replicas), devices());
        return batch == least ? plan : forwardPlan(run_, task_, 0, batch);
    }
    for (std::int64_t batch = std::max(kGoodEvaluationBatch, least);; batch = std::max(batch / 2, least)) {
        plan::Plan plan = forwardPlan(run_, task_, 0, batch);
        if (batch == least || plan.private_bytes <= std::max(training_plan_.private_bytes, kFreeEvaluationBytes)) {
            return plan;
        }
    }
}

std::int64_t TaskExecutors::classes() const {
    return evaluation_plan_.tensors[static_cast<std::size_t>(evaluation_plan_.output)].shape.back();
}

void TaskExecutors::requireFit(const data::Samples& samples) const {
    data::checkAgainstModel(samples, spec::fedShape(run_.model), labelNeed(evaluation_plan_));
}

std::unique_ptr<backend::Executor> TaskExecutors::make(const plan::Plan& first, std::span<std::byte> region) {
    if (devices() == 1) {
        distribute::Collective* collective = first.training ? collective_ : nullptr;
        return options_.make_executor(first, variables_, {.threads = options_.threads, .collective = collective, .region = region});
    }
    std::vector<plan::Plan> plans{first};
    while (plans.size() < task_.devices.size()) {
        plans.push_back(first.training ? train::trainingPlan(run_, task_, plans.size(), first.batch)
                                       : forwardPlan(run_, task_, plans.size(), first.batch));
    }
    return backend::makeDeviceGroup(options_.make_executor, plans, variables_,
                                    {.devices = task_.devices,
                                     .threads = options_.threads,
                                     .between = first.training ? collective_ : nullptr,
                                     .region = region,
                                     .connect = options_.connect_devices,
                                     .loss = {}});
}

void TaskExecutors::startTraining(std::span<std::byte> region) {
    if (options_.servers != nullptr) {  // they, not this task, know the weights: ServedExecutor::begin()
        ServedOptions served = options_.served;
        served.make_executor = options_.make_executor;
        served.threads = options_.threads;
        auto executor = std::make_unique<ServedExecutor>(*options_.servers, variables_, std::move(served));
        served_ = executor.get();
        training_ = std::move(executor);
        return;
    }
    training_ = make(training_plan_, region);
    training_->reloadVariables();
}

backend::Executor& TaskExecutors::training() {
    ENGINE_CHECK(training_ != nullptr);
    return *training_;
}

backend::Executor& TaskExecutors::evaluation() {
    sync();
    if (evaluation_ == nullptr) {
        evaluation_ = make(evaluation_plan_, {});
    }
    evaluation_->reloadVariables();
    return *evaluation_;
}

void TaskExecutors::sync() {
    if (training_ != nullptr) {
        training_->syncVariables();
    }
}

void TaskExecutors::reload() {
    if (training_ != nullptr) {
        training_->reloadVariables();
    }
}

std::string TaskExecutors::describe() const {
    return training_ == nullptr ? "" : training_->describe();
}

std::string TaskExecutors::planText() const {
    return training_ == nullptr ? "" : training_->planText();
}

}  // namespace engine::train
