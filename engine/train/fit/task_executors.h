// What a task computes with: the plans of its model, its variables, and the executors that run the plans on the task's devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "engine/backend/executor.h"
#include "engine/data/dataset.h"
#include "engine/distribute/collective.h"
#include "engine/plan/plan.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/executor_factory.h"
#include "engine/train/fit/parameter_servers.h"
#include "engine/train/fit/served_executor.h"

namespace engine::train {

struct TaskExecutorsOptions {
    ExecutorFactory make_executor = nullptr;
    int threads = 1;
    // For a task with several devices: DeviceGroupOptions::connect.
    std::function<std::unique_ptr<distribute::Collective>(int device, distribute::Collective& member)> connect_devices{};
    // For a worker whose variables lie on parameter servers; outlives the executors.
    ParameterServers* servers = nullptr;
    ServedOptions served{};  // make_executor and threads are those above
};

// Owned by the trainer; one thread. Both executors work on copies of their own where their device has memory of its own: the variables here
// are as the last sync() left them.
class TaskExecutors {
public:
    // Compiles the plan of training for steps of `batch` samples of this task, a part for each of its devices, and one for evaluation with
    // large batches. `run`, `task` and `collective` (null for a task alone) outlive it. Throws Error as plan::compile().
    TaskExecutors(const spec::RunSpec& run, const spec::TaskPlan& task, distribute::Collective* collective, TaskExecutorsOptions options,
                  std::int64_t batch);
    ~TaskExecutors();

    // Both plans are the first device's; the others' differ only in where they are placed.
    const plan::Plan& trainingPlan() const { return training_plan_; }
    const plan::Plan& evaluationPlan() const { return evaluation_plan_; }
    // Values of the output along its last axis.
    std::int64_t classes() const;
    // The samples of one step of the evaluation, over the devices.
    std::int64_t evaluationBatch() const { return evaluation_plan_.batch * devices(); }
    // Throws Error(kInvalidArgument) for samples that the model cannot take, or whose labels its loss cannot.
    void requireFit(const data::Samples& samples) const;

    backend::Variables& variables() { return variables_; }
    const backend::Variables& variables() const { return variables_; }

    // Makes the executor of training, which begins with the variables as they are. `region` is what the collective reduces in; it is as
    // long as the plan's shared bytes, or empty for a task alone. Throws Error as the factory.
    void startTraining(std::span<std::byte> region);
    // Requires startTraining().
    backend::Executor& training();
    // The same of a worker with parameter servers; null for other tasks and before startTraining().
    ServedExecutor* served() const { return served_; }
    // Executor::queuesSteps() of it.
    bool queuesSteps() const { return training_ != nullptr && training_->queuesSteps(); }
    // The executor that evaluates the weights as they are now; made when it is first asked for.
    backend::Executor& evaluation();

    // What training has changed goes to variables(). Before startTraining() there is nothing to do, for reload() neither.
    void sync();
    // What was changed in variables() goes to training.
    void reload();

    // The executor of training with its kernels ("cpu (AVX-512, 2 threads)"), and the plan as text. Empty before startTraining().
    std::string describe() const;
    std::string planText() const;

private:
    std::int64_t devices() const { return static_cast<std::int64_t>(task_.devices.size()); }
    plan::Plan largeForwardPlan() const;
    std::unique_ptr<backend::Executor> make(const plan::Plan& first, std::span<std::byte> region);

    const spec::RunSpec& run_;
    const spec::TaskPlan& task_;
    distribute::Collective* const collective_;
    const TaskExecutorsOptions options_;
    const plan::Plan training_plan_;
    const plan::Plan evaluation_plan_;
    backend::Variables variables_;
    std::unique_ptr<backend::Executor> training_;    // null before startTraining()
    ServedExecutor* served_ = nullptr;               // training_, where it is one
    std::unique_ptr<backend::Executor> evaluation_;  // null before evaluation()
};

}  // namespace engine::train
