#include "engine/spec/keras/code/fit_statements.h"

#include <algorithm>
#include <utility>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/keras/checkpoint_path.h"
#include "engine/spec/keras/code/data_code.h"
#include "engine/spec/keras/code/fit_numbers.h"
#include "engine/spec/keras/code/model_code.h"
#include "engine/spec/keras/code/object_calls.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/object_reader.h"

namespace engine::spec::code {
namespace {

constexpr std::string_view kScheduler = "LearningRateScheduler", kCheckpoint = "ModelCheckpoint";

void setTable(ObjectSpec& scheduler, const RateFunction& function) {
    for (const auto& [field, value] : function.table.entries()) scheduler.config.set(field, value);
}

}  // namespace

// fit() counts over all replicas; a project keeps the batch of one.
template <typename Warn>
void FitStatements::readBatchSize(const Node& value, Warn warn) {
    const auto tasks = static_cast<std::int64_t>(reading_.run.cluster.spec.trainingTaskCount());
    const auto devices = static_cast<std::int64_t>(devicesOf(reading_.run.strategy).size());
    const std::int64_t replicas = std::max<std::int64_t>(1, tasks) * std::max<std::int64_t>(1, devices);
    if (value.kind == Node::Kind::kInt && value.whole > 0 && value.whole % replicas == 0) {
        reading_.run.data.batch_size_per_replica = value.whole / replicas;
    } else if (value.kind != Node::Kind::kNone) {
        warn("expected a multiple of the " + std::to_string(replicas) + " replicas, got " + nodeText(value));
    }
}

template <typename Warn>
void FitStatements::readClassWeights(const Node& value, Warn warn) {
    if (value.kind == Node::Kind::kNone) return;
    if (value.kind != Node::Kind::kDict) return warn("expected a dictionary of weights by class, got " + nodeText(value));
    std::vector<std::pair<std::int64_t, double>> weights;
    for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
        const Node &label = value.items[i], &weight = value.items[i + 1];
        if (label.kind != Node::Kind::kInt || !weight.isNumber()) {
            return warn("expected whole numbers as classes and numbers as their weights, got " + nodeText(label) + ": " + nodeText(weight));
        }
        weights.emplace_back(label.whole, weight.number());
    }
    std::sort(weights.begin(), weights.end());
    reading_.run.fit.class_weight = std::move(weights);
}

void FitStatements::readFit(const LogicalLine& line, const Node& call, bool knows_batch) {
    reading_.fit = {linesOf(line)};
    RunSpec& run = reading_.run;
    const FitSpec plain;
    if (absent_ == AbsentArguments::kDefault) {
        for (const auto& [name, field] : kFitNumbers) run.fit.*field = plain.*field;
        run.fit.class_weight.clear();
        clearCallbacks();
    }
    std::vector<ArgumentFault> faults;
    for (const Argument& argument : namedArguments(call, {"x", "y"}, faults)) {
        const Node& value = *argument.value;
        const auto number =
            std::find_if(kFitNumbers.begin(), kFitNumbers.end(), [&](const auto& row) { return row.first == argument.name; });
        const auto warn = [&](const std::string& message) { notes_.add(Severity::kWarning, value, argument.name + ": " + message); };
        if (number != kFitNumbers.end()) {
            if (value.kind == Node::Kind::kInt) {
                run.fit.*(number->second) = value.whole;
            } else if (value.kind != Node::Kind::kNone) {
                warn("expected a whole number, got " + nodeText(value));
            }
        } else if (argument.name == "batch_size") {
            if (value.kind == Node::Kind::kInt || !knows_batch) readBatchSize(value, warn);
        } else if (argument.name == "validation_split") {
            if (value.isNumber()) {
                run.data.validation_split = value.number();
            } else {
                warn("expected a number, got " + nodeText(value));
            }
        } else if (argument.name == "class_weight") {
            readClassWeights(value, warn);
        } else if (argument.name == "callbacks") {
            readCallbacks(value);
        } else if (argument.name != "x" && argument.name != "y" && argument.name != "verbose" && argument.name != "validation_data" &&
                   argument.name != "shuffle") {
            warn("expected an argument of fit that is known here, got this one");
        }
    }
    for (const ArgumentFault& fault : faults) notes_.add(Severity::kWarning, fault.fault);
}

// An autoencoder, which would be trained on the labels of its data instead.
void FitStatements::refuseOwnInput(const Node& call) {
    const Node *x = argumentOf(call, "x", 0), *y = argumentOf(call, "y", 1);
    if (x == nullptr || y == nullptr || x->kind != Node::Kind::kName || y->kind != Node::Kind::kName || x->text != y->text) return;
    notes_.add(Severity::kError, *y,
               "y: expected labels, got " + nodeText(*y) + ", the samples themselves: a model can't learn its own input here");
}

// The schedule of an earlier list counts no more either.
void FitStatements::clearCallbacks() {
    reading_.run.callbacks.clear();
    scheduler_.reset();
}

void FitStatements::readCallbacks(const Node& value) {
    if (value.kind == Node::Kind::kNone) return;
    if (value.kind != Node::Kind::kList && value.kind != Node::Kind::kTuple) {
        notes_.add(Severity::kWarning, value, "callbacks: expected a list of callbacks, got " + nodeText(value));
        return;
    }
    clearCallbacks();
    scheduler_asked_ = true;
    for (const Node& item : value.items) {
        const std::string class_name = classOf(Family::kCallback, calledName(item));
        const std::vector<FieldSchema>* fields = fieldsOf(Family::kCallback, class_name);
        if (fields == nullptr) {
            notes_.add(Severity::kWarning, item, "expected a callback that is known here, got " + nodeText(item));
            continue;
        }
        if (class_name == kScheduler) {
            scheduler_ = item;
            reading_.run.callbacks.push_back({class_name, {}});  // its table comes when every function was read
            continue;
        }
        std::vector<ArgumentFault> faults;
        const Json json = objectCallJson(item, Family::kCallback, faults);
        for (const ArgumentFault& fault : faults) notes_.add(Severity::kWarning, fault.fault);
        Diagnostics diagnostics;
        ObjectSpec callback{class_name, readFields(json["config"], class_name, diagnostics)};
        for (const Diagnostic& diagnostic : diagnostics) {
            notes_.add(Severity::kWarning, item, diagnostic.path + ": " + diagnostic.message);
        }
        cleanConfig(callback.config, Family::kCallback, class_name, class_name, item, reading_.notes);
        if (class_name == kCheckpoint) keepPrefix(callback);
        if (class_name == "PrintLR" && printed_ && callback.config.find("text") == nullptr) {
            const FieldSchema& text = findSchema(callbackSchemas(), class_name)->fields.front();
            if (FieldValue(*printed_) != text.fallback) callback.config.set(text.name, *printed_);
        }
        reading_.run.callbacks.push_back(std::move(callback));
    }
}

// The project's checkpoint that Keras would write to the same file as one with this config; nullptr: none.
const ObjectSpec* FitStatements::checkpointBefore(const Fields& config) {
    const bool weights_only = settingsOf(callbackSchemas(), kCheckpoint, config).getBool("save_weights_only");
    FilesBefore& files = files_before_[weights_only ? 1 : 0];
    if (!files.is_made) {
        files.is_made = true;
        for (const ObjectSpec& before : before_) {
            if (before.class_name != kCheckpoint) continue;
            Fields named{{"save_weights_only", weights_only}};
            if (const FieldValue* path = before.config.find("filepath")) named.set("filepath", *path);
            files.first.emplace(kerasFilepath(named), &before);
        }
    }
    const auto found = files.first.find(kerasFilepath(config));
    return found == files.first.end() ? nullptr : found->second;
}

// The ending that writing added for Keras is no change of the project.
void FitStatements::keepPrefix(ObjectSpec& checkpoint) {
    if (checkpoint.config.find("filepath") == nullptr) return;
    const ObjectSpec* before = checkpointBefore(checkpoint.config);
    if (before == nullptr) return;
    if (const FieldValue* path = before->config.find("filepath")) {
        checkpoint.config.set("filepath", *path);
    } else {
        checkpoint.config.erase("filepath");
    }
}

// The function that LearningRateScheduler is given; without a list of callbacks, the only one of this kind.
void FitStatements::finish() {
    CallbackSpecs& callbacks = reading_.run.callbacks;
    const auto placed = std::find_if(callbacks.begin(), callbacks.end(), [](const ObjectSpec& c) { return c.class_name == kScheduler; });
    if (!scheduler_) {
        if (scheduler_asked_ || functions_.size() != 1) return;
        const RateFunction& function = functions_.begin()->second;
        if (placed == callbacks.end()) {
            callbacks.push_back({std::string(kScheduler), function.table});
        } else {
            setTable(*placed, function);
        }
        reading_.schedule = {function.lines};
        reading_.rate_function = function.name;
        return;
    }
    const Node* argument = nullptr;
    for (std::size_t i = 0; i < scheduler_->keywords.size(); ++i) {
        const bool schedule = scheduler_->keywords[i] == "schedule" || (i == 0 && scheduler_->keywords[i].empty());
        if (schedule) argument = &scheduler_->items[i + 1];
        if (scheduler_->keywords[i] == "verbose" && scheduler_->items[i + 1].kind == Node::Kind::kInt &&
            scheduler_->items[i + 1].whole != 0) {
            placed->config.set("verbose", scheduler_->items[i + 1].whole);
        }
    }
    const std::string name = argument != nullptr && argument->kind == Node::Kind::kName ? argument->text : "";
    if (const auto found = functions_.find(name); found != functions_.end()) {
        setTable(*placed, found->second);
        reading_.schedule = {found->second.lines};
        reading_.rate_function = name;
        return;
    }
    std::string message =
        "expected a function of the epoch that returns rates, got " + (argument != nullptr ? nodeText(*argument) : "none");
    if (const auto other = other_functions_.find(name); other != other_functions_.end()) {
        message += " (line " + std::to_string(other->second.line) + ": " + other->second.message + ")";
    }
    notes_.add(Severity::kWarning, *scheduler_, message);
    callbacks.erase(placed);
}

void FitStatements::addFunction(RateFunction function) {
    functions_[function.name] = std::move(function);
}

}  // namespace engine::spec::code
