// Makes of what a client submits a run that can be started: checked, with ports reserved, threads shared out and its folder written.
#pragma once

#include <ctime>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent/server/runs/submission.h"
#include "agent/server/supervision/supervised_run.h"
#include "engine/spec/cluster/gpu.h"
#include "engine/spec/project/run_spec.h"

namespace agent::server {

// Returns an id for a run of that second: "20261121-143205-7f3a".
std::string newRunId(std::time_t now);

// The share of this computer in a run on several: the tasks that start here.
struct OwnShare {
    std::vector<engine::spec::TaskId> tasks;
    std::vector<PortReservation> ports;  // of each
    // The credentials of each task when the run's home is another computer; empty at home.
    std::vector<trust::RunCredentials> credentials{};
    // The cluster with the computers' names, at home alone: the record keeps it, so that the run can be started again when they have other
    // numbers.
    engine::spec::ClusterSpec named_cluster{};
    // A file with a backup that was written elsewhere, from which the tasks of a part go on; empty: they do as their folder says.
    std::string backup{};
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
    PartMaker parts{};       // reaches other computers; empty: none can be reached
    LoadSink far_loads{};    // what those use; empty: nobody wants it
    FarDoctor far_doctor{};  // looks at other computers; empty: none can be
    FileSharer share{};      // sends files to other computers; empty: none can be reached
};

// Prepares a run to be started. In a folder whose last run is over and has left a backup that this one goes on from, that run goes on: by
// its id, in its journal, as a further attempt. Anywhere else a run begins.
//
// Throws Error: kInvalidArgument lists every error of the project or of its files, kAlreadyExists names a port that is taken or the run
// that uses the folder, kFailedPrecondition says what a GPU is missing for, kResourceExhausted and kPermissionDenied name the folder. Then
// nothing is reserved and no run is in the book.
//
// With `share`, only its tasks are launched, of a project that has the whole cluster; at home there may be none.
RunLaunch prepareRun(const Submission& submission, const SubmissionContext& context, RunBook& book,
                     std::optional<OwnShare> share = std::nullopt);

// Returns the rules for restarts of a run in `folder`. `tasks_project_json` is the project as its tasks have it.
RestartPolicy restartPolicy(const engine::spec::RunSpec& run, const std::filesystem::path& folder, const std::string& tasks_project_json);

// Looks at a project whose cluster may be of no account yet, and holds ports for so many of its tasks: these, or where there are none any.
// Throws as prepareRun().
std::vector<PortReservation> holdPart(const std::string& project_json, int tasks, const std::vector<int>& ports,
                                      const SubmissionContext& context);

}  // namespace agent::server
