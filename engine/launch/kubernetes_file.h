// Files for `kubectl apply`: a Job of Kubernetes, and a TFJob of Kubeflow's training operator.
#pragma once

#include <string>

#include "engine/launch/launch_job.h"

namespace engine::launch {

// A headless Service, a ConfigMap with the project, a claim for the run's folder and an Indexed Job, whose pods find each other by
// tandem-worker --from-kubernetes. Throws Error(kInvalidArgument) as checkLaunchJob(), and for a project that a ConfigMap can't hold.
std::string kubernetesFile(const LaunchJob& job, const spec::RunSpec& run);

// The same with a TFJob (kubeflow.org/v1) in place of Service and Job: the operator sets TF_CONFIG. Throws as kubernetesFile(), and for a
// project whose cluster has other jobs than Kubeflow knows.
std::string tfJobFile(const LaunchJob& job, const spec::RunSpec& run);

}  // namespace engine::launch
