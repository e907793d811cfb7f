// The task of a pod of an Indexed Job of Kubernetes: by the index that Kubernetes gives it, and by what the Job's file says of all pods.
#pragma once

#include <string>
#include <vector>

#include "engine/spec/cluster/ranked_task.h"

namespace engine::spec {

inline constexpr int kMostPods = 4096;

// `variables` are NAME=VALUE of the environment: JOB_COMPLETION_INDEX, which Kubernetes sets; TANDEM_PODS, how many there are; and
// TANDEM_POD_HOST, the name of a pod for the others with {index} where its index stands ("mnist-{index}.mnist", of a Job and a headless
// Service). All listen on `port`; 0: 2222. Throws Error(kInvalidArgument) that names the variable.
RankedTask kubernetesTask(const std::vector<std::string>& variables, int port);

}  // namespace engine::spec
