// A project that trains as TensorFlow's estimators do: by steps, with checkpoints by steps or seconds, and evaluated while it trains. Names
// and defaults are those of tf.estimator (RunConfig, TrainSpec, EvalSpec).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/fields.h"

namespace engine::spec {

struct RunConfigSpec {
    std::int64_t save_summary_steps = 100;  // between two points in the event files of TensorBoard; 0 = none
    // Steps or seconds between two checkpoints: one of both is set. Where neither is, 600 seconds, unless `saves_checkpoints` says that
    // there are none.
    std::optional<std::int64_t> save_checkpoints_steps;
    std::optional<double> save_checkpoints_secs;
    bool saves_checkpoints = true;         // false: both are null in the project, and none is written
    std::int64_t keep_checkpoint_max = 5;  // 0 = all
    double keep_checkpoint_every_n_hours = 10000;
    std::int64_t log_step_count_steps = 100;     // between two lines in the log; 0 = none
    std::optional<std::int64_t> tf_random_seed;  // in place of fit.seed
    // A worker of parameter servers begins 5 seconds later than the one before it, but never later than this. Nothing: all begin at once.
    std::optional<double> experimental_max_worker_delay_secs;
    friend bool operator==(const RunConfigSpec&, const RunConfigSpec&) = default;
};

struct TrainSpec {
    std::optional<std::int64_t> max_steps;  // global steps; nothing: until the input ends
    std::int64_t input_repeats = 1;         // passes over the training samples, as dataset.repeat(n) makes them; 0 = without end
    friend bool operator==(const TrainSpec&, const TrainSpec&) = default;
};

struct EvalSpec {
    std::optional<std::int64_t> steps = 100;  // batches of an evaluation; nothing: all samples
    std::string name;                         // its event files lie in eval_<name>; empty: in eval
    double start_delay_secs = 120;            // an evaluator looks for its first checkpoint after so long
    double throttle_secs = 600;               // from the beginning of an evaluation to that of the next
    // FinalExporter {name}, LatestExporter {name, exports_to_keep} or BestExporter {name, exports_to_keep}.
    std::vector<ObjectSpec> exporters;
    friend bool operator==(const EvalSpec&, const EvalSpec&) = default;
};

struct EstimatorSpec {
    // Estimator: the project's model is its model_fn. LinearRegressor, LinearClassifier, DNNRegressor, DNNClassifier: the model is as one
    // of these makes it, and what they report is reported.
    std::string name = "Estimator";
    RunConfigSpec run_config;
    TrainSpec train_spec;
    EvalSpec eval_spec;
    friend bool operator==(const EstimatorSpec&, const EstimatorSpec&) = default;
};

}  // namespace engine::spec
