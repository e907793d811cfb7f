// Starts the processes of a run's tasks, each with the secret of the attempt that it belongs to.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "agent/local/secret.h"
#include "agent/server/process/port_reservation.h"
#include "agent/server/process/process.h"
#include "agent/server/runs/supervised_task.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::server {

struct TaskLaunch {
    engine::spec::TaskId task;
    bool chief = false;
    ProcessSpec process;
    PortReservation port;  // none without a cluster
};

// Owned by its run, from the supervisor's thread.
class TaskStarter {
public:
    // `given`: the secret of every attempt; empty: each attempt has one of its own, so that what is left of an earlier one belongs to it no
    // more.
    explicit TaskStarter(std::optional<convert::Secret> given) : given_(given) {}

    // Outlives it; before the first start.
    void use(ProcessLauncher& launcher) { launcher_ = &launcher; }
    void beginAttempt() { secret_ = given_ ? given_ : convert::makeSecret(); }
    // Takes the port with it. Throws Error as ProcessLauncher::launch().
    std::unique_ptr<SupervisedTask> start(TaskLaunch& launch, SteadyTime now) const {
        auto process = launcher_->launch(launch.process);
        auto task = std::make_unique<SupervisedTask>(launch.task, launch.chief, std::move(process), std::move(launch.port), now);
        task->hand(*secret_);  // one that is gone already is noticed as ended
        return task;
    }

private:
    const std::optional<convert::Secret> given_;
    std::optional<convert::Secret> secret_;
    ProcessLauncher* launcher_ = nullptr;
};

}  // namespace agent::server
