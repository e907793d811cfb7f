// Starts the processes of a run's tasks, each with the secret of the attempt that it belongs to.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "agent/local/secret.h"
#include "agent/server/process/port_reservation.h"
#include "agent/server/process/process.h"
#include "agent/server/runs/far_part.h"
#include "agent/server/supervision/supervised_task.h"
#include "agent/trust/run_credentials.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::server {

struct TaskLaunch {
    engine::spec::TaskId task;
    bool chief = false;
    ProcessSpec process;
    PortReservation port;             // none without a cluster
    std::shared_ptr<FarPart> part{};  // of a task on another computer, whose process it makes
    // The credentials of a task here when its run has its home on another computer.
    std::optional<trust::RunCredentials> credentials{};
};

// Owned by its run, from the supervisor's thread.
class TaskStarter {
public:
    // `given`: the secret of every attempt; empty: each attempt has one of its own, so that what is left of an earlier one belongs to it no
    // more.
    // `across_hosts`: the run is on several computers, and each attempt has an authority of its own, which makes its tasks' credentials.
    TaskStarter(std::optional<convert::Secret> given, bool across_hosts) : given_(given), across_hosts_(across_hosts) {}

    // The launcher outlives this object and is set before the first start.
    void use(ProcessLauncher& launcher) { launcher_ = &launcher; }
    void beginAttempt() {
        if (across_hosts_) {
            key_ = trust::ClusterKey::make();
        } else {
            secret_ = given_ ? given_ : convert::makeSecret();
        }
    }
    // Starts the task's process and takes the port from `launch`. Throws Error as ProcessLauncher::launch().
    std::unique_ptr<SupervisedTask> start(TaskLaunch& launch, SteadyTime now) const {
        auto process = launch.part ? launch.part->launch(launch.task) : launcher_->launch(launch.process);
        auto task = std::make_unique<SupervisedTask>(launch.task, launch.chief, std::move(process), std::move(launch.port), now);
        // A task that is gone already is noticed as ended, so hand() may fail here.
        if (launch.credentials) {
            task->hand(*launch.credentials);
        } else if (key_) {
            task->hand(trust::RunCredentials{key_->secret(), key_->issue(toString(launch.task))});
        } else {
            task->hand(*secret_);
        }
        return task;
    }

private:
    const std::optional<convert::Secret> given_;
    const bool across_hosts_;
    std::optional<convert::Secret> secret_;
    std::optional<trust::ClusterKey> key_;
    ProcessLauncher* launcher_ = nullptr;
};

}  // namespace agent::server
