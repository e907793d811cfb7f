// A cluster out of what a user has at hand: a TF_CONFIG in whatever wraps it, an MPI hostfile, or Slurm's variables.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/spec/project/cluster_spec.h"

namespace engine::spec {

// kTfConfig: the JSON, also inside `export TF_CONFIG='…'`, `TF_CONFIG=…`, `$env:TF_CONFIG = '…'` or Python's
//   os.environ["TF_CONFIG"] = json.dumps({…}) with a literal dictionary; and Python's tf.train.ClusterSpec({…}), which names no task.
// kHostfile: a host a line with its slots, one worker a slot: "node1 slots=2" (Open MPI; "max_slots=…" is read over), "node1:2" (MPICH)
//   or "node1"; # begins a comment. A host named again gets more slots.
// kSlurm: NAME=VALUE of SLURM_JOB_NODELIST (or SLURM_STEP_NODELIST, SLURM_NODELIST), with ranges such as "node[01-04,7],login2"; of
//   SLURM_TASKS_PER_NODE ("2(x3),1") or SLURM_NTASKS_PER_NODE or SLURM_NTASKS; SLURM_PROCID, if there, tells the task. Variables of the
//   step go before those of the job.
enum class ClusterTextKind { kTfConfig, kHostfile, kSlurm };
std::string_view toString(ClusterTextKind kind);  // "TF_CONFIG", "hostfile", "Slurm variables"

struct ClusterTextOptions {
    std::optional<ClusterTextKind> kind{};  // nullopt: as the text looks
    // The port of a host's first worker; the next ones count up. 0 means 8888 with Slurm's variables, as TensorFlow's SlurmClusterResolver
    // has it, else 12345.
    int first_port = 0;
    TfConfigUse use = TfConfigUse::kAuto;  // of a TF_CONFIG
    // The text says of itself that it is JSON (a .json file): what Python alone would take is an error, with the JSON that it means.
    bool strict_json = false;
};

struct ClusterText {
    ClusterTextKind kind = ClusterTextKind::kTfConfig;
    ClusterSpec cluster;         // as far as it could be read
    std::optional<TaskId> task;  // when the text tells which one it is for
    std::string tf_config;       // the JSON alone; of kTfConfig
    Diagnostics diagnostics;     // paths: "line 3" of a hostfile, a variable's name, or those of checkTfConfig
};

// Never throws. Without errors the cluster has at least one task or the text was a TF_CONFIG without any.
ClusterText readClusterText(std::string_view text, const ClusterTextOptions& options = {});

}  // namespace engine::spec
