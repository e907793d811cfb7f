// The options of tandem-worker by which it takes its task from what started it, in place of TF_CONFIG.
#pragma once

#include <CLI/App.hpp>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "agent/worker/rank_meeting.h"
#include "agent/worker/task_runner.h"
#include "engine/spec/cluster/kubernetes_task.h"
#include "engine/spec/cluster/mpi_task.h"
#include "engine/spec/cluster/slurm_task.h"
#include "engine/spec/error.h"

namespace app {

struct LauncherOptions {
    bool from_slurm = false, from_kubernetes = false, from_mpi = false;
    int first_port = 0;
    std::string meeting;   // a folder
    int host_seconds = 0;  // that names of hosts, or other ranks, may be awaited; 0: the launcher's usual
    bool isAsked() const { return from_slurm || from_kubernetes || from_mpi; }
    const char* flag() const { return from_slurm ? "--from-slurm" : from_kubernetes ? "--from-kubernetes" : "--from-mpi"; }
};

inline constexpr int kMeetingSeconds = 120;

inline void addLauncherOptions(CLI::App& app, LauncherOptions& options, agent::worker::TaskOptions& task) {
    CLI::Option* slurm = app.add_flag("--from-slurm", options.from_slurm,
                                      "the task that srun gave this process, by Slurm's variables, in place of TF_CONFIG");
    CLI::Option* kubernetes =
        app.add_flag(
               "--from-kubernetes", options.from_kubernetes,
               "the task of a pod of an Indexed Job, by JOB_COMPLETION_INDEX and by TANDEM_PODS and TANDEM_POD_HOST of the Job's file")
            ->excludes(slurm);
    CLI::Option* mpi = app.add_flag("--from-mpi", options.from_mpi,
                                    "the rank that mpirun, or srun --mpi=pmix, gave this process; the ranks meet in a folder")
                           ->excludes(slurm)
                           ->excludes(kubernetes);
    app.add_option("--first-port", options.first_port,
                   "with --from-...: of each host's first task, the next ones count up (default: 8888, as TensorFlow has it for Slurm; "
                   "2222 in Kubernetes)")
        ->check(CLI::Range(1, 65535));
    app.add_option("--meet", options.meeting,
                   "with --from-mpi: the folder where the ranks of this start meet, which all of them see (default: a new one in the "
                   "working directory)")
        ->needs(mpi);
    app.add_option("--wait-for-hosts", options.host_seconds,
                   "seconds that the names of other tasks' hosts may stay unknown, and that ranks wait for each other (default: 0; ranks " +
                       std::to_string(kMeetingSeconds) + ")")
        ->check(CLI::Range(1, 86400));
    app.add_flag("--until-done", task.until_done,
                 "for a scheduler that starts the task again until it exits with 0: a run that is done already is 0, a stop before the end "
                 "75")
        ->needs("--out")
        ->excludes("--overwrite");
}

// Returns NAME=VALUE of this process's environment.
inline std::vector<std::string> environmentVariables() {
    std::vector<std::string> variables;
    for (char** at = environ; *at != nullptr; ++at) variables.emplace_back(*at);
    return variables;
}

// Returns the name of this computer, as its system has it.
inline std::string ownHostName() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

// Waits for the other ranks; they may leave the folder when the run is over. Throws Error as RankMeeting(), kInvalidArgument where the
// folder's name would be that of another start.
inline std::unique_ptr<agent::worker::RankMeeting> meetRanks(const LauncherOptions& options, const engine::spec::MpiRank& own,
                                                             const std::function<bool()>& is_cancelled) {
    if (options.meeting.empty() && own.job.empty()) {
        throw engine::Error(engine::ErrorCode::kInvalidArgument,
                            "--meet: expected a new folder that every rank sees, since this mpirun tells its processes no name of the job, "
                            "got none");
    }
    const std::filesystem::path folder = options.meeting.empty() ? "tandem-meeting-" + own.job : options.meeting;
    return std::make_unique<agent::worker::RankMeeting>(
        agent::worker::MeetingOptions{.folder = std::filesystem::absolute(folder).lexically_normal(),
                                      .rank = own.rank,
                                      .size = own.size,
                                      .host = ownHostName(),
                                      .deadline = std::chrono::seconds(options.host_seconds > 0 ? options.host_seconds : kMeetingSeconds),
                                      .is_cancelled = is_cancelled});
}

}  // namespace app
