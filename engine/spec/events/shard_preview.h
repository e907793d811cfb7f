// Which sample goes to which task in the first steps of a run, with what batch and learning rate come to.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/spec/project/cluster_spec.h"

namespace engine::spec {

struct ShardStep {
    std::int64_t step = 0;                             // from 1, over the whole run
    std::int64_t epoch = 0;                            // from 0
    std::vector<std::vector<std::uint32_t>> elements;  // positions in the training set, one list a task
    std::vector<std::vector<std::uint32_t>> parts{};   // one list a task: how many each of its devices has. Empty with one device
    friend bool operator==(const ShardStep&, const ShardStep&) = default;
};

// "step 1 epoch 0 worker 0: 17 4 23": what a task logs with data.log_shards, and a line of the preview. With `parts` of several devices a
// bar stands between them: "17 4 | 23".
std::string shardLine(std::int64_t step, std::int64_t epoch, const TaskId& task, std::span<const std::uint32_t> elements,
                      std::span<const std::uint32_t> parts = {});

struct ShardPreview {
    std::string dataset;
    std::int64_t training_samples = 0;
    std::string policy;                 // OFF, FILE or DATA, as it takes effect
    std::string reason;                 // of the policy
    std::string chain;                  // the steps of the pipeline, as tf.data spells them
    std::vector<std::string> meanings;  // of an order that is not the usual one
    std::vector<std::string> advice;    // on batch and learning rate
    std::vector<TaskId> tasks;          // in rank order
    std::int64_t global_batch_size = 0, steps_per_epoch = 0;
    std::vector<ShardStep> steps;
    friend bool operator==(const ShardPreview&, const ShardPreview&) = default;
};

}  // namespace engine::spec
