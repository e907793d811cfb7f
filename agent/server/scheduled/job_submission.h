// A run that is handed to Slurm: its folder, its job, and the run that is followed there from the moment of its submission on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "agent/server/followed/run_follower.h"
#include "agent/server/runs/run_book.h"
#include "agent/server/scheduled/slurm_queue.h"
#include "engine/launch/launch_job.h"
#include "engine/run/run_info.h"

namespace agent::server {

struct JobSubmission {
    // Its run_folder is absolute, where every node sees it, and made where it is missing; empty: one below the runs folder. Its programs
    // empty: where this agent's lie. Its project is of no account.
    engine::launch::LaunchJob job;
    std::string project_json;
};

// The settings that the computer which hands a job over fills in.
struct JobPlace {
    std::filesystem::path runs_dir, program_dir;
};

struct SubmittedJob {
    std::string job;
    std::vector<engine::run::RunInfo> runs;  // by seed
};

// Hands the job to Slurm and lets its runs be followed. In the folder of an earlier job whose run is over and was not done, that run goes
// on. Throws Error: kInvalidArgument for a project with errors and as engine::launch::slurmScript() does, kAlreadyExists for a folder with
// other files, or with a run that goes on or is done, and what SlurmQueue::submit throws. Then nothing is submitted, and what was made is
// gone.
SubmittedJob submitJob(const JobSubmission& submission, const JobPlace& place, SlurmQueue& queue, RunBook& book, RunFollower& follower);

}  // namespace agent::server
