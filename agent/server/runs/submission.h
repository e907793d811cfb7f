// What a client submits to be a run. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/cluster/host_share.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::server {

// What is known of a run that the end of its agent has interrupted, and that goes on by itself.
struct TakenUp {
    std::string run;                     // its id; RunBook::interrupted() has it
    int first_attempt = 1;               // with which its user started it last: what came since has used cluster.max_restarts
    std::int64_t last_told_unix_ns = 0;  // when its tasks told something last
};

struct Submission {
    std::string project_json;
    int local_workers = 0;  // > 0: that many tasks on localhost, on ports of the agent's choice
    std::string run_dir;    // absolute; empty: below runs_dir
    std::optional<engine::spec::TaskId> only_task;
    bool overwrite = false;      // begin anew in a folder that holds a run
    std::string data_dir{};      // where the tasks look for data sets first, absolute; empty: where the agent does
    std::string save_weights{};  // where the weights go after training, absolute; empty: as fit.save_weights says, below the run's folder
    int local_servers = 0;       // > 0, with local_workers: so many ps tasks beside them, for ParameterServerStrategy
    std::vector<engine::spec::HostShare> hosts{};  // the computers of the run, in place of local_workers
    std::optional<TakenUp> taken_up{};
    std::string ssh_agent{};  // the socket of the user's ssh-agent, for the way to them; empty: as the agent's environment says
};

}  // namespace agent::server
