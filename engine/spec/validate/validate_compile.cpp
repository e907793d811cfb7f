#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layer_info.h"
#include "engine/spec/catalog/loss_rules.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/optimizer_table.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/catalog/update_kind.h"
#include "engine/spec/names.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/logged_metrics.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/spec/shape.h"
#include "engine/spec/validate/fitting_compile.h"
#include "engine/spec/validate/validate_parts.h"

namespace engine::spec {
namespace {

// nullptr after reporting an unknown class.
const ObjectSchema* expectClass(const ObjectSpec& object, std::span<const ObjectSchema> schemas, const std::string& path,
                                Diagnostics& diagnostics) {
    const ObjectSchema* schema = findSchema(schemas, object.class_name);
    if (schema == nullptr) {
        diagnostics.push_back({Severity::kError, path, "expected " + oneOf(classNames(schemas)) + ", got " + object.class_name, ""});
    }
    return schema;
}

void checkPieces(const ObjectSpec& schedule, const std::string& path, Diagnostics& diagnostics) {
    const Settings settings = settingsOf(scheduleSchemas(), schedule);
    const std::vector<double> boundaries = settings.getDoubles("boundaries");
    const std::size_t values = settings.getDoubles("values").size();
    if (values != boundaries.size() + 1) {
        diagnostics.push_back(
            {Severity::kError, path + ".values",
             "expected one value more than the " + std::to_string(boundaries.size()) + " boundaries, got " + std::to_string(values), ""});
    }
    if (!std::is_sorted(boundaries.begin(), boundaries.end())) {
        diagnostics.push_back({Severity::kError, path + ".boundaries", "expected rising steps, got " + valueText(boundaries), ""});
    }
}

void checkSchedule(const ObjectSpec& schedule, const std::string& path, Diagnostics& diagnostics) {
    const ObjectSchema* schema = expectClass(schedule, scheduleSchemas(), path, diagnostics);
    if (schema == nullptr) {
        return;
    }
    const std::size_t before = diagnostics.size();
    reportFields(schedule.config, schema->fields, path, diagnostics);
    if (diagnostics.size() == before && schedule.class_name == "PiecewiseConstantDecay") {
        checkPieces(schedule, path, diagnostics);
    }
}

// Keras takes one of the three.
void checkClipping(const Fields& config, const std::string& path, Diagnostics& diagnostics) {
    std::string first;
    for (const char* name : {"clipnorm", "global_clipnorm", "clipvalue"}) {
        const FieldValue* value = config.find(name);
        if (value == nullptr || std::holds_alternative<std::monostate>(*value)) {
            continue;
        }
        if (!first.empty()) {
            diagnostics.push_back({Severity::kError, path + "." + name, "expected one way to clip gradients, got " + first + " too", ""});
        }
        first = name;
    }
}

// Rates of running means that a formula divides by one less a power of them: a rate of 1 leaves no weight a number.
struct DividedRate {
    UpdateKind formula;
    const char* field;
};
constexpr DividedRate kDividedRates[] = {{UpdateKind::kAdam, "beta_1"},      {UpdateKind::kAmsgrad, "beta_1"},
                                         {UpdateKind::kAdamax, "beta_1"},    {UpdateKind::kLamb, "beta_1"},
                                         {UpdateKind::kLamb, "beta_2"},      {UpdateKind::kNadam, "beta_2"},
                                         {UpdateKind::kMuon, "adam_beta_1"}, {UpdateKind::kScheduleFree, "beta_2"}};

void checkRates(const ObjectSpec& optimizer, const Settings& settings, const std::string& path, Diagnostics& diagnostics) {
    const UpdateKind formula = formulaOf(*findOptimizer(optimizer.class_name), optimizer.config);
    for (const DividedRate& rate : kDividedRates) {
        if (rate.formula != formula || settings.getDouble(rate.field) < 1) {
            continue;
        }
        diagnostics.push_back(
            {Severity::kError, path + "." + rate.field, "expected a number below 1, got " + valueText(settings.getDouble(rate.field)), ""});
    }
}

void checkOptimizer(const ObjectSpec& optimizer, Diagnostics& diagnostics) {
    const std::string path = "compile.optimizer";
    const ObjectSchema* schema = expectClass(optimizer, optimizerSchemas(), path, diagnostics);
    if (schema == nullptr) {
        return;
    }
    Fields config = optimizer.config;
    if (const ObjectSpec* schedule = config.getObject("learning_rate")) {
        checkSchedule(*schedule, path + ".learning_rate", diagnostics);
        config.erase("learning_rate");
    }
    const std::size_t before = diagnostics.size();
    reportFields(config, schema->fields, path, diagnostics);
    if (diagnostics.size() != before) {
        return;
    }
    for (const FieldSchema& field : schema->fields) {
        const FieldValue* value = config.find(field.name);
        const bool is_null = value != nullptr && std::holds_alternative<std::monostate>(*value);
        if (!is_null || !nullIsRefused(optimizer.class_name, field.name)) continue;
        diagnostics.push_back({Severity::kError, path + "." + field.name, "expected a number, got null", ""});
    }
    checkClipping(config, path, diagnostics);
    if (const std::optional<std::string> expression = badExpression(optimizer)) {
        diagnostics.push_back(
            {Severity::kError, path + ".exclude_layers", "expected regular expressions, got \"" + *expression + "\"", ""});
    }
    const Settings settings(schema->fields, config);
    checkRates(optimizer, settings, path, diagnostics);
    if (settings.has("nesterov") && settings.getBool("nesterov") && settings.getDouble("momentum") == 0) {
        diagnostics.push_back(
            {Severity::kWarning, path + ".nesterov", "expected a momentum above 0 with nesterov, got 0: it changes nothing", ""});
    }
}

constexpr std::int64_t kMostGrowthSteps = std::int64_t{1} << 24;  // the counter is a float

void checkLossScale(const CompileSpec& compile, Diagnostics& diagnostics) {
    if (!compile.loss_scale) {
        return;
    }
    const auto refuse = [&](const char* field, const char* expected, const std::string& got) {
        diagnostics.push_back(
            {Severity::kError, std::string("compile.loss_scale.") + field, std::string("expected ") + expected + ", got " + got, ""});
    };
    const double scale = compile.loss_scale->initial_scale;
    if (!(scale > 0) || scale > static_cast<double>(std::numeric_limits<float>::max())) {
        refuse("initial_scale", "a number above 0 that float32 holds", valueText(scale));
    }
    const std::int64_t steps = compile.loss_scale->dynamic_growth_steps;
    if (steps < 1 || steps > kMostGrowthSteps) {
        refuse("dynamic_growth_steps", "1 to 16777216 steps", std::to_string(steps));
    }
    if (const FieldValue* factor = compile.optimizer.config.find("loss_scale_factor"); factor != nullptr) {
        diagnostics.push_back({Severity::kWarning, "compile.optimizer.loss_scale_factor",
                               "expected none beside loss_scale, whose scale takes its place", ""});
    }
}

// Logits or probabilities: `function` makes the one from the other.
void checkLogits(const RunSpec& run, const char* function, Diagnostics& diagnostics) {
    const std::string path = "compile.loss.from_logits", name = function;
    const bool found = lastActivation(run.model) == function;
    bool from_logits = false;
    if (const ObjectSchema* loss = findSchema(lossSchemas(), run.compile.loss.class_name)) {
        Settings(loss->fields, run.compile.loss.config).read("from_logits", from_logits);
    }
    if (found && from_logits) {
        diagnostics.push_back({Severity::kWarning, path, "expected false with a last layer that ends in " + name + ", got true",
                               "Set from_logits to false or remove the " + name + "."});
    } else if (!found && !from_logits) {
        diagnostics.push_back({Severity::kWarning, path, "expected true with a last layer without " + name + ", got false",
                               "Set from_logits to true or end the model in " + name + "."});
    }
}

// Replicas whose gradients are summed in a step, as far as the project says; devices that are left open count as one.
std::size_t summedReplicas(const RunSpec& run) {
    const StrategyRow* row = findStrategy(run.strategy.name);
    if (row == nullptr) return 1;
    const std::size_t devices = row->has_replicas ? devicesOf(run.strategy).size() : 1;
    const std::size_t tasks = row->is_clustered && !row->has_servers ? run.cluster.spec.trainingTasks().size() : 1;
    return std::max<std::size_t>(devices, 1) * std::max<std::size_t>(tasks, 1);
}

// A loss over several samples needs them all in one place.
void checkLossAxes(const RunSpec& run, std::size_t rank, Diagnostics& diagnostics) {
    const ObjectSpec& loss = run.compile.loss;
    if (const std::string fault = lossAxesFault(loss, rank); !fault.empty()) {
        diagnostics.push_back({Severity::kError, "compile.loss.axis", fault, ""});
        return;
    }
    if (!joinsSamples(loss, rank)) return;
    const bool has_axis = lossLabels(loss.class_name) == LossLabels::kValues;
    if (const std::size_t replicas = summedReplicas(run); replicas > 1) {
        diagnostics.push_back({Severity::kError, "compile.loss",
                               "expected one replica with a loss that compares the samples of a batch, got " + std::to_string(replicas),
                               has_axis ? "Set axis to axes of a sample, from 1 on, or train on one device." : "Train on one device."});
    }
    if (has_axis && !run.fit.class_weight.empty() && lossAxes(loss, rank)->count != static_cast<std::int64_t>(rank)) {
        diagnostics.push_back(
            {Severity::kError, "fit.class_weight", "expected no weights of classes with an axis that joins samples alone, got some", ""});
    }
}

// A loss of sequences: scores of classes at each time against some classes a sample.
void checkSequences(const RunSpec& run, const LayerInfo& last, Diagnostics& diagnostics) {
    const std::string path = "compile.loss";
    const std::string& loss = run.compile.loss.class_name;
    const Shape& output = last.output_shape;
    if (output.size() != 2) {
        diagnostics.push_back({Severity::kError, path,
                               "expected a model output of rank 3 (batch, time and classes), got " + batchShapeText(output),
                               "End the model with a Dense layer behind one that puts out sequences."});
        return;
    }
    if (output.back() < 2) {
        diagnostics.push_back(
            {Severity::kError, path, "expected at least 2 classes as model output, got " + std::to_string(output.back()), ""});
    }
    if (last.output_mask) {
        diagnostics.push_back({Severity::kError, path,
                               "expected a model output without a mask with " + loss + ", which takes all times, got one",
                               "Remove Masking, or mask_zero of the Embedding."});
    }
    if (lastActivation(run.model) == "softmax") {
        diagnostics.push_back({Severity::kWarning, path,
                               "expected a last layer without softmax with " + loss + ", which takes logits, got one that ends in it",
                               "Remove the softmax."});
    }
    if (!run.fit.class_weight.empty()) {
        diagnostics.push_back({Severity::kError, "fit.class_weight",
                               "expected no weights of classes with " + loss + ", whose labels are sequences of them, got some", ""});
    }
}

void checkLoss(const RunSpec& run, Diagnostics& diagnostics) {
    const ObjectSpec& loss = run.compile.loss;
    const std::string path = "compile.loss";
    const ObjectSchema* schema = expectClass(loss, lossSchemas(), path, diagnostics);
    if (schema == nullptr) {
        return;
    }
    const std::size_t before = diagnostics.size();
    reportFields(loss.config, schema->fields, path, diagnostics);
    const std::vector<LayerInfo> infos = inferShapes(run.model);
    if (diagnostics.size() != before || infos.empty() || !infos.back().known) {
        return;
    }
    if (lossLabels(loss.class_name) == LossLabels::kSequences) {
        checkSequences(run, infos.back(), diagnostics);
        return;
    }
    const Shape& output = infos.back().output_shape;
    const bool has_classes = lossLabels(loss.class_name) == LossLabels::kClasses;
    const std::string wanted = has_classes ? "batch and classes" : "batch and values";
    if (output.empty()) {
        diagnostics.push_back(
            {Severity::kError, path, "expected a model output of rank 2 or more (" + wanted + "), got " + batchShapeText(output), ""});
        return;
    }
    if (lossLabels(loss.class_name) == LossLabels::kNames && output.size() > 1) {
        diagnostics.push_back(
            {Severity::kError, path, "expected a model output of rank 2 (" + wanted + "), got " + batchShapeText(output), ""});
        return;
    }
    checkLossAxes(run, output.size() + 1, diagnostics);
    if (has_classes && output.size() > 1) {
        diagnostics.push_back({Severity::kWarning, path,
                               "expected a model output of rank 2 (" + wanted + ") with one label a sample, got " + batchShapeText(output),
                               "End the model with Flatten and Dense, or give every position a label."});
    }
    if (!run.fit.class_weight.empty() && output.size() > 1) {
        diagnostics.push_back({Severity::kError, "fit.class_weight",
                               "expected a model output of rank 2 (" + wanted + "), got " + batchShapeText(output), ""});
    }
    for (const auto& [label, weight] : run.fit.class_weight) {
        if (has_classes && label >= output.back()) {
            diagnostics.push_back({Severity::kError, "fit.class_weight." + std::to_string(label),
                                   "expected a class of the model's output, from 0 to " + std::to_string(output.back() - 1) + ", got " +
                                       std::to_string(label),
                                   ""});
        }
    }
    const bool is_binary = loss.class_name.starts_with("Binary");
    const bool is_categorical =
        has_classes || loss.class_name == "CategoricalCrossentropy" || loss.class_name == "CategoricalFocalCrossentropy";
    if (is_binary) checkLogits(run, "sigmoid", diagnostics);
    const bool has_logits = schema->fields.end() != std::find_if(schema->fields.begin(), schema->fields.end(),
                                                                 [](const FieldSchema& field) { return field.name == "from_logits"; });
    if (is_categorical && has_logits) checkLogits(run, "softmax", diagnostics);
    if (is_categorical && !has_logits && lastActivation(run.model) != "softmax") {
        diagnostics.push_back(
            {Severity::kWarning, path,
             "expected a last layer that ends in softmax with " + loss.class_name + ", which takes probabilities, got another",
             "End the model in softmax."});
    }
    if (is_categorical && output.back() < 2) {
        diagnostics.push_back(
            {Severity::kError, path, "expected at least 2 classes as model output, got " + std::to_string(output.back()), ""});
    }
}

// Sparse metrics take labels that are classes, as some losses do, and overlaps of a label with a row of outputs; the others do not.
bool takesClasses(const ObjectSchema& schema, const Fields& config) {
    const Settings settings(schema.fields, config);
    const bool is_overlap = settings.has("sparse_y_true");
    return schema.class_name.starts_with("Sparse") ||
           (is_overlap && settings.getBool("sparse_y_true") && !settings.getBool("sparse_y_pred"));
}

// IoU and its kin.
void checkOverlap(const ObjectSchema& schema, const MetricSpec& metric, const std::string& path, Diagnostics& diagnostics) {
    const Settings settings(schema.fields, metric.config);
    bool sparse_labels = false;
    settings.read("sparse_y_true", sparse_labels);
    if (!sparse_labels && settings.has("sparse_y_pred") && settings.getBool("sparse_y_pred")) {
        diagnostics.push_back({Severity::kError, path + ".sparse_y_pred", "expected false where labels are rows of classes, got true", ""});
    }
    if (!settings.has("num_classes") || !settings.has("target_class_ids")) return;
    const std::int64_t classes = settings.getInt("num_classes");
    const std::vector<std::int64_t> targets = settings.getInts("target_class_ids");
    if (!targets.empty() && *std::max_element(targets.begin(), targets.end()) < classes) return;
    diagnostics.push_back({Severity::kError, path + ".target_class_ids",
                           "expected class ids from 0 to " + std::to_string(classes - 1) + ", got " + valueText(targets), ""});
}

// Metrics that look at the outputs of a sample one by one, or at all of them together.
void checkOutputs(const RunSpec& run, const ObjectSchema& schema, const MetricSpec& metric, const std::string& path,
                  Diagnostics& diagnostics) {
    const std::string& class_name = schema.class_name;
    const std::vector<LayerInfo> infos = inferShapes(run.model);
    if (infos.empty() || !infos.back().known || infos.back().output_shape.empty()) return;
    const Shape& output = infos.back().output_shape;
    const std::int64_t columns = output.back();
    if (class_name == "R2Score" && output.size() != 1) {
        diagnostics.push_back(
            {Severity::kError, path, "expected a model output of rank 2 (batch and values), got " + batchShapeText(output), ""});
    }
    if (class_name.ends_with("Correlation") && columns < 2) {
        diagnostics.push_back(
            {Severity::kError, path,
             "expected a model output of at least 2 values a row, along which it correlates them, got " + std::to_string(columns), ""});
    }
    const Settings settings(schema.fields, metric.config);
    if (const std::optional<std::int64_t> id = settings.has("class_id") ? settings.findInt("class_id") : std::nullopt;
        id && *id >= columns) {
        diagnostics.push_back(
            {Severity::kError, path + ".class_id",
             "expected a class of the model's output, from 0 to " + std::to_string(columns - 1) + ", got " + std::to_string(*id), ""});
    }
}

// Scores of classes (F1Score, FBetaScore) need one number of all classes and a row of classes a sample.
void checkClassScore(const RunSpec& run, const MetricSpec& metric, const ObjectSchema& schema, const std::string& path,
                     Diagnostics& diagnostics) {
    if (Settings(schema.fields, metric.config).find("average") == nullptr) {
        diagnostics.push_back({Severity::kError, path + ".average",
                               "expected micro, macro or weighted, got none: a value for each class is not one number of a curve",
                               "Set average to macro."});
    }
    const std::vector<LayerInfo> infos = inferShapes(run.model);
    if (!infos.empty() && infos.back().known && infos.back().output_shape.size() != 1) {
        diagnostics.push_back({Severity::kError, path,
                               "expected a model output of rank 2 (batch and classes), got " + batchShapeText(infos.back().output_shape),
                               ""});
    }
}

void checkMetric(const RunSpec& run, const MetricSpec& metric, const std::string& path, Diagnostics& diagnostics) {
    if (const std::string& loss = run.compile.loss.class_name; lossLabels(loss) == LossLabels::kSequences) {
        diagnostics.push_back({Severity::kError, path,
                               "expected no metric beside " + loss + ", whose labels are sequences, got " + metric.name, "Remove it."});
        return;
    }
    if (isPlainAccuracy(metric)) {
        return;
    }
    const std::string class_name = canonicalClass(metricSchemas(), metric.name);
    const ObjectSchema* schema = findSchema(metricSchemas(), class_name);
    if (schema == nullptr) {
        std::vector<std::string> known{"accuracy"};
        for (const ObjectSchema& row : metricSchemas()) {
            if (row.class_name != "Accuracy") known.push_back(snakeCase(row.class_name));
        }
        diagnostics.push_back({Severity::kError, path, "expected " + oneOf(known) + ", got " + metric.name, ""});
        return;
    }
    const std::size_t before = diagnostics.size();
    reportFields(metric.config, schema->fields, path, diagnostics);
    if (diagnostics.size() != before) {
        return;
    }
    const FieldValue* given = metric.config.find("thresholds");
    const bool has_list = given != nullptr && !std::holds_alternative<std::monostate>(*given);
    const std::vector<double> thresholds = has_list ? toDoubles("thresholds", *given) : std::vector<double>{};
    const bool twice = std::set<double>(thresholds.begin(), thresholds.end()).size() != thresholds.size();
    if (class_name != "AUC" && has_list && (thresholds.empty() || twice)) {
        diagnostics.push_back(
            {Severity::kError, path + ".thresholds", "expected a number or a list of different ones, got " + valueText(*given), ""});
    }
    if (Settings(schema->fields, metric.config).has("average")) checkClassScore(run, metric, *schema, path, diagnostics);
    const std::size_t before_outputs = diagnostics.size();
    if (class_name.ends_with("IoU")) checkOverlap(*schema, metric, path, diagnostics);
    checkOutputs(run, *schema, metric, path, diagnostics);
    if (diagnostics.size() != before_outputs) return;
    const std::string& loss = run.compile.loss.class_name;
    if (findSchema(lossSchemas(), loss) != nullptr && takesClasses(*schema, metric.config) != takesWholeLabels(loss)) {
        diagnostics.push_back({Severity::kError, path,
                               std::string("expected a metric of labels that are ") + (takesWholeLabels(loss) ? "classes" : "values") +
                                   ", as " + loss + " has them, got " + metric.name,
                               takesWholeLabels(loss) ? "Set it to accuracy." : ""});
    }
}

void checkMetricList(const RunSpec& run, const std::vector<MetricSpec>& metrics, const std::string& list, Diagnostics& diagnostics) {
    std::set<std::string> taken{"loss", "learning_rate"};
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        const std::string path = list + "[" + std::to_string(i) + "]";
        const std::size_t before = diagnostics.size();
        checkMetric(run, metrics[i], path, diagnostics);
        if (diagnostics.size() == before && !taken.insert(logName(metrics[i])).second) {
            diagnostics.push_back(
                {Severity::kError, path, "expected every metric once, got " + logName(metrics[i]) + " a second time", ""});
        }
    }
}

void checkMetrics(const RunSpec& run, Diagnostics& diagnostics) {
    const std::size_t before = diagnostics.size();
    checkMetricList(run, run.compile.metrics, "compile.metrics", diagnostics);
    checkMetricList(run, run.compile.weighted_metrics, "compile.weighted_metrics", diagnostics);
    if (diagnostics.size() != before) {
        return;
    }
    const std::vector<LoggedMetric> logged = loggedMetrics(run.compile);
    if (logged.size() > kMaximumMetrics) {
        diagnostics.push_back({Severity::kError, "compile.metrics",
                               "expected at most " + std::to_string(kMaximumMetrics) + " metrics, got " + std::to_string(logged.size()),
                               run.compile.metrics.size() > kMaximumMetrics ? "" : "Weighted ones and every threshold count."});
    }
    std::set<std::string> taken;
    for (const LoggedMetric& metric : logged) {
        if (!taken.insert(metric.name).second) {
            diagnostics.push_back({Severity::kError, metric.weighted ? "compile.weighted_metrics" : "compile.metrics",
                                   "expected names of their own in the logs, got " + metric.name + " twice", "Set name of one of them."});
        }
    }
}

}  // namespace

void validateCompile(const RunSpec& run, Diagnostics& diagnostics) {
    checkOptimizer(run.compile.optimizer, diagnostics);
    checkLossScale(run.compile, diagnostics);
    checkLoss(run, diagnostics);
    checkMetrics(run, diagnostics);
}

}  // namespace engine::spec
