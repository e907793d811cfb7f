// What is asked of a scheduler, or of whatever else starts the tasks of a project, whichever it is: the header to read first of the kinds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/spec/cluster/host_share.h"
#include "engine/spec/project/run_spec.h"

namespace engine::launch {

struct LaunchJob {
    std::string project;         // as tandem-worker takes it there: a path that every node sees, or the name of a starter project
    std::string project_text{};  // what containers get as a file; empty: their image has the starter project
    std::string name;            // of the job, and of the run's folder
    int nodes = 2, tasks_per_node = 1;
    int cpus_per_task = 0;  // 0: as the cluster has it; the same of what follows, where it is empty
    int gpus_per_task = 0;
    int seeds = 1;         // of Slurm and of containers; above 1: so many runs, each with a seed and a folder of its own
    std::string memory{};  // of a node, as Slurm's --mem takes it: "4G"
    std::string time{};    // as Slurm's --time takes it: "30", "02:00:00", "1-12"
    std::string partition{};
    std::string image{};                   // of containers; empty: the one that installer/image.sh makes for what the tasks train on
    std::vector<spec::HostShare> hosts{};  // of ssh and mpirun, in place of nodes and tasks_per_node; empty: as those say
    std::vector<std::string> settings{};   // PATH=VALUE, as --set takes them
    std::string run_folder{};              // of Slurm: absolute; empty: NAME-run where the script is handed over
    std::string programs{};                // of Slurm: the folder of Tandem's programs on the nodes; empty: on their PATH
    friend bool operator==(const LaunchJob&, const LaunchJob&) = default;
};

std::int64_t taskCount(const LaunchJob& job);
// The seconds that the job's time allows; 0 is without end: no time is given, or Slurm's 0. The job has passed checkLaunchJob().
std::int64_t secondsOf(const LaunchJob& job);
// An estimator goes on from its last checkpoint, another run from what BackupAndRestore keeps.
bool keepsBackup(const spec::RunSpec& run);
// Letters, digits, "-", "_" and "." of ASCII: a name for a job, a file and a folder that nothing has to quote. "tandem" where nothing is
// left.
std::string plainName(const std::string& name);

// Throws Error(kInvalidArgument) that names `option` for what is no name or number of a computer, such as an option of a program.
void requireHost(const char* option, const std::string& host);

// Throws Error(kInvalidArgument) that names the option: a number below its least, a text that is no time, no memory, no partition or no
// image, a line break in the project's name, another number of tasks than a project of parameter servers has.
void checkLaunchJob(const LaunchJob& job, const spec::RunSpec& run);
// The same for a kind whose tasks no mpirun starts: a project that sums by MPI is refused, too.
void checkJobWithoutMpirun(const LaunchJob& job, const spec::RunSpec& run);

}  // namespace engine::launch
