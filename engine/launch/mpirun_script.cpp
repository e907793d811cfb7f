#include "engine/launch/mpirun_script.h"

#include "engine/launch/shell_text.h"

namespace engine::launch {
namespace {

std::string hostsText(const LaunchJob& job) {
    std::string text;
    for (const spec::HostShare& share : job.hosts) {
        if (share.tasks() == 0) continue;
        text += (text.empty() ? "" : ",") + share.host + ":" + std::to_string(share.tasks());
    }
    return text;
}

}  // namespace

std::string mpirunScript(const LaunchJob& job, const spec::RunSpec& run) {
    checkLaunchJob(job, run);
    const std::string name = plainName(job.name);
    std::string text = "#!/bin/bash\n# Trains with Tandem, " + std::to_string(taskCount(job)) +
                       " tasks as ranks of Open MPI. Start it in a folder that every computer sees: bash " + name +
                       "-mpirun.sh\n"
                       "# The programs, the project and this folder, in which the run's is made, must lie where every computer sees them.\n"
                       "# mpirun ends all ranks when one fails. Ctrl+C stops them after their step.\n";
    text += keepsBackup(run) ? "# Started again, the run goes on from its backup.\n"
                             : "# The project has no callback BackupAndRestore: started again, the run begins anew.\n";
    text += "set -euo pipefail\n\n";
    text += "project=" + singleQuoted(job.project) + "\n";
    text += "run=\"$PWD/" + name + "-run\"\n";
    text += "worker=${TANDEM_WORKER:-tandem-worker}  # or where it lies on the computers\n\n";
    text += "mpirun=(mpirun --bind-to none --tag-output)\n";
    text += "mpirun+=(-np " + std::to_string(taskCount(job)) + ")\n";
    if (job.hosts.empty()) {
        text += "# mpirun+=(--hostfile my_hosts)  # a line for each computer: node1 slots=" + std::to_string(job.tasks_per_node) + "\n";
        if (job.tasks_per_node > 1 || job.nodes > 1) {
            text += "# mpirun+=(--map-by ppr:" + std::to_string(job.tasks_per_node) + ":node)\n";
        }
    } else {
        text += "mpirun+=(--host " + singleQuoted(hostsText(job)) + ")\n";
    }
    text +=
        "\n# The key lets in the tasks of this run, and nobody else, and encrypts what they say to each other.\n"
        "mkdir -p -m 700 \"$run\"\n"
        "if [ ! -e \"$run/cluster.key\" ]; then tandem-cli cluster-key --out \"$run/cluster.key\"; fi\n"
        "# In a new folder the ranks of this start tell each other where they are.\n"
        "rm -rf \"$run\"/meeting-*\n"
        "meeting=$(mktemp -d \"$run/meeting-XXXXXX\")\n\n"
        "options=(--from-mpi --meet \"$meeting\" --first-port 8888 --cluster-key \"$run/cluster.key\" --out \"$run\")\n";
    if (job.cpus_per_task > 0) text += "options+=(--threads " + std::to_string(job.cpus_per_task) + ")\n";
    for (const std::string& setting : job.settings) text += "options+=(--set " + singleQuoted(setting) + ")\n";
    return text +
           "# Ctrl+C would make mpirun kill the ranks within two seconds. It passes USR1 on, at which each task stops after its step, with "
           "a "
           "backup.\n"
           "setsid \"${mpirun[@]}\" \"$worker\" \"$project\" \"${options[@]}\" &\n"
           "ranks=$!\n"
           "stopped=\n"
           "stop() {\n"
           "    if [ -n \"$stopped\" ]; then kill -TERM \"$ranks\"; else kill -USR1 \"$ranks\"; fi\n"
           "    stopped=yes\n"
           "}\n"
           "trap stop INT TERM\n"
           "while kill -0 \"$ranks\" 2>/dev/null; do wait \"$ranks\" || true; done  # a signal ends a wait, and not the ranks\n"
           "code=0\n"
           "wait \"$ranks\" || code=$?\n"
           "if [ -n \"$stopped\" ] && [ \"$code\" = 0 ]; then code=130; fi\n"
           "exit \"$code\"\n";
}

}  // namespace engine::launch
