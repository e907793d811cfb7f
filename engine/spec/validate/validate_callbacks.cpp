#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/monitor_direction.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/optimizer_table.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/events/checkpoint_list.h"
#include "engine/spec/names.h"
#include "engine/spec/number_format.h"
#include "engine/spec/project/logged_metrics.h"
#include "engine/spec/validate/validate_parts.h"

namespace engine::spec {
namespace {

std::string namesText(const std::set<std::string>& names) {
    return oneOf(std::vector<std::string>(names.begin(), names.end()));
}

// A log among files that come and go with checkpoints would go with them.
void checkLogPath(const std::string& file, const std::string& path, const std::string& fix, Diagnostics& diagnostics) {
    checkRunFile(file, path, fix, diagnostics);
    const std::string first = file.empty() ? "" : std::filesystem::path(file).lexically_normal().begin()->string();
    if (first == "checkpoints" || first == "backup") {
        diagnostics.push_back({Severity::kError, path,
                               "expected a file outside of checkpoints and backup, which hold the run's own, got \"" + file + "\"", fix});
    }
}

// Names between braces as Python's format() takes them: {epoch}, {val_loss:.2f}.
void checkPlaceholders(const std::string& text, const std::set<std::string>& names, const std::string& path, Diagnostics& diagnostics) {
    for (std::size_t at = text.find_first_of("{}"); at != std::string::npos; at = text.find_first_of("{}", at)) {
        if (at + 1 < text.size() && text[at + 1] == text[at]) {
            at += 2;  // doubled: the brace itself
            continue;
        }
        const std::size_t end = text[at] == '{' ? text.find('}', at) : std::string::npos;
        if (end == std::string::npos) {
            diagnostics.push_back({Severity::kError, path, "expected every { with its }, got \"" + text + "\"", ""});
            return;
        }
        const std::string inside = text.substr(at + 1, end - at - 1);
        const std::string name = inside.substr(0, inside.find(':'));
        if (!names.contains(name)) {
            diagnostics.push_back({Severity::kError, path, "expected " + namesText(names) + " between braces, got " + name, ""});
        } else if (const std::size_t colon = inside.find(':');
                   colon != std::string::npos && !isNumberFormat(inside.substr(colon + 1), name == "epoch" || name == "batch")) {
            diagnostics.push_back({Severity::kError, path,
                                   "expected a format like 02d or .4f of " + name + ", got \"" + inside.substr(colon + 1) + "\"", ""});
        }
        at = end + 1;
    }
}

void checkMonitor(const RunSpec& run, const Settings& settings, const std::string& path, Diagnostics& diagnostics) {
    const std::set<std::string> logged = monitoredNames(run);
    const std::string monitor = settings.getString("monitor");
    if (!logged.contains(monitor)) {
        diagnostics.push_back({Severity::kError, path + ".monitor", "expected " + namesText(logged) + ", got " + monitor, ""});
    } else if (settings.getString("mode") == "auto" && !betterDirection(monitor)) {
        diagnostics.push_back(
            {Severity::kError, path + ".mode", "expected min or max for " + monitor + ", whose name does not tell, got auto", ""});
    }
}

// A callback that sets the rate cannot stand beside a schedule that does.
void checkPlainRate(const RunSpec& run, const std::string& path, Diagnostics& diagnostics) {
    if (run.compile.optimizer.config.getObject("learning_rate") != nullptr) {
        diagnostics.push_back({Severity::kError, path,
                               "expected a learning rate that is a number beside a callback that sets it, got a schedule in the optimizer",
                               "Remove the callback or set compile.optimizer.learning_rate to a number."});
    }
}

// Keras' rule for its own formats; every other name is the prefix of a checkpoint in TensorFlow's.
void checkEnding(const std::string& file, bool weights_only, const std::string& path, Diagnostics& diagnostics) {
    const bool weights = file.ends_with(".weights.h5");
    const bool model = !weights && (file.ends_with(".keras") || file.ends_with(".h5"));
    if (weights_only ? model : weights) {
        const std::string ending = weights_only ? ".weights.h5 with" : ".keras or .h5 without";
        diagnostics.push_back(
            {Severity::kError, path, "expected the ending " + ending + " save_weights_only, or none, got \"" + file + "\"", ""});
    }
}

bool validatesEveryEpoch(const FitSpec& fit) {
    const std::vector<std::int64_t>& listed = fit.validation_epochs;
    if (listed.empty()) return fit.validation_freq <= 1;
    for (std::int64_t epoch = fit.initial_epoch + 1; epoch <= fit.epochs; ++epoch) {
        if (std::find(listed.begin(), listed.end(), epoch) == listed.end()) return false;
    }
    return true;
}

void checkModelCheckpoint(const RunSpec& run, const ObjectSpec& callback, const Settings& settings, const std::string& path,
                          Diagnostics& diagnostics) {
    const std::set<std::string> logged = monitoredNames(run);
    const std::string file = settings.getString("filepath");
    std::set<std::string> placeholders = logged;
    const FieldValue* save_freq = callback.config.find("save_freq");
    const bool saves_within_epochs = save_freq != nullptr && std::holds_alternative<std::int64_t>(*save_freq);
    // What is not known whenever a file is named names none.
    if (saves_within_epochs || !validatesEveryEpoch(run.fit)) {
        std::erase_if(placeholders, [](const std::string& name) { return name.starts_with("val_"); });
    }
    placeholders.insert("epoch");
    if (saves_within_epochs) placeholders.insert("batch");
    checkRunFile(file, path + ".filepath", "Write checkpoints/ckpt_{epoch}.", diagnostics);
    checkEnding(file, settings.getBool("save_weights_only"), path + ".filepath", diagnostics);
    checkPlaceholders(file, placeholders, path + ".filepath", diagnostics);
    if (settings.getBool("save_best_only")) {
        checkMonitor(run, settings, path, diagnostics);
    }
}

void checkReduceLr(const RunSpec& run, const Settings& settings, const std::string& path, Diagnostics& diagnostics) {
    checkMonitor(run, settings, path, diagnostics);
    const double factor = settings.getDouble("factor");
    if (factor >= 1) {
        diagnostics.push_back({Severity::kError, path + ".factor", "expected a number below 1, got " + valueText(factor), ""});
    }
    checkPlainRate(run, path, diagnostics);
}

void checkScheduler(const Settings& settings, const std::string& path, Diagnostics& diagnostics) {
    const std::vector<std::int64_t> epochs = settings.getInts("epochs");
    const std::vector<double> rates = settings.getDoubles("rates");
    if (epochs.empty()) {
        diagnostics.push_back({Severity::kError, path + ".epochs", "expected at least one epoch, got none", ""});
    }
    if (rates.size() != epochs.size()) {
        diagnostics.push_back(
            {Severity::kError, path + ".rates",
             "expected one rate for each of the " + std::to_string(epochs.size()) + " epochs, got " + std::to_string(rates.size()), ""});
    }
    if (std::adjacent_find(epochs.begin(), epochs.end(), std::greater_equal<>()) != epochs.end()) {
        diagnostics.push_back({Severity::kError, path + ".epochs", "expected rising epochs, got " + valueText(epochs), ""});
    }
}

void checkCsvLogger(const Settings& settings, const std::string& path, Diagnostics& diagnostics) {
    checkLogPath(settings.getString("filename"), path + ".filename", "Write training.csv.", diagnostics);
    const std::string separator = settings.getString("separator");
    if (separator.size() != 1) {
        diagnostics.push_back({Severity::kError, path + ".separator", "expected one character, got \"" + separator + "\"", ""});
    }
}

// Without moving averages there is nothing to exchange. The setting that would mend it is the optimizer's.
void checkAverages(const RunSpec& run, Diagnostics& diagnostics) {
    const std::vector<OptimizerSlot> slots = commonSlots(run.compile.optimizer);
    if (std::none_of(slots.begin(), slots.end(), [](const OptimizerSlot& slot) { return slot.name == "average"; })) {
        diagnostics.push_back({Severity::kError, "compile.optimizer.use_ema", "expected true beside the callback SwapEMAWeights, got false",
                               "Set it to true or remove the callback."});
    }
}

}  // namespace

void checkRunFile(const std::string& file, const std::string& path, const std::string& fix, Diagnostics& diagnostics) {
    const bool climbs = file == ".." || file.starts_with("../") || file.find("/../") != std::string::npos || file.ends_with("/..");
    const bool has_end = file.find('\0') != std::string::npos;
    if (file.empty() || file.front() == '/' || climbs || has_end || file.back() == '/') {
        diagnostics.push_back({Severity::kError, path, "expected a file below the run's folder, got \"" + file + "\"", fix});
        return;
    }
    const std::string first = std::filesystem::path(file).lexically_normal().begin()->string();
    const bool is_taken = first == "project.tandem" || first == "run.json" || first == "finished.json" || first == "lock" ||
                          first == kCheckpointListFile || first == "journal" || first == "journal.lock" || first.starts_with("journal-");
    if (is_taken) {
        diagnostics.push_back({Severity::kError, path,
                               "expected a name beside the run's own files (project.tandem, run.json, finished.json, checkpoints.jsonl, "
                               "journal, lock), got \"" +
                                   file + "\"",
                               fix});
    }
}

void validateCallbacks(const RunSpec& run, Diagnostics& diagnostics) {
    std::set<std::string> taken;
    for (const ObjectSpec& callback : run.callbacks) {
        const std::string path = "callbacks." + snakeCase(callback.class_name);
        if (!taken.insert(callback.class_name).second) {
            diagnostics.push_back(
                {Severity::kError, path, "expected every callback once, got " + callback.class_name + " a second time", ""});
        }
        const ObjectSchema* schema = findSchema(callbackSchemas(), callback.class_name);
        if (schema == nullptr) {
            std::vector<std::string> known;
            for (const ObjectSchema& row : callbackSchemas()) {
                known.push_back(snakeCase(row.class_name));
            }
            diagnostics.push_back({Severity::kError, path, "expected " + oneOf(known) + ", got " + snakeCase(callback.class_name), ""});
            continue;
        }
        const std::size_t before = diagnostics.size();
        reportFields(callback.config, schema->fields, path, diagnostics);
        if (diagnostics.size() != before) {
            continue;
        }
        const Settings settings(schema->fields, callback.config);
        if (callback.class_name == "ModelCheckpoint") checkModelCheckpoint(run, callback, settings, path, diagnostics);
        if (callback.class_name == "LearningRateScheduler") {
            checkScheduler(settings, path, diagnostics);
            checkPlainRate(run, path, diagnostics);
        }
        if (callback.class_name == "EarlyStopping") checkMonitor(run, settings, path, diagnostics);
        if (callback.class_name == "ReduceLROnPlateau") checkReduceLr(run, settings, path, diagnostics);
        if (callback.class_name == "TensorBoard")
            checkRunFile(settings.getString("log_dir"), path + ".log_dir", "Write logs.", diagnostics);
        if (callback.class_name == "BackupAndRestore") {
            checkRunFile(settings.getString("backup_dir"), path + ".backup_dir", "Write backup.", diagnostics);
        }
        if (callback.class_name == "SwapEMAWeights") checkAverages(run, diagnostics);
        if (callback.class_name == "CSVLogger") checkCsvLogger(settings, path, diagnostics);
    }
}

}  // namespace engine::spec
