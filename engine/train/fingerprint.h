// One number for what two programs must have in common.
#pragma once

#include <cstdint>

#include "engine/spec/project/run_spec.h"

namespace engine::train {

// Equal for replicas of one run: the project without what may differ from host to host (cluster, name, paths of data files).
std::uint64_t replicaFingerprint(const spec::RunSpec& run);

// Equal when a run can go on where another one ended and give the bytes that the other would have given: model, data, compile, seed,
// epochs' length, and how many replicas share which batch. How long to train, what to log and which callbacks there are may change.
std::uint64_t resumeFingerprint(const spec::RunSpec& run, int replicas, std::int64_t global_batch);

}  // namespace engine::train
