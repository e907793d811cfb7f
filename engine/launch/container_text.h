// What files that start containers have in common: the paths in a container, and how tandem-worker is called there.
//
//   /mnt/project/NAME.tandem   the project, where it is a file         /mnt/key/cluster.key   the cluster's key, as it is mounted
//   /mnt/run                   the run's folder, the same for all       /tmp                   a file system in memory, and HOME
//
// Of several seeds each is a run of its own, in /mnt/run/seed-0 and so on.
//
// The key is copied to /tmp before the worker starts: a mounted one belongs to somebody else and is a link, neither of which the worker
// takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/launch/launch_job.h"

namespace engine::launch {

inline constexpr std::string_view kContainerKey = "/mnt/key/cluster.key";
inline constexpr std::string_view kContainerProjects = "/mnt/project";
inline constexpr std::string_view kContainerRun = "/mnt/run";
inline constexpr int kContainerPort = 2222;
// The names that installer/image.sh gives to what it builds; only the second one has the back-end for GPUs.
inline constexpr std::string_view kImage = "tandem:latest";
inline constexpr std::string_view kImageForGpus = "tandem:cuda";

// The job's own, or the one of those two that has what its tasks train on.
std::string imageOf(const LaunchJob& job);
// Whether it is the latter one: a computer without it is to say so instead of asking registries for an image of that name.
bool isImageMadeHere(const LaunchJob& job);
// Whether the tasks need more than the 64 MB of /dev/shm that a container has: NCCL joins several GPUs of a task there. Tasks that share
// memory with each other do so by file descriptors, which no size of that file system limits.
bool needsSharedMemory(const LaunchJob& job);
// The text for `sh -c`, which takes the worker's arguments behind a word for $0.
std::string startCommand();
// A run of the job: the only one, or that of a seed.
struct ContainerRun {
    std::string name;           // of what belongs to this run alone: that of the job, with "-seed-0" behind it where there are several
    std::optional<int> seed{};  // none: as the project has it
};
// Throws Error(kInvalidArgument) where they are too many for one file.
std::vector<ContainerRun> containerRunsOf(const LaunchJob& job);
// The arguments of tandem-worker with which each task of the run is called; `extra` stands first.
std::vector<std::string> workerArguments(const LaunchJob& job, const ContainerRun& run, const std::vector<std::string>& extra);
// Lower-case letters, digits and "-", a letter first, at most 40 characters: what Kubernetes and DNS take, with a number behind it.
std::string dnsName(const std::string& name);
// "4G" as Kubernetes ("4Gi") and as Docker ("4g") have it. The text has passed checkLaunchJob() and is not empty.
std::string kubernetesMemory(const std::string& memory);
std::string dockerMemory(const std::string& memory);

}  // namespace engine::launch
