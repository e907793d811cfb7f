#include "engine/launch/launch_kind.h"

#include <algorithm>
#include <array>

#include "engine/launch/compose_file.h"
#include "engine/launch/container_text.h"
#include "engine/launch/kubernetes_file.h"
#include "engine/launch/mpirun_script.h"
#include "engine/launch/slurm_script.h"
#include "engine/launch/ssh_script.h"

namespace engine::launch {
namespace {

// All kinds of one project fit into a folder. The texts name the same files.
std::string slurmName(const LaunchJob& job) {
    return plainName(job.name) + "-slurm.sh";
}

std::string composeName(const LaunchJob& job) {
    return dnsName(job.name) + "-compose.yaml";
}

std::string kubernetesName(const LaunchJob& job) {
    return dnsName(job.name) + "-kubernetes.yaml";
}

std::string tfJobName(const LaunchJob& job) {
    return dnsName(job.name) + "-tfjob.yaml";
}

std::string sshName(const LaunchJob& job) {
    return plainName(job.name) + "-ssh.sh";
}

std::string mpirunName(const LaunchJob& job) {
    return plainName(job.name) + "-mpirun.sh";
}

constexpr std::array<LaunchKind, 6> kKinds{
    LaunchKind{.name = "slurm",
               .what = "a batch script for sbatch",
               .write = &slurmScript,
               .file_name = &slurmName,
               .own_options = " --nodes --tasks-per-node --gpus-per-task --memory --time --partition --seeds "},
    LaunchKind{.name = "compose",
               .what = "containers of one computer, for docker compose",
               .write = &composeFile,
               .file_name = &composeName,
               .takes_text = true,
               .own_options = " --nodes --gpus-per-task --memory --image --seeds "},
    LaunchKind{.name = "kubernetes",
               .what = "a Job of Kubernetes, for kubectl",
               .write = &kubernetesFile,
               .file_name = &kubernetesName,
               .takes_text = true,
               .own_options = " --nodes --gpus-per-task --memory --time --image --seeds "},
    LaunchKind{.name = "tfjob",
               .what = "a TFJob of Kubeflow's training operator, for kubectl",
               .write = &tfJobFile,
               .file_name = &tfJobName,
               .takes_text = true,
               .own_options = " --nodes --gpus-per-task --memory --time --image --seeds "},
    LaunchKind{.name = "ssh",
               .what = "a script that starts each task over ssh",
               .write = &sshScript,
               .file_name = &sshName,
               .own_options = " --hosts "},
    LaunchKind{.name = "mpirun",
               .what = "a script that starts the tasks by Open MPI's mpirun",
               .write = &mpirunScript,
               .file_name = &mpirunName,
               .own_options = " --nodes --tasks-per-node --hosts "},
};

constexpr std::string_view kOptionsOfAll = " --cpus-per-task --set ";

}  // namespace

std::span<const LaunchKind> launchKinds() {
    return kKinds;
}

const LaunchKind* findLaunchKind(std::string_view name) {
    const auto found = std::find_if(kKinds.begin(), kKinds.end(), [&](const LaunchKind& kind) { return kind.name == name; });
    return found == kKinds.end() ? nullptr : &*found;
}

bool takes(const LaunchKind& kind, std::string_view option) {
    const std::string word = " " + std::string(option) + " ";
    return kind.own_options.find(word) != std::string_view::npos || kOptionsOfAll.find(word) != std::string_view::npos;
}

}  // namespace engine::launch
