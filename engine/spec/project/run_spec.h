// A whole project (`*.tandem`) as plain values: model, data, compile, fit, callbacks, strategy, cluster.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/spec/catalog/metric_spec.h"
#include "engine/spec/diagnostic.h"
#include "engine/spec/fields.h"
#include "engine/spec/model_spec.h"
#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/project/data_spec.h"
#include "engine/spec/project/estimator_spec.h"

namespace engine::spec {

// Keras' LossScaleOptimizer around the optimizer, by its arguments.
struct LossScaleSpec {
    double initial_scale = 32768;
    std::int64_t dynamic_growth_steps = 2000;
    friend bool operator==(const LossScaleSpec&, const LossScaleSpec&) = default;
};

struct CompileSpec {
    // learning_rate in the optimizer's config is a number or an ObjectSpec of a schedule (ExponentialDecay, PiecewiseConstantDecay, ...).
    ObjectSpec optimizer{"Adam", {{"learning_rate", 0.001}}};
    // A model of mixed_float16 has one in any case, as in Keras.
    std::optional<LossScaleSpec> loss_scale;
    ObjectSpec loss{"SparseCategoricalCrossentropy", {{"from_logits", false}}};
    std::vector<MetricSpec> metrics{"accuracy"};
    std::vector<MetricSpec> weighted_metrics;  // each sample counts by its weight (fit.class_weight); metrics count samples alike
    friend bool operator==(const CompileSpec&, const CompileSpec&) = default;
};

struct FitSpec {
    std::int64_t epochs = 1;
    std::int64_t initial_epoch = 0;
    std::int64_t steps_per_epoch = 0;  // 0 = the whole shard
    // For strategies whose workers do not wait for each other: steps of all of them together, in place of epochs. 0 = as epochs say.
    std::int64_t steps = 0;
    std::int64_t validation_freq = 1;  // epochs
    // Where it is not empty, validation comes after these epochs, counted from 1, in place of every validation_freq. JSON has a list under
    // the same key.
    std::vector<std::int64_t> validation_epochs;
    std::int64_t validation_steps = 0;       // batches of a validation; 0 = all samples
    std::int64_t validation_batch_size = 0;  // over all replicas; 0 = the global batch
    std::int64_t seed = 0;
    std::int64_t log_every = 100;     // steps
    std::int64_t histogram_freq = 0;  // epochs between two reports on weights and gradients; 0 = none, and no layer is measured
    std::vector<std::pair<std::int64_t, double>> class_weight;  // of training samples, by class; others count 1. In JSON {"0": 1.5}
    // Weights to begin with: .weights.h5, .keras, .h5, or a TensorFlow checkpoint (prefix, or folder with its latest). Relative: beside the
    // project. Empty: drawn from the seed.
    std::string initial_weights;
    // The training that wrote that file goes on: not its weights alone but its optimizer, steps and place in the data are begun with. The
    // file is a run's backup, a checkpoint, or one of Keras' that holds an optimizer.
    bool initial_state = false;
    std::string save_weights;  // .weights.h5, .keras or .h5 to write after training, below the run's folder
    friend bool operator==(const FitSpec&, const FitSpec&) = default;
};

// `class_name` is Keras' (ModelCheckpoint, LearningRateScheduler, CSVLogger) or PrintLR. In JSON they are an object keyed by snake_case
// names: {"model_checkpoint": {...}, "learning_rate_scheduler": {"epochs": [0,3,7], "rates": [...]}}.
using CallbackSpecs = std::vector<ObjectSpec>;

struct StrategySpec {
    std::string name =
        "MirroredStrategy";  // Default, OneDevice, Mirrored, MultiWorkerMirrored, CentralStorage, ParameterServer, TPU + "Strategy"
    std::string communication = "AUTO";  // AUTO, RING, NCCL, MPI
    std::int64_t bytes_per_pack = 0;     // 0 = the engine's choice
    // The devices of each task, one replica a device ("GPU:0", "/cpu:1"). Empty: the logical CPUs of the next field where it has some, else
    // all GPUs of the task, else CPU:0.
    std::vector<std::string> devices;
    std::int64_t logical_cpus = 0;  // the processor as so many devices, CPU:0 onwards; 0 = one
    std::int64_t logical_gpus = 0;  // each GPU as so many devices, GPU:0 onwards; 0 = one
    // Mirrored: NcclAllReduce {num_packs}, HierarchicalCopyAllReduce {num_packs} or ReductionToOneDevice {reduce_to_device}.
    ObjectSpec cross_device_ops{"NcclAllReduce", {}};
    // ParameterServer: FixedShardsPartitioner {num_shards}, MinSizePartitioner {min_shard_bytes, max_shards} or MaxSizePartitioner
    // {max_shard_bytes, max_shards}. No class: variables stay whole.
    ObjectSpec variable_partitioner{};
    // ParameterServer: updates of a variable by others that a step may not know of. Nothing: no bound, as in TensorFlow; 0: one step at a
    // time.
    std::optional<std::int64_t> max_staleness;
    // TPU: TPUClusterResolver {tpu, zone, project}, as the exported script calls it. No class: as with no arguments, what Colab takes.
    ObjectSpec cluster_resolver{};
    bool log_device_placement = false;  // the run's log names the device of every variable and op
    // The next two are for GPUs, by TensorFlow's names (tf.config.experimental.enable_...).
    bool tensor_float_32_execution = false;  // float32 products of numbers with 10 bits of mantissa: faster
    bool op_determinism = false;             // the same bytes in every run: the libraries' algorithms are not measured, so maybe slower
    friend bool operator==(const StrategySpec&, const StrategySpec&) = default;
};

enum class TransportChoice { kAuto, kGrpc, kShm };

// What follows when a task is lost: killed, out of memory, silent. A task that ends by itself, with a reason, is none.
enum class OnTaskLost {
    kRestart,   // all tasks begin again, in the same run, where the callback BackupAndRestore keeps a backup; else as kFail
    kFail,      // the run fails
    kContinue,  // as kRestart, without those that were lost: of workers that train in step
};

struct ClusterSettings {
    ClusterSpec spec;
    TransportChoice transport = TransportChoice::kAuto;
    double start_timeout_s = 600;
    std::int64_t threads_per_task = 0;               // 0 = cores of the host shared evenly
    OnTaskLost on_task_lost = OnTaskLost::kRestart;  // in JSON "restart", "fail", "continue"
    bool scale_learning_rate = false;                // with kContinue: in proportion to the global batch, which shrinks with the workers
    std::int64_t max_restarts = 3;                   // of one run
    double heartbeat_fatal_s = 10;                   // a task that gives no sign of life for so long is lost
    double home_lost_s = 0;          // tasks on another computer stop when the run's home is away for longer; 0: they never do
    std::vector<std::string> hosts;  // names of other computers without a task yet, for the design of a cluster
    friend bool operator==(const ClusterSettings&, const ClusterSettings&) = default;
};

struct RunSpec {
    std::string name;  // shown to people; file names never depend on it
    ModelSpec model;
    DataSpec data;
    CompileSpec compile;
    FitSpec fit;
    CallbackSpecs callbacks;
    StrategySpec strategy;
    ClusterSettings cluster;
    // The project trains and evaluates as an estimator does, in place of fit(): its steps and evaluations count, epochs do not.
    std::optional<EstimatorSpec> estimator;
    // The project as Keras code where that says more than the fields: comments, functions, data pipelines. It changes no training. Empty:
    // the code is written from the fields (projectCode()). JSON has a list of lines.
    std::string code;
    // What was measured to be fastest for a GPU's products and convolutions, by work: a run's run.json has it, and who trains with that
    // takes the same. Not a setting.
    std::map<std::string, std::string> algorithms;
    friend bool operator==(const RunSpec&, const RunSpec&) = default;
};

inline constexpr std::int64_t kMostRestarts = 1000;               // cluster.max_restarts
inline constexpr double kLeastSilence = 3, kMostSilence = 86400;  // seconds of cluster.heartbeat_fatal_s; a sign of life comes every second
inline constexpr double kLeastHomeLost = 5, kMostHomeLost = 2'592'000;  // seconds of cluster.home_lost_s, where it is not 0
inline constexpr double kFirstWordSeconds = 30;  // a task that an agent started and that has not said a word by then is lost

inline constexpr int kProjectVersion = 1;
// Of a project as JSON, wherever it is handed on: a vocabulary has half a million words.
inline constexpr std::size_t kMostProjectBytes = std::size_t{8} << 20;

// Reads project JSON of this or an older version (migrated). All problems come back as diagnostics with field paths; `run` holds what could
// be read. Broken JSON: one diagnostic with line and column. Newer version: one diagnostic, nothing read. Unknown keys: warnings.
struct ProjectReport {
    RunSpec run;
    Diagnostics diagnostics;
};
ProjectReport parseProject(std::string_view json);
std::string toProjectJson(const RunSpec& run);  // two-space indent, ends in a newline, stable order

// `--set PATH=VALUE` of the command line: VALUE is JSON, or taken as a string when it is none. Works on the project's JSON paths
// ("fit.epochs", "compile.optimizer.config.learning_rate", "model.layers[2].units"). Returns the diagnostics; `run` is unchanged on an
// error.
Diagnostics applySetting(RunSpec& run, std::string_view path_equals_value);

}  // namespace engine::spec
