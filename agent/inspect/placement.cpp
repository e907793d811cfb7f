#include "agent/inspect/placement.h"

#include "agent/worker/project_loader.h"
#include "engine/plan/passes/passes.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/train/task_plans.h"

namespace agent::worker {

namespace plan = engine::plan;
namespace spec = engine::spec;

spec::Placement placement(const spec::RunSpec& run) {
    requireValid(run);
    spec::Placement placement;
    std::int64_t replica = 0;
    for (const spec::TaskPlan& task : spec::planTasks(run)) {
        if (!isTrainer(task) || coordinates(task)) continue;
        for (std::size_t device = 0; device < task.devices.size(); ++device, ++replica) {
            const plan::Plan training = engine::train::trainingPlan(run, task, device, run.data.batch_size_per_replica);
            for (const plan::Placed& placed : plan::placements(training, static_cast<int>(device))) {
                placement.ops.push_back({placed.name, placed.kind, placed.device, toString(task.task), replica});
            }
        }
    }
    return placement;
}

}  // namespace agent::worker
