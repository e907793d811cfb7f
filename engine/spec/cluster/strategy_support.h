// What works with what: tf.distribute's strategies against the ways to train, in TensorFlow's guide, in TensorFlow as it is, and here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/cluster/gpu.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::spec {

std::string_view toString(TrainingApi api);  // "Keras fit", "custom loop", "Estimator"
std::string_view toString(Support support);  // "yes", "experimental", "limited", "planned", "no"

// "Keras fit: yes; TensorFlow 2.21: limited (Keras 2; with Keras 3 fit fails before the first step); guide: experimental"
std::string supportText(const StrategyRow& row, TrainingApi api);

// A strategy as a choice for a project.
struct StrategyOption {
    std::string name;
    std::string sentence;  // what it does, of the chosen one; else in short, or what choosing it changes
    std::string obstacle;  // why it can't be chosen; empty when it can
    std::string limit;     // why a run with it can't be started here; empty when it can
    friend bool operator==(const StrategyOption&, const StrategyOption&) = default;
};
// The options in the order of strategyTable(); OneDevice and Default only where the project uses them.
std::vector<StrategyOption> strategyOptions(const RunSpec& run);

// A field of a project that matters to its strategy, for forms.
struct StrategyField {
    std::string path;    // "strategy.bytes_per_pack", as diagnostics name it
    FieldSchema schema;  // named as the last part of the path
};
std::vector<StrategyField> strategyFields(const RunSpec& run);
// The value at a path of strategyFields(run); setStrategyField with null sets the default.
FieldValue strategyField(const RunSpec& run, std::string_view path);
void setStrategyField(RunSpec& run, std::string_view path, const FieldValue& value);

// What `strategy.communication` will do with all tasks on this host, as one sentence: "AUTO takes RING: no NVIDIA GPU here". Empty for RING
// and where NCCL does as it is told.
std::string communicationChoice(const RunSpec& run, const GpuInventory& host);
// Why that value can't be chosen; empty when it can.
std::string communicationObstacle(std::string_view communication, const RunSpec& run, const GpuInventory& host);

}  // namespace engine::spec
