// What the tasks of ParameterServerStrategy do beside training: a ps serves, a worker finds its servers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/transport/link_secret.h"
#include "engine/distribute/exchange_progress.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/events/task_event.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/executor_factory.h"
#include "engine/train/fit/parameter_servers.h"

namespace agent::worker {

struct ParameterTask {
    const engine::spec::RunSpec& run;
    const engine::spec::TaskPlan& plan;
    const engine::spec::ClusterSpec& cluster;
    LinkSecret secret;
    engine::train::ExecutorFactory make_executor = nullptr;
    double silence_s = 10;                                     // after which another task is lost
    bool serves_forever = false;                               // of a ps: until it is told to stop
    std::function<void(engine::spec::EventBody)> report{};     // from any thread of the task
    engine::distribute::ExchangeProgress* progress = nullptr;  // told of every pull and push, and of what a server applies
    std::function<bool()> is_cancelled{};
};

// Serves until a worker has said that the run has all its steps and every worker is gone. Throws as ParameterService::serve(), PeerLost
// included.
void serveParameters(const ParameterTask& task);

// The servers of a worker's cluster; `task` outlives them.
std::unique_ptr<engine::train::ParameterServers> findParameterServers(const ParameterTask& task);

}  // namespace agent::worker
