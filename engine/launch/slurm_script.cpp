#include "engine/launch/slurm_script.h"

#include <cstdint>

#include "engine/launch/shell_text.h"
#include "engine/spec/error.h"

namespace engine::launch {
namespace {

// The notice before a job's time is over, and the shortest job that gets some work done before it.
constexpr std::int64_t kNoticeSeconds = 120, kLeastSeconds = 300;

void checkTime(const LaunchJob& job) {
    if (const std::int64_t seconds = secondsOf(job); seconds != 0 && seconds < kLeastSeconds) {
        throw Error(ErrorCode::kInvalidArgument, "--time: expected " + std::to_string(kLeastSeconds / 60) +
                                                     " minutes or more, since the tasks stop " + std::to_string(kNoticeSeconds / 60) +
                                                     " minutes before the end, got " + job.time);
    }
}

// The path as a file name in which Slurm replaces what begins with "%".
std::string patternOf(const std::string& path) {
    std::string text;
    for (const char c : path) text += c == '%' ? "%%" : std::string(1, c);
    return text;
}

// The word as Slurm reads it in a directive. A plain word stays as it is.
std::string doubleQuoted(const std::string& word) {
    if (word.find_first_of(" \t\"'\\#") == std::string::npos) return word;
    std::string text = "\"";
    for (const char c : word) text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return text + "\"";
}

std::string directives(const LaunchJob& job, const std::string& name) {
    std::string text;
    const auto add = [&text](const std::string& line) { text += "#SBATCH " + line + "\n"; };
    add("--job-name=" + name);
    add("--nodes=" + std::to_string(job.nodes));
    add("--ntasks-per-node=" + std::to_string(job.tasks_per_node));
    if (job.cpus_per_task > 0) add("--cpus-per-task=" + std::to_string(job.cpus_per_task));
    if (job.gpus_per_task > 0) add("--gpus-per-task=" + std::to_string(job.gpus_per_task));
    if (!job.memory.empty()) add("--mem=" + job.memory);
    if (!job.time.empty()) add("--time=" + job.time);
    if (!job.partition.empty()) add("--partition=" + job.partition);
    if (job.seeds > 1) add("--array=0-" + std::to_string(job.seeds - 1));
    const std::string log = job.run_folder.empty() ? name : patternOf(job.run_folder) + (job.seeds > 1 ? "/seed-%a/slurm" : "/slurm");
    add("--output=" + doubleQuoted(log + (job.seeds > 1 ? "-%A_%a.log" : "-%j.log")));
    add("--open-mode=append");
    add("--requeue");
    add("--signal=B:USR1@" + std::to_string(kNoticeSeconds));
    return text;
}

}  // namespace

std::string slurmScript(const LaunchJob& job, const spec::RunSpec& run) {
    checkJobWithoutMpirun(job, run);
    checkTime(job);
    const std::string name = plainName(job.name);
    const bool is_array = job.seeds > 1;
    std::string text = "#!/bin/bash\n";
    text += "# Trains with Tandem on " + std::to_string(taskCount(job)) + " tasks. Hand it to Slurm: sbatch " + name + "-slurm.sh\n";
    text +=
        "# The first lines are Slurm's own settings: change there what your cluster needs, such as --partition, --account, --time, --mem\n"
        "# or --cpus-per-task (where nothing says it, most clusters give a task one processor).\n"
        "# The programs, the project and the run's folder must lie where every node sees them. A job that is queued again, after a node "
        "was\n"
        "# lost or its time was over, goes on in its folder.\n";
    if (!keepsBackup(run)) {
        text += "# The project has no callback BackupAndRestore: a job that is queued again begins anew.\n";
    }
    text += directives(job, name);
    text += "\nset -euo pipefail\n\n";
    text += "project=" + singleQuoted(job.project) + "\n";
    const std::string seed = is_array ? "/seed-$SLURM_ARRAY_TASK_ID" : "";
    text += "run=" + (job.run_folder.empty() ? "\"$SLURM_SUBMIT_DIR/" + name + "-run" + seed + "\"" : singleQuoted(job.run_folder) + seed) +
            "\n";
    text += job.programs.empty() ? "# export PATH=\"/where/tandem/is/bin:$PATH\"\n\n"
                                 : "export PATH=" + singleQuoted(job.programs) + "\":$PATH\"\n\n";
    text +=
        "# The key lets in the tasks of this run, and nobody else, and encrypts what they say to each other.\n"
        "mkdir -p -m 700 \"$run\"\n"
        "if [ ! -e \"$run/cluster.key\" ]; then tandem-cli cluster-key --out \"$run/cluster.key\"; fi\n\n"
        "# Two minutes before the job's time is over the tasks stop after a step, with a backup, and the job is queued again.\n";
    // One of an array's jobs has the array's number for its own, by which Slurm's programs would mean all of them.
    text += is_array ? "job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID  # not SLURM_JOB_ID, which may mean the whole array\n"
                     : "job=$SLURM_JOB_ID\n";
    text +=
        "time_is_over=\n"
        "trap 'time_is_over=yes; scancel --signal=TERM \"$job\"' USR1\n\n";
    text += "# Other jobs of a node have other ports, below those that Linux hands out itself.\n";
    text += "port=$((10000 + SLURM_JOB_ID * " + std::to_string(job.tasks_per_node) + " % 20000))\n";
    text += "options=(--from-slurm --first-port \"$port\" --cluster-key \"$run/cluster.key\" --out \"$run\")\n";
    for (const std::string& setting : job.settings) text += "options+=(--set " + singleQuoted(setting) + ")\n";
    if (is_array) text += "options+=(--set \"fit.seed=$SLURM_ARRAY_TASK_ID\")\n";
    text +=
        "step=(srun --label --kill-on-bad-exit=1 --distribution=block)\n"
        "# Since Slurm 22.05 srun does not take over the processors that the job has for each task.\n"
        "if [ -n \"${SLURM_CPUS_PER_TASK:-}\" ]; then step+=(--cpus-per-task=\"$SLURM_CPUS_PER_TASK\"); fi\n"
        "\"${step[@]}\" tandem-worker \"$project\" \"${options[@]}\" &\n"
        "tasks=$!\n"
        "while kill -0 $tasks 2>/dev/null; do wait $tasks || true; done  # a signal ends a wait, and not the tasks\n"
        "code=0\n"
        "wait $tasks || code=$?\n\n"
        "if [ -n \"$time_is_over\" ] && [ ! -e \"$run/finished.json\" ]; then scontrol requeue \"$job\"; fi\n"
        "exit $code\n";
    return text;
}

}  // namespace engine::launch
