#include <algorithm>
#include <cmath>
#include <set>

#include "engine/spec/catalog/adapted_layer.h"
#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/names.h"
#include "engine/spec/validate/validate_parts.h"

namespace engine::spec {
namespace {

const std::vector<std::string>& estimatorClasses() {
    static const std::vector<std::string> classes{"Estimator", "LinearRegressor", "LinearClassifier", "DNNRegressor", "DNNClassifier"};
    return classes;
}

void refuseEstimator(Diagnostics& diagnostics, const std::string& path, const std::string& message, const std::string& fix = "") {
    diagnostics.push_back({Severity::kError, "estimator." + path, message, fix});
}

void expectAtLeast(Diagnostics& diagnostics, const std::string& path, std::int64_t value, std::int64_t least) {
    if (value < least) {
        refuseEstimator(diagnostics, path, "expected at least " + std::to_string(least) + ", got " + std::to_string(value));
    }
}

void expectSeconds(Diagnostics& diagnostics, const std::string& path, double value) {
    if (!std::isfinite(value) || value < 0) {
        refuseEstimator(diagnostics, path, "expected seconds of at least 0, got " + valueText(value));
    }
}

void checkRunConfig(const RunConfigSpec& config, Diagnostics& diagnostics) {
    if (config.save_checkpoints_steps && config.save_checkpoints_secs) {
        refuseEstimator(diagnostics, "run_config.save_checkpoints_secs",
                        "expected either steps or seconds between checkpoints, got " + std::to_string(*config.save_checkpoints_steps) +
                            " steps and " + valueText(*config.save_checkpoints_secs) + " seconds",
                        "Leave one of them empty (None).");
    }
    expectAtLeast(diagnostics, "run_config.save_summary_steps", config.save_summary_steps, 0);
    if (config.save_checkpoints_steps) {
        expectAtLeast(diagnostics, "run_config.save_checkpoints_steps", *config.save_checkpoints_steps, 1);
    }
    if (config.save_checkpoints_secs && !(*config.save_checkpoints_secs > 0 && std::isfinite(*config.save_checkpoints_secs))) {
        refuseEstimator(diagnostics, "run_config.save_checkpoints_secs",
                        "expected seconds above 0, got " + valueText(*config.save_checkpoints_secs));
    }
    expectAtLeast(diagnostics, "run_config.keep_checkpoint_max", config.keep_checkpoint_max, 0);
    if (!(config.keep_checkpoint_every_n_hours > 0)) {
        refuseEstimator(diagnostics, "run_config.keep_checkpoint_every_n_hours",
                        "expected hours above 0, got " + valueText(config.keep_checkpoint_every_n_hours));
    }
    expectAtLeast(diagnostics, "run_config.log_step_count_steps", config.log_step_count_steps, 0);
    if (config.tf_random_seed) {
        expectAtLeast(diagnostics, "run_config.tf_random_seed", *config.tf_random_seed, 0);
    }
    if (config.experimental_max_worker_delay_secs) {
        expectSeconds(diagnostics, "run_config.experimental_max_worker_delay_secs", *config.experimental_max_worker_delay_secs);
    }
}

void checkTrainSpec(const RunSpec& run, const TrainSpec& spec, Diagnostics& diagnostics) {
    if (spec.max_steps) {
        expectAtLeast(diagnostics, "train_spec.max_steps", *spec.max_steps, 1);
    }
    expectAtLeast(diagnostics, "train_spec.input_repeats", spec.input_repeats, 0);
    if (!spec.max_steps && spec.input_repeats == 0) {
        refuseEstimator(diagnostics, "train_spec.max_steps", "expected a number of steps where the input repeats without end, got none",
                        "Set estimator.train_spec.max_steps, or estimator.train_spec.input_repeats to a number of passes.");
    }
    if (run.fit.steps > 0) {
        refuseEstimator(diagnostics, "train_spec.max_steps",
                        "expected an estimator that counts steps alone, got fit.steps " + std::to_string(run.fit.steps) + " beside it",
                        "Set fit.steps to 0.");
    }
}

void checkExporters(const std::vector<ObjectSpec>& exporters, Diagnostics& diagnostics) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < exporters.size(); ++i) {
        const std::string path = "eval_spec.exporters[" + std::to_string(i) + "]";
        const ObjectSchema* schema = findSchema(exporterSchemas(), exporters[i].class_name);
        if (schema == nullptr) {
            refuseEstimator(diagnostics, path, "expected " + oneOf(classNames(exporterSchemas())) + ", got " + exporters[i].class_name);
            continue;
        }
        const std::size_t before = diagnostics.size();
        reportFields(exporters[i].config, schema->fields, "estimator." + path, diagnostics);
        if (diagnostics.size() != before) continue;
        const std::string name = settingsOf(exporterSchemas(), exporters[i]).getString("name");
        checkRunFile("export/" + name, "estimator." + path + ".name", "Write a plain name.", diagnostics);
        if (!names.insert(name).second) {
            refuseEstimator(diagnostics, path + ".name", "expected a name for each exporter, got \"" + name + "\" a second time");
        }
    }
}

void checkEvalSpec(const EvalSpec& spec, Diagnostics& diagnostics) {
    if (spec.steps) {
        expectAtLeast(diagnostics, "eval_spec.steps", *spec.steps, 1);
    }
    if (spec.name.find('/') != std::string::npos) {
        refuseEstimator(diagnostics, "eval_spec.name", "expected a name without a slash, got \"" + spec.name + "\"");
    }
    expectSeconds(diagnostics, "eval_spec.start_delay_secs", spec.start_delay_secs);
    expectSeconds(diagnostics, "eval_spec.throttle_secs", spec.throttle_secs);
    checkExporters(spec.exporters, diagnostics);
}

}  // namespace

void validateEstimator(const RunSpec& run, Diagnostics& diagnostics) {
    if (!run.estimator) {
        return;
    }
    const EstimatorSpec& estimator = *run.estimator;
    const std::vector<std::string>& classes = estimatorClasses();
    if (std::find(classes.begin(), classes.end(), estimator.name) == classes.end()) {
        refuseEstimator(diagnostics, "name", "expected " + oneOf(classes) + ", got " + estimator.name);
    }
    if (const LayerSpec* layer = adaptedLayer(run.model)) {
        diagnostics.push_back({Severity::kError, "model.layers[0]",
                               "expected no layer that takes values from the training samples with an estimator, got " + layer->class_name,
                               takesTexts(*layer) ? "Give it a vocabulary." : "Give it these values."});
    }
    checkRunConfig(estimator.run_config, diagnostics);
    checkTrainSpec(run, estimator.train_spec, diagnostics);
    checkEvalSpec(estimator.eval_spec, diagnostics);
    for (const ObjectSpec& callback : run.callbacks) {
        if (callback.class_name == "ModelCheckpoint" || callback.class_name == "BackupAndRestore") continue;  // run_config does as much
        diagnostics.push_back({Severity::kWarning, "callbacks." + snakeCase(callback.class_name),
                               "expected none with an estimator, which has no callbacks, got " + callback.class_name,
                               "It has no effect: estimator.run_config says when checkpoints are written."});
    }
}

}  // namespace engine::spec
