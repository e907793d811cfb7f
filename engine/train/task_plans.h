// The plans that a task runs: made here for the trainer, and for whoever shows them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/data/dataset.h"
#include "engine/parameter_server/parameter_client.h"
#include "engine/plan/plan.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/run_spec.h"

namespace engine::train {

// The plans of task.devices[device], for `batch` samples of its replica. Errors as plan::compile().
plan::Plan trainingPlan(const spec::RunSpec& run, const spec::TaskPlan& task, std::size_t device, std::int64_t batch);
plan::Plan forwardPlan(const spec::RunSpec& run, const spec::TaskPlan& task, std::size_t device, std::int64_t batch);

// The plans of a task in a cluster with ps tasks (task.servers), for the batch of a worker. Errors as plan::compile().
parameter_server::ParameterPlans parameterPlans(const spec::RunSpec& run, const spec::TaskPlan& task);

// What a plan's loss takes as labels.
data::LabelNeed labelNeed(const plan::Plan& plan);

}  // namespace engine::train
