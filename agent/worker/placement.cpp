#include "agent/worker/placement.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "agent/worker/project_loader.h"
#include "agent/worker/task_runner.h"
#include "engine/plan/passes.h"
#include "engine/spec/error.h"
#include "engine/spec/task_plan.h"
#include "engine/train/task_plans.h"

namespace agent::worker {

namespace plan = engine::plan;
namespace spec = engine::spec;

int runPlacement(const PlacementOptions& options, std::ostream& out, std::ostream& errors) {
    const auto run = loadRun(options.project, options.settings, errors);
    if (!run) {
        return kExitUsage;
    }
    try {
        int replica = 0;  // over all tasks
        for (const spec::TaskPlan& task : spec::planTasks(*run)) {
            for (std::size_t device = 0; device < task.devices.size(); ++device, ++replica) {
                const plan::Plan training = engine::train::trainingPlan(*run, task, device, run->data.batch_size_per_replica);
                for (const plan::Placed& placed : plan::placements(training, static_cast<int>(device))) {
                    if (options.json) {
                        out << nlohmann::json{{"task", toString(task.task)},
                                              {"replica", replica},
                                              {"name", placed.name},
                                              {"kind", placed.kind},
                                              {"device", placed.device}}
                            << '\n';
                    } else {
                        out << toString(placed) << '\n';
                    }
                }
            }
        }
        return kExitDone;
    } catch (const engine::Error& error) {
        errors << "error: " << error.what() << '\n';
        return kExitFailed;
    }
}

}  // namespace agent::worker
