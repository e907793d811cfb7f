#include "engine/launch/slurm_script.h"

#include <cstdint>
#include <regex>
#include <sstream>
#include <string_view>
#include <vector>

#include "engine/launch/shell_text.h"
#include "engine/spec/error.h"

namespace engine::launch {
namespace {

// Of the notice before a job's time is over, and of the shortest job that gets some work done before it.
constexpr std::int64_t kNoticeSeconds = 120, kLeastSeconds = 300;

std::int64_t taskCount(const SlurmJob& job) {
    return std::int64_t{job.nodes} * job.tasks_per_node;
}

[[noreturn]] void refuse(const std::string& message) {
    throw Error(ErrorCode::kInvalidArgument, message);
}

void requireNumber(const char* option, int value, int least) {
    if (value < least) refuse(std::string(option) + ": expected " + std::to_string(least) + " or more, got " + std::to_string(value));
}

// A text of a directive, which ends at a blank.
void requireText(const char* option, const std::string& value, const char* pattern, const char* expectation) {
    if (!value.empty() && !std::regex_match(value, std::regex(pattern))) {
        refuse(std::string(option) + ": expected " + expectation + ", got " + value);
    }
}

// 0: without end, as Slurm has it. The text has passed requireText().
std::int64_t secondsOf(const std::string& time) {
    const std::size_t dash = time.find('-');
    std::int64_t days = 0;
    std::string rest = time;
    if (dash != std::string::npos) {
        days = std::stoll(time.substr(0, dash));
        rest = time.substr(dash + 1);
    }
    std::vector<std::int64_t> parts;
    std::istringstream words(rest);
    for (std::string word; std::getline(words, word, ':');) parts.push_back(std::stoll(word));
    // A number alone is minutes, or hours behind days; two are minutes and seconds, or hours and minutes behind days.
    std::int64_t unit = dash != std::string::npos ? 3600 : parts.size() == 3 ? 3600 : 60;
    std::int64_t seconds = days * 86400;
    for (const std::int64_t part : parts) {
        seconds += part * unit;
        unit /= 60;
    }
    return seconds;
}

void check(const SlurmJob& job, const spec::ClusterSpec& cluster) {
    requireNumber("--nodes", job.nodes, 1);
    requireNumber("--tasks-per-node", job.tasks_per_node, 1);
    requireNumber("--cpus-per-task", job.cpus_per_task, 0);
    requireNumber("--gpus-per-task", job.gpus_per_task, 0);
    requireNumber("--seeds", job.seeds, 1);
    requireText("--memory", job.memory, "[0-9]+[KMGT]?", "a number with K, M, G or T, such as 4G");
    requireText("--time", job.time, "([0-9]{1,6}-)?[0-9]{1,7}(:[0-9]{1,2}){0,2}",
                "minutes, hours:minutes:seconds or days-hours, such as 02:00:00");
    if (const std::int64_t seconds = job.time.empty() ? 0 : secondsOf(job.time); seconds != 0 && seconds < kLeastSeconds) {
        refuse("--time: expected " + std::to_string(kLeastSeconds / 60) + " minutes or more, since the tasks stop " +
               std::to_string(kNoticeSeconds / 60) + " minutes before the end, got " + job.time);
    }
    requireText("--partition", job.partition, "[A-Za-z0-9_.,-]+", "the name of a partition, or several with commas");
    const std::int64_t tasks = taskCount(job);
    std::int64_t expected = 0;
    for (const spec::Job& one : cluster.jobs) expected += static_cast<std::int64_t>(one.tasks.size());
    if (cluster.findJob("ps") != nullptr && tasks != expected) {
        refuse("--nodes, --tasks-per-node: expected as many tasks in all as the project's cluster has (" + std::to_string(expected) +
               "), so that each has its job, got " + std::to_string(tasks));
    }
    if (job.project.find('\n') != std::string::npos) refuse("PROJECT: expected a name without a line break, got one");
}

// A name for a job and a folder: what is neither letter nor digit of ASCII would need quoting in a directive.
std::string plainName(const std::string& name) {
    std::string plain;
    for (const char c : name) {
        const bool is_plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
        plain += is_plain ? c : '_';
    }
    return plain.find_first_not_of("_.") == std::string::npos ? "tandem" : plain;
}

std::string directives(const SlurmJob& job, const std::string& name) {
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
    add(std::string("--output=") + name + (job.seeds > 1 ? "-%A_%a.log" : "-%j.log"));
    add("--open-mode=append");
    add("--requeue");
    add("--signal=B:USR1@" + std::to_string(kNoticeSeconds));
    return text;
}

// An estimator goes on from its last checkpoint.
bool keepsBackup(const spec::RunSpec& run) {
    if (run.estimator) return true;
    for (const spec::ObjectSpec& callback : run.callbacks) {
        if (callback.class_name == "BackupAndRestore") return true;
    }
    return false;
}

}  // namespace

std::string slurmScript(const SlurmJob& job, const spec::RunSpec& run) {
    check(job, run.cluster.spec);
    const std::string name = plainName(job.name);
    const bool is_array = job.seeds > 1;
    std::string text = "#!/bin/bash\n";
    text += "# Trains with Tandem on " + std::to_string(taskCount(job)) + " tasks. Hand it to Slurm: sbatch " + name + ".sh\n";
    text +=
        "# The first lines are Slurm's own settings: change there what your cluster needs, such as --partition, --account, --time or "
        "--mem.\n"
        "# The programs, the project and the run's folder must lie where every node sees them. A job that is queued again, after a node "
        "was\n"
        "# lost or its time was over, goes on in its folder.\n";
    if (!keepsBackup(run)) {
        text += "# The project has no callback BackupAndRestore: a job that is queued again begins anew.\n";
    }
    text += directives(job, name);
    text += "\nset -euo pipefail\n\n";
    text += "project=" + singleQuoted(job.project) + "\n";
    text += "run=\"$SLURM_SUBMIT_DIR/" + name + "-run" + (is_array ? "/seed-$SLURM_ARRAY_TASK_ID" : "") + "\"\n";
    text += "# export PATH=\"/where/tandem/is/bin:$PATH\"\n\n";
    text +=
        "# The key lets in the tasks of this run, and nobody else, and encrypts what they say to each other.\n"
        "mkdir -p -m 700 \"$run\"\n"
        "if [ ! -e \"$run/cluster.key\" ]; then tandem-cli cluster-key --out \"$run/cluster.key\"; fi\n\n"
        "# Two minutes before the job's time is over the tasks stop after a step, with a backup, and the job is queued again.\n"
        "time_is_over=\n"
        "trap 'time_is_over=yes; scancel --signal=TERM \"$SLURM_JOB_ID\"' USR1\n\n";
    text += "# Other jobs of a node have other ports, below those that Linux hands out itself.\n";
    text += "port=$((10000 + SLURM_JOB_ID * " + std::to_string(job.tasks_per_node) + " % 20000))\n";
    text += "options=(--from-slurm --first-port \"$port\" --cluster-key \"$run/cluster.key\" --out \"$run\")\n";
    for (const std::string& setting : job.settings) text += "options+=(--set " + singleQuoted(setting) + ")\n";
    if (is_array) text += "options+=(--set \"fit.seed=$SLURM_ARRAY_TASK_ID\")\n";
    text +=
        "srun --label --kill-on-bad-exit=1 --distribution=block tandem-worker \"$project\" \"${options[@]}\" &\n"
        "code=0\n"
        "while kill -0 $! 2>/dev/null; do code=0; wait $! || code=$?; done\n\n"
        "if [ -n \"$time_is_over\" ] && [ ! -e \"$run/finished.json\" ]; then scontrol requeue \"$SLURM_JOB_ID\"; fi\n"
        "exit $code\n";
    return text;
}

}  // namespace engine::launch
