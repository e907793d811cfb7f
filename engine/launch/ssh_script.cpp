#include "engine/launch/ssh_script.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "engine/launch/shell_text.h"
#include "engine/spec/cluster/mpi_task.h"
#include "engine/spec/cluster/ranked_task.h"
#include "engine/spec/error.h"

namespace engine::launch {
namespace {

struct Place {
    spec::TaskId task;
    std::string host;  // as ssh has it
};

struct Places {
    std::vector<Place> tasks;
    spec::ClusterSpec cluster;
};

bool isHere(const std::string& host) {
    return host.empty() || host == "localhost" || host == "::1" || host.starts_with("127.");
}

// What ssh takes for a host, for the other computers: without the user.
std::string withoutUser(const std::string& host) {
    return host.substr(host.find('@') + 1);
}

// The places at the addresses that the project has.
Places projectsPlaces(const spec::ClusterSpec& cluster) {
    Places places{.tasks = {}, .cluster = cluster};
    for (const spec::Job& job : cluster.jobs) {
        for (const auto& [index, address] : job.tasks) {
            const std::string host = spec::parseHostPort(address).value_or(spec::HostPort()).host;
            if (isHere(host)) {
                throw Error(ErrorCode::kInvalidArgument,
                            "--hosts: expected the computers on which the tasks are to run, such as node1,node2:2, since the project's "
                            "cluster has " +
                                address + ", got none");
            }
            requireHost("cluster", host);
            places.tasks.push_back({{job.name, index}, host});
        }
    }
    return places;
}

Places placesOf(const LaunchJob& job, const spec::ClusterSpec& projects) {
    if (job.hosts.empty() && !projects.empty()) return projectsPlaces(projects);
    if (job.hosts.empty()) {
        throw Error(ErrorCode::kInvalidArgument,
                    "--hosts: expected the computers on which the tasks are to run, such as node1,node2:2, got none");
    }
    std::vector<std::string> hosts;
    for (const spec::HostShare& share : job.hosts) hosts.insert(hosts.end(), static_cast<std::size_t>(share.tasks()), share.host);
    std::vector<std::string> names;
    std::transform(hosts.begin(), hosts.end(), std::back_inserter(names), withoutUser);
    const std::vector<spec::TaskId> tasks = spec::tasksOfRanks(projects, hosts.size(), "list of hosts");
    Places places{.tasks = {}, .cluster = spec::clusterOf(tasks, spec::mpiTask(names, 0, kSshPort).addresses)};
    for (std::size_t i = 0; i < tasks.size(); ++i) places.tasks.push_back({tasks[i], hosts[i]});
    return places;
}

constexpr const char* kMachinery = R"SH(
# What runs on a computer: the task, until it ends or the line from here is closed.
remote='cd "$1" && export TF_CONFIG="$2" && shift 2 || exit 1
exec 3<&0
"$@" </dev/null 3<&- &
task=$!
{ cat <&3; kill -TERM $task; } >/dev/null 2>&1 &
watch=$!
exec 3<&-
wait $task
code=$?
kill $watch 2>/dev/null
exit $code'

quoted() { # WORD ...: for another shell
    local word
    for word in "$@"; do printf "'%s' " "$(printf %s "$word" | sed "s/'/'\\\\''/g")"; done
}

copy() { # FILE HOST NAME
    "${ssh[@]}" "$2" "umask 077; mkdir -p $(quoted "$folder") && cat >$(quoted "$folder/$3")" <"$1"
}

start() { # TASK HOST TF_CONFIG
    "${ssh[@]}" "$2" "sh -c $(quoted "$remote" sh "$folder" "$3" "$worker" "$there" "${options[@]}")" <&"$hold" 2>&1 | sed -u "s/^/$1: /"
    echo "$1 $2 ${PIPESTATUS[0]}" >&"$ended"
}

[ -e "$key" ] || tandem-cli cluster-key --out "$key" || exit 1
for host in $(printf '%s\n' "${hosts[@]}" | sort -u); do
    copy "$key" "$host" cluster.key || { echo "$host: the key could not be copied there" >&2; exit 1; }
    if [ -f "$project" ]; then copy "$project" "$host" project.tandem || { echo "$host: the project could not be copied there" >&2; exit 1; }; fi
done
there=$project
if [ -f "$project" ]; then there=project.tandem; fi

# Each task's ssh reads from a pipe that this script holds open: when it closes it, or ends, however that is, the tasks are told to stop.
pipes=$(mktemp -d) || exit 1
trap 'rm -rf "$pipes"' EXIT
mkfifo "$pipes/line" "$pipes/ended" || exit 1
exec {line}<>"$pipes/line" {hold}<"$pipes/line" {ended}<>"$pipes/ended"
stopping=
patience=300  # seconds that tasks may take to stop
stop() {
    [ -z "$stopping" ] || return 0
    stopping=$SECONDS
    exec {line}>&-
}
code=0
interrupted() {
    if [ -n "$stopping" ]; then exit 130; fi
    echo "The tasks stop after their step. Ctrl+C again does not wait for them." >&2
    code=130
    stop
}
trap interrupted INT TERM HUP

for i in "${!tasks[@]}"; do start "${tasks[$i]}" "${hosts[$i]}" "${tf_configs[$i]}" {line}>&- & done
left=${#tasks[@]}
while [ "$left" -gt 0 ]; do
    if read -r -t 1 -u "$ended" task host status; then
        left=$((left - 1))
        if [ "$status" != 0 ]; then
            echo "$task on $host ended with exit code $status" >&2
            if [ "$code" = 0 ]; then code=$status; fi
            stop
        fi
    elif [ -n "$stopping" ] && [ $((SECONDS - stopping)) -gt "$patience" ]; then
        echo "$left of ${#tasks[@]} tasks did not end within $patience s after they were told to" >&2
        exit 1
    fi
done
exit "$code"
)SH";

}  // namespace

std::string sshScript(const LaunchJob& job, const spec::RunSpec& run) {
    checkJobWithoutMpirun(job, run);
    const Places places = placesOf(job, run.cluster.spec);
    const std::string name = plainName(job.name);
    std::string chief;
    for (const Place& place : places.tasks) {
        if (places.cluster.isChief(place.task)) chief = place.host;
    }
    std::string text =
        "#!/bin/bash\n# Trains with Tandem over ssh, " + std::to_string(places.tasks.size()) + " tasks. Start it: bash " + name +
        "-ssh.sh\n"
        "# ssh must let you in on each computer without a question, Tandem must be there, and so must files of data that the\n"
        "# project names; the project and the cluster's key are copied. When a task fails, and on Ctrl+C, all of them end.\n";
    text += keepsBackup(run) ? "# Started again, the run goes on from its backup, which the chief keeps.\n"
                             : "# The project has no callback BackupAndRestore: started again, the run begins anew.\n";
    text += "set -uo pipefail\n\n";
    text += "project=" + singleQuoted(job.project) + "\n";
    text += "worker=${TANDEM_WORKER:-tandem-worker}  # or where it lies on the computers\n";
    text += "folder=tandem-runs/" + name + "  # there, in your home; the run is in that of " + chief + "\n";
    text += "key=cluster.key  # here; made where it is missing\n";
    text += "ssh=(ssh -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15 -o ServerAliveCountMax=4)\n";
    text += "options=(--cluster-key cluster.key --out run)\n";
    if (job.cpus_per_task > 0) text += "options+=(--threads " + std::to_string(job.cpus_per_task) + ")\n";
    for (const std::string& setting : job.settings) text += "options+=(--set " + singleQuoted(setting) + ")\n";
    text += "\n# Each task's name, its computer for ssh, and its TF_CONFIG, in one order.\ntasks=(";
    for (const Place& place : places.tasks) {
        text += (text.ends_with('(') ? "" : " ") + place.task.type + "-" + std::to_string(place.task.index);
    }
    text += ")\nhosts=(";
    for (const Place& place : places.tasks) text += (text.ends_with('(') ? "" : " ") + singleQuoted(place.host);
    text += ")\ntf_configs=(\n";
    for (const Place& place : places.tasks) text += "    " + singleQuoted(spec::toTfConfigJson(places.cluster, place.task)) + "\n";
    return text + ")\n" + kMachinery;
}

}  // namespace engine::launch
