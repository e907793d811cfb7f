// Does what tandem-worker does with a project: one task of a run, from TF_CONFIG to its last word. Read this header of the folder first.
//
//   Connecting (port bound and listening; data are read meanwhile) -> Ready -> Training <-> Paused -> Done | Stopped | Failed
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/load/gpu_probe.h"
#include "agent/local/task_exit.h"
#include "agent/worker/sinks/event_sink.h"
#include "agent/worker/task_gpus.h"
#include "engine/distribute/collective.h"
#include "engine/distribute/mpi/mpi_functions.h"
#include "engine/spec/cluster/ranked_task.h"
#include "engine/spec/cluster/task_flags.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/trainer.h"

namespace agent::worker {

// Exit codes of tandem-worker.
enum ExitCode : int {
    kExitDone = 0,                         // trained to the end, or stopped when asked to
    kExitFailed = 1,                       // the reason is the last error line
    kExitUsage = 2,                        // wrong options, a project or TF_CONFIG with errors
    kExitAgentGone = 4,                    // the agent that started the task is no more
    kExitPeerLost = local::kPeerLostExit,  // a task that it sums with is gone; only of an agent's task
    kExitStopped = 75,                     // stopped before the end (EX_TEMPFAIL); only with TaskOptions::until_done
    kExitInterrupted = 130,                // told to stop twice
};

struct TaskOptions {
    std::filesystem::path project;
    std::vector<std::string> settings;                       // PATH=VALUE
    std::optional<engine::spec::TransportChoice> transport;  // nullopt: the project's
    int threads = 0;                                         // 0: as threadsPerTask() says
    std::filesystem::path out;                               // the run's folder; empty: a new one below the working directory
    bool join_forever = false;  // of a ps task: it serves until it is told to stop, as TensorFlow's server.join() does
    bool overwrite = false;     // begin anew in a folder that holds a run
    // Set for a scheduler that starts a task again until it exits with 0: a run that is done already is no error, one that was stopped
    // before its end is kExitStopped.
    bool until_done = false;
    std::chrono::seconds wait_for_hosts{0};  // how long names of other tasks may stay unknown; 0: not at all
    std::filesystem::path weights_file;      // where the weights go after training, absolute; empty: as the project says
    engine::spec::TaskFlags flags;           // in place of TF_CONFIG
    engine::spec::RankedTask ranked;         // the same, from a launcher
    std::string tf_config;                   // of the environment; empty without one
    std::filesystem::path cluster_key;       // of a cluster of several computers (trust::ClusterKey); empty: all tasks are on this one
    int agent_descriptor = -1;               // socket of the agent; -1: none
    std::vector<std::filesystem::path> dataset_folders;  // data::datasetFolders()
    std::filesystem::path download_folder;               // data::downloadFolder(); empty: nothing is fetched
    engine::train::ExecutorFactory make_executor = nullptr;
    FindGpus find_gpus{};                     // empty: there are none
    std::function<load::GpuUse()> gpu_use{};  // of this computer's GPUs, asked while the task runs; empty: there are none
    // distribute::mpi::openFunctions() where an mpirun started this task; empty elsewhere.
    std::function<const engine::distribute::mpi::Functions&()> find_mpi{};
};

struct TaskSurroundings {
    std::ostream& out;
    std::ostream& errors;
    bool out_is_terminal = false;
    std::function<bool()> stop_requested;  // a signal asked for a graceful stop
    std::function<void()> agent_gone;      // ends the process; from a thread of the task
};

// Trains one task and returns its exit code. Errors are reported, not thrown.
int runTask(const TaskOptions& options, const TaskSurroundings& surroundings);

}  // namespace agent::worker
