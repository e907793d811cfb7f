// What the number of replicas does to batch, epoch and learning rate: three numbers that hang together, and the usual advice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/spec/project/run_spec.h"

namespace engine::spec {

// Lines for people:
//   global batch: 64 per replica x 2 replicas = 128
//   steps per epoch: 469 (60000 samples)
//   learning rate: 0.001 as chosen for one replica's batch of 64; for 128, 0.0014 (square root) to 0.002 (linear) are usual
// `samples` of the training set and the steps that they make: 0 = not known. The last line comes with more than one replica only; its range
// holds what the Keras guide takes, LEARNING_RATES_BY_BATCH_SIZE = {5: 0.1, 10: 0.15}: twice the batch, 1.5 times the rate.
std::vector<std::string> batchAdvice(const RunSpec& run, std::int64_t tasks, std::int64_t samples, std::int64_t steps_per_epoch);

// Why the training samples are dealt as they are, in one sentence: "AUTO deals single samples (DATA), because the set is held in memory."
// `by_file`: each task reads files of its own; `files`: that the set is read from, 0 = it is held in memory.
std::string shardReason(const DataSpec& data, bool by_file, std::int64_t files, std::int64_t tasks);

}  // namespace engine::spec
