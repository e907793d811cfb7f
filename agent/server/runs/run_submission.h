// From what a client submits to a run that can be started: checked, with ports reserved, threads shared out and its folder written.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent/server/runs/supervised_run.h"
#include "engine/spec/cluster/gpu.h"
#include "engine/spec/cluster/host_share.h"
#include "engine/spec/project/run_spec.h"

namespace agent::server {

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
    std::string ssh_agent{};  // the socket of the user's ssh-agent, for the way to them; empty: as the agent's environment says
};

// The tasks that are this computer's, of a run on several.
struct OwnShare {
    std::vector<engine::spec::TaskId> tasks;
    std::vector<PortReservation> ports;  // of each
    // Of each, where the run's home is another computer; empty at home.
    std::vector<trust::RunCredentials> credentials{};
};

struct SubmissionContext {
    std::filesystem::path runs_dir;
    std::filesystem::path worker_program;
    std::vector<std::string> environment;  // the agent's own; TF_CONFIG in it is replaced
    int cores = 1;
    std::function<engine::spec::GpuInventory()> gpus{};  // of this computer; empty: it has none
    // inputErrors() of a run (with Submission::save_weights in it) in a folder, looked for with the environment of its tasks; empty: nobody
    // looks.
    std::function<std::string(const engine::spec::RunSpec& run, const std::filesystem::path& run_dir,
                              const std::vector<std::string>& environment)>
        input_errors{};
    PartMaker parts{};  // reaches other computers; empty: none can be reached
};

// In a folder whose last run is over and has left a backup that this one goes on from, that run goes on: by its id, in its journal, as a
// further attempt. Anywhere else a run begins.
//
// Throws Error: kInvalidArgument lists every error of the project or of its files, kAlreadyExists names a port that is taken or the run
// that uses the folder, kFailedPrecondition says what a GPU is missing for, kResourceExhausted and kPermissionDenied name the folder. Then
// nothing is reserved and no run is in the book.
//
// With `share`, only its tasks are launched, of a project that has the whole cluster; at home there may be none.
RunLaunch prepareRun(const Submission& submission, const SubmissionContext& context, RunBook& book,
                     std::optional<OwnShare> share = std::nullopt);

// Looks at a project whose cluster may be of no account yet, and holds ports for so many of its tasks: these, or where there are none any.
// Throws as prepareRun().
std::vector<PortReservation> holdPart(const std::string& project_json, int tasks, const std::vector<int>& ports,
                                      const SubmissionContext& context);

}  // namespace agent::server
