// Slurm by its own programs: sbatch, scontrol, squeue and scancel of the PATH. What they print is read here, without running them.
#pragma once

#include <string>
#include <string_view>

#include "agent/local/program_output.h"
#include "agent/server/scheduled/job_queue.h"

namespace agent::server {

// Returns the job's id in what `sbatch --parsable` printed: "123", or "123;cluster" where there are several clusters. Throws
// Error(kFailedPrecondition) with Slurm's own reason where it took no job.
std::string submittedJob(const convert::ProgramEnd& end);

// Returns the id of the newest job of that script in what squeue printed of this user's jobs, "ID SCRIPT" a line; empty without one.
std::string jobOfScript(std::string_view queue, std::string_view script);

// Reads what `scontrol --oneliner show job ID` printed; kEnded without a text where Slurm knows no such job any more. `queue` is what
// squeue printed of the partition's waiting jobs, an id a line, the next one first; empty: nobody asked.
JobReport jobReport(const std::string& id, const convert::ProgramEnd& shown, std::string_view queue);
// Whether Slurm's program failed since Slurm has forgotten the job: it does so some minutes after a job has ended.
bool isOfNoSuchJob(const convert::ProgramEnd& end);
// Returns the partition in which the job waits; empty when it does not wait.
std::string waitingPartition(const convert::ProgramEnd& shown);

// "slurm_load_jobs error: Unable to contact slurm controller (connect failure)" -> "Unable to contact slurm controller (connect failure)"
std::string slurmReason(std::string_view errors);

}  // namespace agent::server
