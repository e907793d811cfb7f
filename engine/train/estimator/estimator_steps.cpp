#include "engine/train/estimator/estimator_steps.h"

#include <limits>
#include <vector>

#include "engine/data/shard_preview.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/error.h"
#include "engine/spec/project/estimator_run.h"

namespace engine::train::estimator {

void setSteps(spec::RunSpec& run, const data::Samples& training) {
    std::vector<spec::TaskPlan> tasks = spec::planTasks(run);
    std::erase_if(tasks, [](const spec::TaskPlan& task) { return !isTrainer(task); });
    ENGINE_CHECK(run.estimator && !tasks.empty());
    spec::RunSpec pass = run;
    pass.fit.steps_per_epoch = 0;
    pass.fit.steps = 0;
    const bool has_servers = tasks.front().servers > 0;
    const std::int64_t in_a_pass = data::epochSteps(pass, training, tasks) * (has_servers ? std::ssize(tasks) : 1);
    (has_servers ? run.fit.steps : run.fit.steps_per_epoch) = spec::estimatorSteps(run, in_a_pass);
}

}  // namespace engine::train::estimator
