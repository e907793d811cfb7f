#include "engine/spec/project/estimator_run.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "engine/spec/catalog/metric_spec.h"
#include "engine/spec/catalog/settings.h"

namespace engine::spec {

namespace {

// Those of TensorFlow's binary head that compile.metrics lacks, by their names in its log. A class is predicted above a probability of 0.5,
// which is a logit of 0.
void addBinaryMetrics(CompileSpec& compile) {
    const bool logits = settingsOf(lossSchemas(), compile.loss).getBool("from_logits");
    const double threshold = logits ? 0.0 : 0.5;
    const std::vector<double> thresholds{threshold};
    const MetricSpec metrics[] = {
        {"BinaryAccuracy", {{"threshold", threshold}, {"name", "accuracy"}}},
        {"Precision", {{"thresholds", thresholds}, {"name", "precision"}}},
        {"Recall", {{"thresholds", thresholds}, {"name", "recall"}}},
        {"AUC", {{"from_logits", logits}, {"name", "auc"}}},
        {"AUC", {{"curve", "PR"}, {"from_logits", logits}, {"name", "auc_precision_recall"}}},
    };
    for (const MetricSpec& metric : metrics) {
        const bool has = std::any_of(compile.metrics.begin(), compile.metrics.end(),
                                     [&](const MetricSpec& other) { return logName(other) == logName(metric); });
        if (!has) compile.metrics.push_back(metric);
    }
}

}  // namespace

bool isBinaryClassifier(const RunSpec& run) {
    return run.estimator && run.estimator->name.ends_with("Classifier") && run.compile.loss.class_name == "BinaryCrossentropy";
}

RunSpec trainedRun(const RunSpec& run) {
    if (!run.estimator) {
        return run;
    }
    const EstimatorSpec& estimator = *run.estimator;
    RunSpec trained = run;
    trained.callbacks.clear();
    if (estimator.run_config.saves_checkpoints) {
        ObjectSpec backup{"BackupAndRestore", {}};
        if (estimator.run_config.save_checkpoints_steps) {
            backup.config.set("save_freq", *estimator.run_config.save_checkpoints_steps);
        }
        trained.callbacks.push_back(std::move(backup));
    }
    if (isBinaryClassifier(run)) {
        addBinaryMetrics(trained.compile);
    }
    trained.data.validate_on_test = true;
    FitSpec& fit = trained.fit;
    fit.epochs = 1;
    fit.initial_epoch = 0;
    fit.steps = 0;
    fit.steps_per_epoch = 0;
    fit.validation_epochs.clear();
    fit.validation_freq = std::numeric_limits<std::int32_t>::max();  // its one epoch ends without
    fit.validation_steps = estimator.eval_spec.steps.value_or(0);
    fit.seed = estimator.run_config.tf_random_seed.value_or(fit.seed);
    return trained;
}

void useEstimator(RunSpec& run) {
    if (run.estimator) {
        return;
    }
    run.estimator.emplace();
    if (run.fit.steps > 0) {
        run.estimator->train_spec = {.max_steps = run.fit.steps, .input_repeats = 0};
        run.fit.steps = 0;
    }
}

double startDelaySeconds(const RunSpec& run, std::int64_t worker_index, bool is_chief) {
    constexpr double kSecondsEach = 5;
    if (!run.estimator || is_chief || run.strategy.name != "ParameterServerStrategy") {
        return 0;
    }
    const double most = run.estimator->run_config.experimental_max_worker_delay_secs.value_or(0);
    return std::min(most, kSecondsEach * static_cast<double>(worker_index + 1));
}

std::int64_t estimatorSteps(const RunSpec& run, std::int64_t steps_per_pass) {
    const TrainSpec& spec = run.estimator->train_spec;
    const std::int64_t most = spec.max_steps.value_or(std::numeric_limits<std::int64_t>::max());
    if (spec.input_repeats == 0) {
        return most;
    }
    const std::int64_t passes = steps_per_pass > most / spec.input_repeats ? most : steps_per_pass * spec.input_repeats;
    return std::min(most, passes);
}

}  // namespace engine::spec
