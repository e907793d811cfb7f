// SPDX-License-Identifier: GPL-3.0-or-later
// Which API trains: Keras' fit() or an estimator, and the form of the second.
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "engine/spec/names.h"
#include "engine/spec/project/estimator_run.h"
#include "ui/canvas/layer_look.h"
#include "ui/model/model_properties.h"
#include "ui/session/project/project.h"

namespace ui::views {

using namespace engine::spec;

namespace {

constexpr const char* kFit = "Keras fit";
constexpr const char* kEstimator = "Estimator";

// A number of the estimator, which must be there or may be left out.
struct Number {
    const char* section;
    const char* name;
    double least;
    const char* hint;
    std::int64_t* (*whole)(EstimatorSpec&);  // nullptr: one of the others
    std::optional<std::int64_t>* (*optional)(EstimatorSpec&);
    double* (*real)(EstimatorSpec&);
    std::optional<double>* (*optional_real)(EstimatorSpec&);
};

const Number kNumbers[] = {
    {"train_spec", "max_steps", 1, QT_TRANSLATE_NOOP("FieldHints", "Global steps of all workers; empty: until the input ends"), nullptr,
     [](EstimatorSpec& e) { return &e.train_spec.max_steps; }, nullptr, nullptr},
    {"train_spec", "input_repeats", 0,
     QT_TRANSLATE_NOOP("FieldHints", "Passes over the training samples, as repeat() makes them; 0: without end"),
     [](EstimatorSpec& e) { return &e.train_spec.input_repeats; }, nullptr, nullptr, nullptr},
    {"eval_spec", "steps", 1, QT_TRANSLATE_NOOP("FieldHints", "Batches of an evaluation; empty: all samples"), nullptr,
     [](EstimatorSpec& e) { return &e.eval_spec.steps; }, nullptr, nullptr},
    {"eval_spec", "start_delay_secs", 0, QT_TRANSLATE_NOOP("FieldHints", "Seconds before an evaluator looks for its first checkpoint"),
     nullptr, nullptr, [](EstimatorSpec& e) { return &e.eval_spec.start_delay_secs; }, nullptr},
    {"eval_spec", "throttle_secs", 0, QT_TRANSLATE_NOOP("FieldHints", "Seconds from the beginning of one evaluation to the next"), nullptr,
     nullptr, [](EstimatorSpec& e) { return &e.eval_spec.throttle_secs; }, nullptr},
    {"run_config", "save_checkpoints_steps", 1, QT_TRANSLATE_NOOP("FieldHints", "Steps from one checkpoint to the next; empty: by seconds"),
     nullptr, [](EstimatorSpec& e) { return &e.run_config.save_checkpoints_steps; }, nullptr, nullptr},
    {"run_config", "save_checkpoints_secs", 0,
     QT_TRANSLATE_NOOP("FieldHints", "Seconds from one checkpoint to the next; empty: by steps, or 600"), nullptr, nullptr, nullptr,
     [](EstimatorSpec& e) { return &e.run_config.save_checkpoints_secs; }},
    {"run_config", "keep_checkpoint_max", 0, QT_TRANSLATE_NOOP("FieldHints", "Older checkpoints go when there are more; 0: all stay"),
     [](EstimatorSpec& e) { return &e.run_config.keep_checkpoint_max; }, nullptr, nullptr, nullptr},
    {"run_config", "log_step_count_steps", 0, QT_TRANSLATE_NOOP("FieldHints", "Steps from one line of the log to the next; 0: none"),
     [](EstimatorSpec& e) { return &e.run_config.log_step_count_steps; }, nullptr, nullptr, nullptr},
    {"run_config", "save_summary_steps", 0,
     QT_TRANSLATE_NOOP("FieldHints", "Steps from one point in TensorBoard's files to the next; 0: none"),
     [](EstimatorSpec& e) { return &e.run_config.save_summary_steps; }, nullptr, nullptr, nullptr},
    {"run_config", "experimental_max_worker_delay_secs", 0,
     QT_TRANSLATE_NOOP("FieldHints",
                       "Parameter servers: each worker begins 5 seconds later than the one before it, at most so many; empty: at once"),
     nullptr, nullptr, nullptr, [](EstimatorSpec& e) { return &e.run_config.experimental_max_worker_delay_secs; }},
};

// A class that writes models beside the evaluations; settings beyond the usual ones stay as they are.
struct Exporter {
    const char* class_name;
    const char* hint;
};
const Exporter kExporters[] = {
    {"FinalExporter", QT_TRANSLATE_NOOP("FieldHints", "Writes the model as .keras when training is over")},
    {"LatestExporter", QT_TRANSLATE_NOOP("FieldHints", "Writes the model as .keras after each evaluation and keeps the last five")},
    {"BestExporter", QT_TRANSLATE_NOOP("FieldHints", "Writes the model as .keras when the loss of an evaluation is the smallest so far")},
};

bool exports(const EstimatorSpec& estimator, const std::string& class_name) {
    const std::vector<ObjectSpec>& exporters = estimator.eval_spec.exporters;
    return std::any_of(exporters.begin(), exporters.end(), [&](const ObjectSpec& one) { return one.class_name == class_name; });
}

void setExports(EstimatorSpec& estimator, const std::string& class_name, bool on) {
    std::vector<ObjectSpec>& exporters = estimator.eval_spec.exporters;
    if (on == exports(estimator, class_name)) return;
    if (on) exporters.push_back({class_name, {}});
    if (!on) std::erase_if(exporters, [&](const ObjectSpec& one) { return one.class_name == class_name; });
}

[[maybe_unused]] constexpr const char* kLabels[] = {
    QT_TRANSLATE_NOOP("FieldLabels", "Final exporter"),
    QT_TRANSLATE_NOOP("FieldLabels", "Latest exporter"),
    QT_TRANSLATE_NOOP("FieldLabels", "Best exporter"),
    QT_TRANSLATE_NOOP("FieldLabels", "Max steps"),
    QT_TRANSLATE_NOOP("FieldLabels", "Input repeats"),
    QT_TRANSLATE_NOOP("FieldLabels", "Steps"),
    QT_TRANSLATE_NOOP("FieldLabels", "Start delay secs"),
    QT_TRANSLATE_NOOP("FieldLabels", "Throttle secs"),
    QT_TRANSLATE_NOOP("FieldLabels", "Save checkpoints steps"),
    QT_TRANSLATE_NOOP("FieldLabels", "Save checkpoints secs"),
    QT_TRANSLATE_NOOP("FieldLabels", "Keep checkpoint max"),
    QT_TRANSLATE_NOOP("FieldLabels", "Log step count steps"),
    QT_TRANSLATE_NOOP("FieldLabels", "Save summary steps"),
    QT_TRANSLATE_NOOP("FieldLabels", "Experimental max worker delay secs"),
    QT_TRANSLATE_NOOP("FieldLabels", "Name"),
};

FieldValue read(const Number& number, EstimatorSpec& estimator) {
    if (number.whole != nullptr) return *number.whole(estimator);
    if (number.real != nullptr) return *number.real(estimator);
    if (number.optional != nullptr) {
        const auto& value = *number.optional(estimator);
        return value ? FieldValue(*value) : FieldValue();
    }
    const auto& value = *number.optional_real(estimator);
    return value ? FieldValue(*value) : FieldValue();
}

void write(const Number& number, EstimatorSpec& estimator, const FieldValue& given) {
    const auto* whole = std::get_if<std::int64_t>(&given);
    const auto* real = std::get_if<double>(&given);
    if (number.whole != nullptr && whole != nullptr) *number.whole(estimator) = *whole;
    if (number.real != nullptr && real != nullptr) *number.real(estimator) = *real;
    if (number.optional != nullptr) *number.optional(estimator) = whole != nullptr ? std::optional(*whole) : std::nullopt;
    if (number.optional_real != nullptr) *number.optional_real(estimator) = real != nullptr ? std::optional(*real) : std::nullopt;
}

}  // namespace

void ModelProperties::buildApi() {
    addSection(tr("Training"));
    addChoice(
        tr("API"), QStringLiteral("estimator"), {kFit, kEstimator},
        [](const RunSpec& run) { return FieldValue(std::string(run.estimator ? kEstimator : kFit)); },
        [](RunSpec& run, const FieldValue& value) {
            const bool estimates = std::get<std::string>(value) == kEstimator;
            if (estimates) useEstimator(run);
            if (!estimates) run.estimator.reset();
        });
    project_.spec().estimator ? buildEstimator() : buildFit();
    buildBeginning();
}

void ModelProperties::buildEstimator() {
    addChoice(
        canvas::fieldLabel("name"), QStringLiteral("estimator.name"),
        {"Estimator", "LinearRegressor", "LinearClassifier", "DNNRegressor", "DNNClassifier"},
        [](const RunSpec& run) { return FieldValue(run.estimator ? run.estimator->name : std::string()); },
        [](RunSpec& run, const FieldValue& value) {
            if (run.estimator) run.estimator->name = std::get<std::string>(value);
        });
    std::string section;
    for (const Number& number : kNumbers) {
        if (section == "eval_spec" && section != number.section) buildExporters();
        if (section != number.section) {
            section = number.section;
            addSection(section == "train_spec"  ? QStringLiteral("TrainSpec")
                       : section == "eval_spec" ? QStringLiteral("EvalSpec")
                                                : QStringLiteral("RunConfig"));
        }
        const bool is_real = number.real != nullptr || number.optional_real != nullptr;
        const FieldSchema schema{.name = number.name,
                                 .kind = is_real ? FieldKind::kDouble : FieldKind::kInt,
                                 .required = number.whole != nullptr || number.real != nullptr,
                                 .minimum = number.least,
                                 .minimum_excluded = number.optional_real != nullptr,
                                 .hint = number.hint};
        addRow(
            schema, canvas::fieldLabel(schema.name),
            QStringLiteral("estimator.%1.%2").arg(QLatin1String(number.section), QLatin1String(number.name)),
            [&number](const RunSpec& run) {
                EstimatorSpec estimator = run.estimator.value_or(EstimatorSpec());
                return read(number, estimator);
            },
            [&number](RunSpec& run, const FieldValue& given) {
                if (run.estimator) write(number, *run.estimator, given);
            });
    }
}

void ModelProperties::buildExporters() {
    for (const Exporter& exporter : kExporters) {
        const std::string class_name = exporter.class_name;
        const FieldSchema schema{.name = snakeCase(class_name), .kind = FieldKind::kBool, .fallback = false, .hint = exporter.hint};
        addRow(
            schema, canvas::fieldLabel(schema.name), QStringLiteral("estimator.eval_spec.") + QString::fromStdString(schema.name),
            [class_name](const RunSpec& run) { return FieldValue(run.estimator && exports(*run.estimator, class_name)); },
            [class_name](RunSpec& run, const FieldValue& given) {
                if (run.estimator) setExports(*run.estimator, class_name, std::get<bool>(given));
            });
    }
}

}  // namespace ui::views
