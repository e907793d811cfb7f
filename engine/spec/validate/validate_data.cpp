#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/loss_rules.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/mixing/mix_settings.h"
#include "engine/spec/names.h"
#include "engine/spec/project/data_order.h"
#include "engine/spec/shape.h"
#include "engine/spec/validate/validate.h"
#include "engine/spec/validate/validate_parts.h"

namespace engine::spec {
namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

void expectRange(const char* path, std::int64_t value, std::int64_t minimum, std::int64_t maximum, Diagnostics& diagnostics) {
    if (value >= minimum && value <= maximum) {
        return;
    }
    const std::string above = maximum == kUnlimited ? "" : " and at most " + std::to_string(maximum);
    diagnostics.push_back(
        {Severity::kError, path, "expected at least " + std::to_string(minimum) + above + ", got " + std::to_string(value), ""});
}

// mean, std and one_hot.
void checkMap(const RunSpec& run, Diagnostics& diagnostics) {
    for (const double mean : run.data.mean) {
        if (!std::isfinite(mean)) {
            diagnostics.push_back({Severity::kError, "data.mean", "expected finite numbers, got " + valueText(run.data.mean), ""});
            break;
        }
    }
    for (const double std : run.data.std) {
        if (!(std::isfinite(std) && std > 0)) {
            diagnostics.push_back({Severity::kError, "data.std", "expected finite numbers above 0, got " + valueText(run.data.std), ""});
            break;
        }
    }
    const std::int64_t classes = run.data.one_hot;
    if (classes == 0) {
        return;
    }
    expectRange("data.one_hot", classes, 2, 1 << 24, diagnostics);
    if (takesWholeLabels(run.compile.loss.class_name)) {
        diagnostics.push_back(
            {Severity::kError, "data.one_hot",
             "expected 0 with " + run.compile.loss.class_name + ", which takes class indices, got " + std::to_string(classes),
             "Set data.one_hot to 0, or the loss to CategoricalCrossentropy."});
    }
}

// A mixture of two class indices is no class, and of two ids no id.
void checkMix(const RunSpec& run, Diagnostics& diagnostics) {
    const DataSpec& data = run.data;
    if (!isMixed(data)) {
        return;
    }
    const std::string path = "data.mix", &name = mixName(data);
    const auto refuse = [&](const std::string& message, const std::string& fix = "") {
        diagnostics.push_back({Severity::kError, path, message, fix});
    };
    const ObjectSchema* schema = findSchema(mixSchemas(), name);
    if (schema == nullptr) {
        refuse("expected " + oneOf(classNames(mixSchemas())) + ", got " + name);
        return;
    }
    const std::size_t before = diagnostics.size();
    reportFields(data.mix.config, schema->fields, path, diagnostics);
    if (diagnostics.size() == before && name == "CutMix") {
        const std::vector<double> factor = Settings(schema->fields, data.mix.config).getDoubles("factor");
        if (factor.empty() || factor.size() > 2) {
            diagnostics.push_back({Severity::kError, path + ".factor", "expected one or two numbers, got " + valueText(factor), ""});
        }
        const NamedDataset* set = findNamedDataset(data.dataset);
        if (set != nullptr && !imageSizeOf(run.model.input_shape, set->sample_shape)) {
            refuse("expected samples with rows and columns for CutMix, got " + batchShapeText(set->sample_shape),
                   "Set data.mix to MixUp, which mixes samples of any shape.");
        }
    }
    if (takesWholeLabels(run.compile.loss.class_name)) {
        refuse("expected a loss of probabilities with " + name + ", which mixes labels, got " + run.compile.loss.class_name +
                   ", which takes class indices",
               "Set the loss to CategoricalCrossentropy and data.one_hot to the number of classes.");
    }
    if (run.model.input_dtype != "float32") {
        refuse("expected an input of float32 for " + name + ", which mixes values, got " + run.model.input_dtype,
               "Leave data.mix out for ids.");
    }
    if (run.estimator) {
        refuse("expected none with an estimator, whose TensorFlow has no such layer, got " + name,
               "Leave data.mix out, or train with fit.");
    }
}

}  // namespace

void validateData(const RunSpec& run, Diagnostics& diagnostics) {
    const DataSpec& data = run.data;
    validateDataset(run, diagnostics);
    if (!std::isfinite(data.scale) || data.scale == 0) {
        diagnostics.push_back({Severity::kError, "data.scale", "expected a finite number other than 0, got " + valueText(data.scale), ""});
    }
    if (!std::isfinite(data.offset)) {
        diagnostics.push_back({Severity::kError, "data.offset", "expected a finite number, got " + valueText(data.offset), ""});
    }
    checkMap(run, diagnostics);
    checkMix(run, diagnostics);
    expectRange("data.shuffle", data.shuffle, 0, kUnlimited, diagnostics);
    expectRange("data.batch_size_per_replica", data.batch_size_per_replica, 1, 1 << 24, diagnostics);
    expectRange("data.prefetch", data.prefetch, 0, kUnlimited, diagnostics);
    expectRange("data.decode_threads", data.decode_threads, 0, 1024, diagnostics);
    expectRange("data.split_seed", data.split_seed, -1, kUnlimited, diagnostics);
    expectRange("data.log_shards", data.log_shards, 0, kUnlimited, diagnostics);
    expectRange("data.take", data.take, 0, kUnlimited, diagnostics);
    if (!(data.validation_split >= 0 && data.validation_split < 1)) {
        diagnostics.push_back({Severity::kError, "data.validation_split",
                               "expected at least 0 and less than 1, got " + valueText(data.validation_split), ""});
    }
    for (const Diagnostic& finding : orderFindings(data, passesOf(run))) {
        if (finding.severity != Severity::kInfo) {  // what an order means is no mistake
            diagnostics.push_back(finding);
        }
    }
    if (data.seed_per_worker && data.auto_shard != AutoShardPolicy::kOff) {
        diagnostics.push_back(
            {Severity::kWarning, "data.seed_per_worker",
             "expected auto_shard OFF with a seed per worker, got another policy: the workers' shards come from one order",
             "Set data.auto_shard to OFF."});
    }
}

namespace {

bool hasWeightsAlone(const std::string& file) {
    return file.ends_with(".weights.h5") || file.ends_with(".npz") || file.ends_with(".onnx");
}

void checkWeightFiles(const FitSpec& fit, Diagnostics& diagnostics) {
    if (!fit.save_weights.empty()) {
        const Diagnostics ending = checkWeightsFile(fit.save_weights);
        diagnostics.insert(diagnostics.end(), ending.begin(), ending.end());
        checkRunFile(fit.save_weights, "fit.save_weights", "Write weights.keras; --save-weights of the command line takes any place.",
                     diagnostics);
    }
    if (fit.initial_weights.ends_with(".json")) {
        diagnostics.push_back({Severity::kError, "fit.initial_weights",
                               "expected weights (.weights.h5, .keras, .h5 or a checkpoint), got JSON: " + fit.initial_weights, ""});
    }
    if (fit.initial_state && fit.initial_weights.empty()) {
        diagnostics.push_back({Severity::kError, "fit.initial_state",
                               "expected the file of a training that goes on in fit.initial_weights, got none",
                               "Name a run's checkpoint or backup in fit.initial_weights."});
    } else if (fit.initial_state && hasWeightsAlone(fit.initial_weights)) {
        diagnostics.push_back(
            {Severity::kError, "fit.initial_state",
             "expected a checkpoint, a backup or a .keras file with its optimizer, got weights alone: " + fit.initial_weights,
             "Set fit.initial_state to false to begin with the weights."});
    }
}

}  // namespace

Diagnostics checkWeightsFile(const std::string& file) {
    if (file.empty() || file.ends_with(".keras") || file.ends_with(".h5")) {
        return {};
    }
    return {{Severity::kError, "fit.save_weights", "expected a name that ends in .weights.h5, .keras or .h5, got " + file, ""}};
}

void validateFit(const FitSpec& fit, Diagnostics& diagnostics) {
    expectRange("fit.epochs", fit.epochs, 1, 1000000, diagnostics);
    expectRange("fit.initial_epoch", fit.initial_epoch, 0, kUnlimited, diagnostics);
    expectRange("fit.steps_per_epoch", fit.steps_per_epoch, 0, kUnlimited, diagnostics);
    expectRange("fit.steps", fit.steps, 0, kUnlimited, diagnostics);
    expectRange("fit.validation_freq", fit.validation_freq, 1, kUnlimited, diagnostics);
    for (const std::int64_t epoch : fit.validation_epochs) {
        expectRange("fit.validation_freq", epoch, 1, kUnlimited, diagnostics);
    }
    expectRange("fit.validation_steps", fit.validation_steps, 0, kUnlimited, diagnostics);
    expectRange("fit.validation_batch_size", fit.validation_batch_size, 0, kUnlimited, diagnostics);
    expectRange("fit.seed", fit.seed, 0, kUnlimited, diagnostics);
    expectRange("fit.log_every", fit.log_every, 1, kUnlimited, diagnostics);
    expectRange("fit.histogram_freq", fit.histogram_freq, 0, kUnlimited, diagnostics);
    for (const auto& [label, weight] : fit.class_weight) {
        const std::string path = "fit.class_weight." + std::to_string(label);
        expectRange(path.c_str(), label, 0, (1 << 20) - 1, diagnostics);
        if (!std::isfinite(weight) || weight < 0) {
            diagnostics.push_back({Severity::kError, path, "expected a weight of at least 0, got " + valueText(weight), ""});
        }
    }
    checkWeightFiles(fit, diagnostics);
    if (fit.initial_epoch >= fit.epochs && fit.epochs >= 1 && fit.initial_epoch >= 0) {
        diagnostics.push_back({Severity::kError, "fit.initial_epoch",
                               "expected less than the " + std::to_string(fit.epochs) + " epochs, got " + std::to_string(fit.initial_epoch),
                               ""});
    }
}

}  // namespace engine::spec
