// Lets a run go on without tasks that it has lost for good (cluster.on_task_lost "continue"): with a smaller cluster, whose tasks keep
// their ports, their folders and their computers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agent/server/supervision/task_starter.h"
#include "engine/run/run_info.h"
#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/project/run_spec.h"

namespace agent::server {

// Used by the supervisor's thread alone.
class RunContinuation {
public:
    // `tasks_project_json` is the project as its tasks have it: with numbers in place of the names of other computers.
    explicit RunContinuation(const std::string& tasks_project_json);

    struct Outcome {
        std::string obstacle{};                        // why nobody can go on; empty: it goes on
        std::string told{};                            // "the run goes on with 2 of 3 workers, without worker 1"
        std::vector<engine::spec::TaskId> left_out{};  // the tasks that are no part of it any more, by their names so far
        std::vector<engine::spec::TaskId> gone{};      // names that no task of the run has any more
        std::string warning{};                         // what could not be noted for an agent that comes after this one; empty: nothing
    };
    // Changes `launches`, `record`, and the project and notes in the run's folder to those of the smaller cluster. All tasks have ended;
    // `has_backup`: they go on from a backup in the folder of the chief. When there is an obstacle, nothing has changed.
    Outcome leaveOut(const std::vector<engine::spec::TaskId>& lost, bool has_backup, std::vector<TaskLaunch>& launches,
                     engine::run::RunInfo& record);

private:
    engine::spec::RunSpec tasks_run_;
    std::vector<std::shared_ptr<FarPart>> lost_parts_;  // until the run ends: nobody waits for what they still do
};

}  // namespace agent::server
