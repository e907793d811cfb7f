// What is known of each strategy of tf.distribute, one row a strategy: validation, forms, programs as code, plans and workers read it here.
// How a plan is rewritten stands in engine/plan/strategies/strategy.h. Static data, safe from any thread.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/spec/project/cluster_spec.h"

namespace engine::spec {

enum class StrategyKind { kDefault, kOneDevice, kMirrored, kMultiWorkerMirrored, kCentralStorage, kParameterServer, kTpu };

enum class TrainingApi { kKerasFit, kCustomLoop, kEstimator };
inline constexpr int kTrainingApis = 3;

enum class Support { kFull, kExperimental, kLimited, kPlanned, kNone };

struct SupportCell {
    Support level = Support::kNone;
    std::string_view reason;  // why not, or what is missing; empty for kFull
};

struct StrategyRow {
    StrategyKind kind = StrategyKind::kDefault;
    std::string_view name;                         // as tf.distribute has it: "MirroredStrategy"
    std::string_view sentence;                     // what it does
    std::string_view brief;                        // the same in at most 40 letters
    std::array<SupportCell, kTrainingApis> guide;  // in the guide of TensorFlow 2.0; by TrainingApi
    std::array<SupportCell, kTrainingApis> today;  // in TensorFlow 2.21
    std::array<SupportCell, kTrainingApis> here;   // in this program
    bool runs = false;                             // this program can train with it
    std::string_view limit{};                      // where it can't: who trains with it instead, as half a sentence
    bool is_clustered = false;                     // it uses the cluster's workers
    bool has_replicas = false;                     // it may have several devices in one task, a replica each
    bool has_servers = false;                      // it keeps the variables on ps tasks
    bool is_offered = true;                        // it is a choice for every project; else only where a project uses it
    std::string_view module = "tf.distribute.";    // where Python finds the class
    // Names of the constructor's arguments in Python that may be given by position.
    std::array<std::string_view, 2> arguments{};
    // Why it can't be chosen for a project with that cluster; empty when it can. Null: it always can.
    std::string_view (*obstacle)(const ClusterSpec& cluster) = nullptr;
};

// The five of the guide, in its order of use: MultiWorkerMirrored, Mirrored, ParameterServer, CentralStorage, TPU; then OneDevice and
// Default.
std::span<const StrategyRow> strategyTable();
const StrategyRow& rowOf(StrategyKind kind);
// nullptr for an unknown name.
const StrategyRow* findStrategy(std::string_view name);

// The kind of that name ("MirroredStrategy"); nothing for an unknown one, so that comparing with a kind is false.
std::optional<StrategyKind> strategyKind(std::string_view name);
std::string strategyName(StrategyKind kind);  // "MirroredStrategy"
// What a TF_CONFIG is checked for when a strategy of that name uses it.
TfConfigUse tfConfigUse(std::string_view strategy);

}  // namespace engine::spec
