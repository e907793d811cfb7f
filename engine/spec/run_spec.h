// A whole project (`*.tandem`) as plain values: model, data, compile, fit, callbacks, strategy, cluster.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/cluster_spec.h"
#include "engine/spec/diagnostic.h"
#include "engine/spec/fields.h"
#include "engine/spec/model_spec.h"

namespace engine::spec {

enum class AutoShardPolicy { kAuto, kFile, kData, kOff };

struct DataSpec {
    std::string dataset = "mnist";           // a name the engine knows, or "idx" with the four paths below
    std::string train_images, train_labels;  // files (IDX, .gz allowed) when dataset is "idx"
    std::string test_images, test_labels;
    double scale = 1.0 / 255.0;              // map(): x * scale + offset in float32
    double offset = 0.0;
    std::vector<double> mean, std;           // then (x - mean) / std: one number, or one a channel (the last axis); empty = left out
    std::int64_t one_hot = 0;                // classes: labels become rows of zeros with a one; 0 = labels as they are
    bool cache = true;
    std::int64_t shuffle = 10000;            // buffer size; 0 = off
    std::int64_t batch_size_per_replica = 64;
    bool drop_remainder = false;
    std::int64_t prefetch = 2;               // batches ahead
    std::int64_t take = 0;                   // first n training samples only; 0 = all
    double validation_split = 0.0;           // last fraction of the training samples, before shuffling
    bool validate_on_test = true;            // val_ metrics from the test set when there is no split
    AutoShardPolicy auto_shard = AutoShardPolicy::kAuto;
    bool seed_per_worker = false;            // with OFF: every worker shuffles everything by a seed of its own
    friend bool operator==(const DataSpec&, const DataSpec&) = default;
};

struct CompileSpec {
    // learning_rate in the optimizer's config is a number or an ObjectSpec of a schedule (ExponentialDecay, PiecewiseConstantDecay, ...).
    ObjectSpec optimizer{"Adam", {{"learning_rate", 0.001}}};
    ObjectSpec loss{"SparseCategoricalCrossentropy", {{"from_logits", false}}};
    std::vector<std::string> metrics{"accuracy"};
    friend bool operator==(const CompileSpec&, const CompileSpec&) = default;
};

struct FitSpec {
    std::int64_t epochs = 1;
    std::int64_t initial_epoch = 0;
    std::int64_t steps_per_epoch = 0;        // 0 = the whole shard
    std::int64_t validation_freq = 1;        // epochs
    std::int64_t validation_steps = 0;       // batches of a validation; 0 = all samples
    std::int64_t validation_batch_size = 0;  // over all replicas; 0 = the global batch
    std::int64_t seed = 0;
    std::int64_t log_every = 100;            // steps
    friend bool operator==(const FitSpec&, const FitSpec&) = default;
};

// `class_name` is Keras' (ModelCheckpoint, LearningRateScheduler, CSVLogger) or PrintLR.
// In JSON an object keyed by snake_case names: {"model_checkpoint": {...}, "learning_rate_scheduler": {"epochs": [0,3,7], "rates": [...]}}.
using CallbackSpecs = std::vector<ObjectSpec>;

struct StrategySpec {
    std::string name = "MirroredStrategy";   // Default, OneDevice, Mirrored, MultiWorkerMirrored, CentralStorage, ParameterServer, TPU + "Strategy"
    std::string communication = "AUTO";      // AUTO, RING, NCCL
    std::int64_t bytes_per_pack = 0;         // 0 = the engine's choice
    friend bool operator==(const StrategySpec&, const StrategySpec&) = default;
};

enum class TransportChoice { kAuto, kGrpc, kShm };

struct ClusterSettings {
    ClusterSpec spec;
    TransportChoice transport = TransportChoice::kAuto;
    double start_timeout_s = 600;
    std::int64_t threads_per_task = 0;       // 0 = cores of the host shared evenly
    friend bool operator==(const ClusterSettings&, const ClusterSettings&) = default;
};

struct RunSpec {
    std::string name;                        // shown to people; file names never depend on it
    ModelSpec model;
    DataSpec data;
    CompileSpec compile;
    FitSpec fit;
    CallbackSpecs callbacks;
    StrategySpec strategy;
    ClusterSettings cluster;
    friend bool operator==(const RunSpec&, const RunSpec&) = default;
};

inline constexpr int kProjectVersion = 1;

// Reads project JSON of this or an older version (migrated). All problems come back as diagnostics with field paths; `run` holds what could
// be read. Broken JSON: one diagnostic with line and column. Newer version: one diagnostic, nothing read. Unknown keys: warnings.
struct ProjectReport {
    RunSpec run;
    Diagnostics diagnostics;
};
ProjectReport parseProject(std::string_view json);
std::string toProjectJson(const RunSpec& run);  // two-space indent, ends in a newline, stable order

// `--set PATH=VALUE` of the command line: VALUE is JSON, or taken as a string when it is none. Works on the project's JSON paths
// ("fit.epochs", "compile.optimizer.config.learning_rate", "model.layers[2].units"). Returns the diagnostics; `run` is unchanged on an error.
Diagnostics applySetting(RunSpec& run, std::string_view path_equals_value);

}  // namespace engine::spec
