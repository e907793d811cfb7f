#include "engine/spec/keras/code/estimator_statements.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/keras/code/estimators/canned_names.h"
#include "engine/spec/keras/code/estimators/session_words.h"
#include "engine/spec/project/feature_columns.h"
#include "engine/spec/project/object_reader.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::spec::code {
namespace {

// numeric_column('x', shape=(2, 3)) has six numbers.
std::optional<std::int64_t> widthOf(const Node& column) {
    if (lastPart(calledName(column)) != "numeric_column") return std::nullopt;
    std::int64_t width = 1;
    for (std::size_t i = 0; i < column.keywords.size(); ++i) {
        if (column.keywords[i] != "shape" && !(i == 1 && column.keywords[i].empty())) continue;
        const Node& shape = column.items[i + 1];
        if (shape.kind == Node::Kind::kInt) return shape.whole;
        for (const Node& size : shape.items) width *= size.kind == Node::Kind::kInt ? size.whole : 1;
    }
    return width;
}

// The arguments of tf.feature_column's functions by position.
std::vector<std::string> columnArguments(std::string_view function) {
    if (function == "numeric_column") return {"key", "shape", "default_value", "dtype", "normalizer_fn"};
    if (function == "bucketized_column") return {"source_column", "boundaries"};
    if (function == "indicator_column") return {"categorical_column"};
    if (function == "categorical_column_with_hash_bucket") return {"key", "hash_bucket_size", "dtype"};
    if (function == "categorical_column_with_identity") return {"key", "num_buckets", "default_value"};
    if (function == "categorical_column_with_vocabulary_list")
        return {"key", "vocabulary_list", "dtype", "default_value", "num_oov_buckets"};
    return {};
}

std::optional<std::vector<double>> boundariesOf(const Node* list) {
    std::vector<double> numbers;
    for (const Node& one : list == nullptr ? std::vector<Node>() : list->items) {
        if (!one.isNumber()) return std::nullopt;
        numbers.push_back(one.number());
    }
    return numbers.empty() ? std::nullopt : std::optional(std::move(numbers));
}

std::optional<std::vector<std::string>> vocabularyOf(const Node* list) {
    std::vector<std::string> texts;
    for (const Node& one : list == nullptr ? std::vector<Node>() : list->items) {
        if (one.kind != Node::Kind::kText && one.kind != Node::Kind::kInt) return std::nullopt;
        texts.push_back(one.kind == Node::Kind::kText ? one.text : std::to_string(one.whole));
    }
    return texts.empty() ? std::nullopt : std::optional(std::move(texts));
}

// A column of tf.feature_column as the project names it, around indicator_column or not; nullopt for one that is not known here, or whose
// numbers the text does not give. `notes` hears of arguments that a project has no place for.
std::optional<ObjectSpec> columnOf(const Node& call, NoteList& notes) {
    const std::string name(lastPart(calledName(call)));
    const std::vector<std::string> names = columnArguments(name);
    if (names.empty()) return std::nullopt;
    std::map<std::string, const Node*> given;
    std::vector<ArgumentFault> faults;
    for (const Argument& argument : namedArguments(call, names, faults)) {
        const Node& value = *argument.value;
        const bool is_usual = value.kind == Node::Kind::kNone || (value.kind == Node::Kind::kInt && value.whole == -1);
        const bool is_known = std::find(names.begin(), names.end(), argument.name) != names.end();
        const bool has_no_place = !is_known || argument.name == "default_value" || argument.name == "normalizer_fn";
        if (has_no_place && !is_usual)
            notes.add(Severity::kWarning, value, "expected no argument " + argument.name + " of " + name + ", got one");
        given[argument.name] = &value;
    }
    for (const ArgumentFault& fault : faults) notes.add(Severity::kWarning, fault.fault);
    const auto argument = [&](const std::string& keyword) {
        const auto found = given.find(keyword);
        return found == given.end() ? nullptr : found->second;
    };
    const Node* source = argument(names.front());
    if (source == nullptr) return std::nullopt;
    if (name == "indicator_column") return columnOf(*source, notes);
    if (name == "bucketized_column") {
        std::optional<ObjectSpec> column = columnOf(*source, notes);
        std::optional<std::vector<double>> boundaries = boundariesOf(argument("boundaries"));
        if (!column || !boundaries || column->config.find("shape") != nullptr) return std::nullopt;  // buckets of several numbers
        column->class_name = "BucketizedColumn";
        column->config.set("boundaries", *std::move(boundaries));
        return column;
    }
    if (source->kind != Node::Kind::kText) return std::nullopt;
    ObjectSpec column{"NumericColumn", {{"key", source->text}}};
    if (name == "numeric_column") {
        if (const auto numbers = widthOf(call); numbers && *numbers != 1) column.config.set("shape", *numbers);
        return column;
    }
    if (name == "categorical_column_with_vocabulary_list") {
        std::optional<std::vector<std::string>> vocabulary = vocabularyOf(argument("vocabulary_list"));
        if (!vocabulary) return std::nullopt;
        column.class_name = "CategoricalColumnWithVocabularyList";
        column.config.set("vocabulary_list", *std::move(vocabulary));
        const Node* others = argument("num_oov_buckets");
        if (others != nullptr && others->kind == Node::Kind::kInt && others->whole > 0) column.config.set("num_oov_buckets", others->whole);
        return column;
    }
    const bool hashes = name == "categorical_column_with_hash_bucket";
    const char* size = hashes ? "hash_bucket_size" : "num_buckets";
    const Node* buckets = argument(size);
    if (buckets == nullptr || buckets->kind != Node::Kind::kInt) return std::nullopt;
    column.class_name = hashes ? "CategoricalColumnWithHashBucket" : "CategoricalColumnWithIdentity";
    column.config.set(size, buckets->whole);
    return column;
}

// The columns that a list names, or lists that are added to each other.
void listColumns(const Node& list, std::vector<const Node*>& columns, std::vector<const Node*>& others) {
    if (list.kind == Node::Kind::kOperation && list.text == "+") {
        for (const Node& part : list.items) listColumns(part, columns, others);
    } else if (list.kind == Node::Kind::kList || list.kind == Node::Kind::kTuple) {
        for (const Node& column : list.items) columns.push_back(&column);
    } else {
        others.push_back(&list);
    }
}

// The arguments of a canned estimator by position.
std::vector<std::string> cannedArguments(const std::string& name) {
    const char* size = isClassifier(name) ? "n_classes" : "label_dimension";
    std::vector<std::string> names{"feature_columns", "model_dir", size, "weight_column"};
    if (!isLinear(name)) names.insert(names.begin(), "hidden_units");
    if (isClassifier(name)) names.emplace_back("label_vocabulary");
    names.emplace_back("optimizer");
    if (!isLinear(name)) names.insert(names.end(), {"activation_fn", "dropout"});
    names.insert(names.end(), {"config", "warm_start_from", "loss_reduction", isLinear(name) ? "sparse_combiner" : "batch_norm"});
    return names;
}

// An argument that a project has no place for says nothing where it says what TensorFlow does without it, or where something is stored.
bool isUsual(const std::string& argument, const Node& value) {
    if (value.kind == Node::Kind::kNone || argument == "model_dir" || argument == "config") return true;
    if (argument == "label_dimension") return value.kind == Node::Kind::kInt && value.whole == 1;
    if (argument == "sparse_combiner") return value.text == "sum";
    const std::string_view reduction = lastPart(value.text);
    return argument == "loss_reduction" && (reduction == "SUM_OVER_BATCH_SIZE" || reduction == "sum_over_batch_size");
}

// "tanh" of tf.nn.tanh, tf.keras.activations.tanh and 'tanh', "linear" of None; empty for another one.
std::string activationOf(const Node& value) {
    if (value.kind == Node::Kind::kNone || lastPart(value.text) == "identity") return "linear";
    if (value.kind != Node::Kind::kName && value.kind != Node::Kind::kText) return {};
    const std::vector<FieldSchema>& fields = *fieldsOf(Family::kLayer, "Dense");
    const auto field = std::find_if(fields.begin(), fields.end(), [](const FieldSchema& row) { return row.name == "activation"; });
    const std::string name(lastPart(value.text));
    const bool is_known = std::find(field->choices.begin(), field->choices.end(), name) != field->choices.end();
    return is_known ? name : std::string();
}

LayerSpec dense(std::int64_t units, const std::string& name, bool zeros, const std::string& activation) {
    LayerSpec layer{"Dense", name, {{"units", units}}};
    if (!activation.empty()) layer.config.set("activation", activation);
    if (zeros) layer.config.set("kernel_initializer", ObjectBox(ObjectSpec{"Zeros", {}}));
    return layer;
}

}  // namespace

std::vector<std::string> estimatorArguments(std::string_view verb) {
    if (verb == "RunConfig") {
        return {"model_dir",
                "tf_random_seed",
                "save_summary_steps",
                "save_checkpoints_steps",
                "save_checkpoints_secs",
                "session_config",
                "keep_checkpoint_max",
                "keep_checkpoint_every_n_hours",
                "log_step_count_steps",
                "train_distribute",
                "device_fn",
                "protocol",
                "eval_distribute",
                "experimental_distribute",
                "experimental_max_worker_delay_secs",
                "session_creation_timeout_secs"};
    }
    if (verb == "TrainSpec") return {"input_fn", "max_steps", "hooks", "saving_listeners"};
    if (verb == "EvalSpec") return {"input_fn", "steps", "name", "hooks", "exporters", "start_delay_secs", "throttle_secs"};
    if (verb == "train") return {"input_fn", "hooks", "steps", "max_steps", "saving_listeners"};
    if (verb == "evaluate") return {"input_fn", "steps", "hooks", "checkpoint_path", "name"};
    return {};
}

// The estimator that the statements fill. What a whole program leaves out is at TensorFlow's default; how often the input repeats is told
// by the data.
EstimatorSpec& EstimatorStatements::spec() {
    RunSpec& run = reading_.run;
    const bool anew = !std::exchange(begun_, true) && absent_ == AbsentArguments::kDefault;
    if (!run.estimator || anew) {
        const EstimatorSpec before = run.estimator.value_or(EstimatorSpec());
        repeats_before_ = before.train_spec.input_repeats;
        run.estimator.emplace().name = before.name;
        run.fit.steps = 0;  // TrainSpec says them
    }
    return *run.estimator;
}

bool EstimatorStatements::read(const LogicalLine& line, const Node& call) {
    const std::string verb(lastPart(calledName(call)));
    const auto takesInput = [&] {
        return std::any_of(call.keywords.begin(), call.keywords.end(), [](const std::string& name) { return name == "input_fn"; });
    };
    const auto known = [&] {
        reading_.estimator[verb] = linesOf(line);
        return true;
    };
    if (verb == "RunConfig") {
        readRunConfig(call);
        return known();
    }
    if (verb == "TrainSpec") {
        readTrainSpec(call);
        return known();
    }
    if (verb == "EvalSpec") {
        readEvalSpec(call);
        return known();
    }
    if (verb == "train" && takesInput()) {
        readTrainSpec(call);
        return known();
    }
    if (verb == "evaluate" && takesInput()) {
        readEvalSpec(call);
        return known();
    }
    if (isCanned(verb)) {
        readCanned(line, call, verb);
        return known();
    }
    if (verb == "Estimator" || verb == "model_to_estimator") {
        if (verb == "Estimator") spec().name = verb;
        spec();
        return known();
    }
    if (verb == "EstimatorSpec") {
        sayLeftOut(call, {"mode", "predictions", "loss", "train_op", "eval_metric_ops", "export_outputs", "training_chief_hooks",
                          "training_hooks", "scaffold", "evaluation_hooks", "prediction_hooks"});
        return false;
    }
    if (verb == "train_and_evaluate") {
        spec();
        return known();
    }
    return false;
}

bool EstimatorStatements::sayLeftOut(const std::string& argument, const Node& value) {
    const std::string words = wordsOfSession(argument, value);
    if (!words.empty()) notes_.add(Severity::kWarning, value, words);
    return isOfSession(argument);
}

void EstimatorStatements::sayLeftOut(const Node& call, const std::vector<std::string>& positional) {
    std::vector<ArgumentFault> faults;  // the call is no part of a project
    for (const Argument& argument : namedArguments(call, positional, faults)) sayLeftOut(argument.name, *argument.value);
}

template <typename Read>
void EstimatorStatements::eachArgument(const Node& call, Read read) {
    const std::string verb(lastPart(calledName(call)));
    const std::vector<std::string> names = estimatorArguments(verb);
    std::vector<ArgumentFault> faults;
    for (const Argument& argument : namedArguments(call, names, faults)) {
        const Node& value = *argument.value;
        const bool is_known = isOfSession(argument.name) || std::find(names.begin(), names.end(), argument.name) != names.end();
        if (!is_known) notes_.add(Severity::kWarning, value, verb + ": expected an argument that is known here, got " + argument.name);
        const auto warn = [&](const std::string& expected) {
            notes_.add(Severity::kWarning, value, argument.name + ": expected " + expected + ", got " + nodeText(value));
        };
        if (!sayLeftOut(argument.name, value)) read(argument.name, value, warn);
    }
    for (const ArgumentFault& fault : faults) notes_.add(Severity::kWarning, fault.fault);
}

void EstimatorStatements::readRunConfig(const Node& call) {
    RunConfigSpec& config = spec().run_config;
    if (absent_ == AbsentArguments::kDefault) config = {};
    bool steps_are_none = false, secs_are_none = false;
    train_distribute_.reset();
    eval_distribute_.reset();
    eachArgument(call, [&](const std::string& name, const Node& value, const auto& warn) {
        const bool none = value.kind == Node::Kind::kNone;
        const auto whole = [&](std::int64_t& target, std::int64_t of_none) {
            if (none) {
                target = of_none;
            } else if (value.kind == Node::Kind::kInt) {
                target = value.whole;
            } else {
                warn("a whole number");
            }
        };
        if (name == "save_summary_steps") {
            whole(config.save_summary_steps, 0);
        } else if (name == "save_checkpoints_steps") {
            steps_are_none = none;
            config.save_checkpoints_steps.reset();
            if (!none) whole(config.save_checkpoints_steps.emplace(), 0);
        } else if (name == "save_checkpoints_secs") {
            secs_are_none = none;
            config.save_checkpoints_secs.reset();
            if (value.isNumber()) {
                config.save_checkpoints_secs = value.number();
            } else if (!none) {
                warn("a number");
            }
        } else if (name == "keep_checkpoint_max") {
            whole(config.keep_checkpoint_max, 0);
        } else if (name == "log_step_count_steps") {
            whole(config.log_step_count_steps, 0);
        } else if (name == "keep_checkpoint_every_n_hours") {
            if (value.isNumber()) config.keep_checkpoint_every_n_hours = value.number();
        } else if (name == "experimental_max_worker_delay_secs") {
            config.experimental_max_worker_delay_secs.reset();
            if (value.isNumber()) {
                config.experimental_max_worker_delay_secs = value.number();
            } else if (!none) {
                warn("a number");
            }
        } else if (name == "tf_random_seed" && !none) {
            whole(config.tf_random_seed.emplace(), 0);
        } else {
            readDistribution(name, value);
        }
    });
    config.saves_checkpoints = !(steps_are_none && secs_are_none);
}

void EstimatorStatements::readDistribution(const std::string& argument, const Node& value) {
    if (argument == "train_distribute") {
        train_distribute_ = value.kind == Node::Kind::kNone ? std::nullopt : std::optional(value);
        const std::string_view name = lastPart(calledName(value));
        if (name.ends_with("Strategy") && findStrategy(name) == nullptr)
            notes_.add(Severity::kWarning, value, argument + ": expected a strategy that is known here, got " + nodeText(value));
    } else if (argument == "eval_distribute") {
        eval_distribute_ = value.kind == Node::Kind::kNone ? std::nullopt : std::optional(value);
    } else if (argument == "experimental_distribute" && lastPart(calledName(value)) == "DistributeConfig") {
        std::vector<ArgumentFault> faults;
        for (const Argument& one : namedArguments(value, {"train_distribute", "eval_distribute", "remote_cluster"}, faults))
            readDistribution(one.name, *one.value);
    }
}

void EstimatorStatements::readTrainSpec(const Node& call) {
    TrainSpec& train = spec().train_spec;
    if (absent_ == AbsentArguments::kDefault) train = {};
    eachArgument(call, [&](const std::string& name, const Node& value, const auto& warn) {
        if (name != "max_steps" && name != "steps") return;
        if (value.kind == Node::Kind::kInt) {
            train.max_steps = value.whole;
        } else if (value.kind != Node::Kind::kNone) {
            warn("a whole number");
        }
    });
}

void EstimatorStatements::readEvalSpec(const Node& call) {
    EvalSpec& eval = spec().eval_spec;
    if (absent_ == AbsentArguments::kDefault) eval = {};
    if (lastPart(calledName(call)) == "evaluate") eval.steps.reset();  // without a number it goes through the whole input
    eachArgument(call, [&](const std::string& name, const Node& value, const auto& warn) {
        if (name == "steps") {
            eval.steps.reset();
            if (value.kind == Node::Kind::kInt) {
                eval.steps = value.whole;
            } else if (value.kind != Node::Kind::kNone) {
                warn("a whole number");
            }
        } else if (name == "name" && value.kind == Node::Kind::kText) {
            eval.name = value.text;
        } else if (name == "start_delay_secs" && value.isNumber()) {
            eval.start_delay_secs = value.number();
        } else if (name == "throttle_secs" && value.isNumber()) {
            eval.throttle_secs = value.number();
        } else if (name == "exporters") {
            readExporters(value);
        }
    });
}

void EstimatorStatements::readExporters(const Node& list) {
    std::vector<ObjectSpec>& exporters = spec().eval_spec.exporters;
    exporters.clear();
    const std::vector<Node> one{list};
    const bool many = list.kind == Node::Kind::kList || list.kind == Node::Kind::kTuple;
    for (const Node& item : many ? list.items : one) {
        const std::string class_name(lastPart(calledName(item)));
        if (findSchema(exporterSchemas(), class_name) == nullptr) {
            if (item.kind != Node::Kind::kNone)
                notes_.add(Severity::kWarning, item, "expected an exporter that is known here, got " + nodeText(item));
            continue;
        }
        ObjectSpec exporter{class_name, {}};
        for (std::size_t i = 0; i < item.keywords.size(); ++i) {
            const Node& value = item.items[i + 1];
            const std::string& name = item.keywords[i].empty() && i == 0 ? std::string("name") : item.keywords[i];
            if (name == "name" && value.kind == Node::Kind::kText) exporter.config.set(name, value.text);
            if (name == "exports_to_keep" && value.kind == Node::Kind::kInt) exporter.config.set(name, value.whole);
        }
        exporters.push_back(std::move(exporter));
    }
}

void EstimatorStatements::readColumns(const Node& list) {
    columns_.clear();
    std::vector<const Node*> columns, others;
    listColumns(list, columns, others);
    for (const Node* other : others) {
        notes_.add(Severity::kWarning, *other, "feature_columns: expected a list of columns, got " + nodeText(*other));
    }
    if (columns.empty() && others.empty())
        notes_.add(Severity::kWarning, list, "feature_columns: expected columns that the text lists, got none");
    for (const Node* column : columns) {
        if (std::optional<ObjectSpec> feature = columnOf(*column, notes_)) {
            columns_.push_back(*std::move(feature));
        } else {
            notes_.add(
                Severity::kWarning, *column,
                "feature_columns: expected numeric, bucketized or categorical columns that are known here, got " + nodeText(*column));
        }
    }
}

void EstimatorStatements::readCannedArgument(const std::string& argument, const Node& value, Canned& canned) {
    const auto warn = [&](const std::string& expected) {
        notes_.add(Severity::kWarning, value, argument + ": expected " + expected + ", got " + nodeText(value));
    };
    if (argument == "feature_columns") {
        readColumns(value);
    } else if (argument == "hidden_units") {
        canned.hidden.clear();
        for (const Node& units : value.items) {
            if (units.kind != Node::Kind::kInt) return warn("a list of whole numbers");
            canned.hidden.push_back(units.whole);
        }
        if (value.kind != Node::Kind::kList && value.kind != Node::Kind::kTuple) warn("a list of whole numbers");
    } else if (argument == "n_classes") {
        value.kind == Node::Kind::kInt ? void(canned.classes = value.whole) : warn("a whole number");
    } else if (argument == "dropout" && value.kind != Node::Kind::kNone) {
        value.isNumber() ? void(canned.dropout = value.number()) : warn("a number");
    } else if (argument == "activation_fn") {
        const std::string activation = activationOf(value);
        activation.empty() ? warn("an activation that is known here") : void(canned.activation = activation);
    } else if (argument == "batch_norm" && value.kind == Node::Kind::kBool) {
        canned.normalizes = value.flag;
    } else if (argument == "optimizer") {
        // A function without arguments that makes one, as TensorFlow 1's estimators take it.
        const bool is_made = value.kind == Node::Kind::kLambda && value.items.size() == 1;
        const Node& made = is_made ? value.items[0] : value;
        const std::string class_name =
            classOf(Family::kOptimizer, made.kind == Node::Kind::kText ? std::string_view(made.text) : calledName(made));
        if (!isKnown(Family::kOptimizer, class_name)) return warn("an optimizer that is known here");
        if (made.kind == Node::Kind::kText) {
            canned.optimizer = ObjectSpec{class_name, {{"learning_rate", isLinear(canned.name) ? kLinearRate : kDnnRate}}};
            return;
        }
        std::vector<ArgumentFault> faults;  // said where the optimizer is read as one of the text's own
        Diagnostics diagnostics;
        const Json json = objectCallJson(made, Family::kOptimizer, faults);
        canned.optimizer = ObjectSpec{class_name, readFields(json["config"], class_name, diagnostics)};
    } else if (!isUsual(argument, value)) {
        notes_.add(Severity::kWarning, value, canned.name + ": expected an argument that is known here, got " + argument);
    }
}

// The model, the loss and the optimizer that TensorFlow's estimator of that name makes.
void EstimatorStatements::readCanned(const LogicalLine& line, const Node& call, const std::string& name) {
    spec().name = name;
    RunSpec& run = reading_.run;
    Canned canned{.name = name};
    canned_at_ = {call.line, call.column};
    std::vector<ArgumentFault> faults;
    for (const Argument& argument : namedArguments(call, cannedArguments(name), faults))
        readCannedArgument(argument.name, *argument.value, canned);
    for (const ArgumentFault& fault : faults) notes_.add(Severity::kWarning, fault.fault);
    if (!canned.optimizer) {
        canned.optimizer = ObjectSpec{isLinear(name) ? "Ftrl" : "Adagrad", {{"learning_rate", usualRate(name, columns_.size())}}};
    }
    ModelSpec model;
    model.name = run.model.name;
    model.input_shape = {std::max<std::int64_t>(1, featureWidth(columns_))};
    for (std::size_t i = 0; i < canned.hidden.size(); ++i) {
        const std::string number = i == 0 ? std::string() : "_" + std::to_string(i);
        model.layers.push_back(dense(canned.hidden[i], "dense" + number, false, canned.activation));
        if (canned.dropout > 0) model.layers.push_back({"Dropout", "dropout" + number, {{"rate", canned.dropout}}});
        if (canned.normalizes) model.layers.push_back({"BatchNormalization", "batch_normalization" + number, {{"momentum", kDnnMomentum}}});
    }
    const bool many = isClassifier(name) && canned.classes > 2;
    const std::size_t layers = canned.hidden.size();
    model.layers.push_back(dense(many ? canned.classes : 1, layers == 0 ? "dense" : "dense_" + std::to_string(layers), isLinear(name), ""));
    run.model = std::move(model);
    run.compile.optimizer = *std::move(canned.optimizer);
    run.compile.metrics.clear();
    run.compile.loss = {"MeanSquaredError", {}};
    if (isClassifier(name)) {
        run.compile.loss = {many ? "SparseCategoricalCrossentropy" : "BinaryCrossentropy", {{"from_logits", true}}};
        run.compile.metrics = {many ? MetricSpec("accuracy") : MetricSpec("BinaryAccuracy", {{"threshold", 0.0}, {"name", "accuracy"}})};
    }
    reading_.model = {linesOf(line)};
    reading_.compile = {linesOf(line)};
    reading_.own_loop = true;
}

// Applies the columns, which are cells of a table or features of records. With another set the one numeric column is the sample; more than
// that is lost.
void EstimatorStatements::finishColumns() {
    const std::string& dataset = reading_.run.data.dataset;
    if (dataset == "csv" || dataset == "tfrecord") {
        reading_.run.data.feature_columns = columns_;
        reading_.run.data.csv.features.clear();  // of the columns that the reader selects the estimator takes these
    } else if (columns_.size() > 1 || columns_.front().class_name != "NumericColumn") {
        notes_.add(Severity::kWarning, {canned_at_.line, canned_at_.line}, canned_at_.column,
                   "feature_columns: expected data with columns (csv or tfrecord), got " + dataset + ": its samples stay as they are");
    }
}

void EstimatorStatements::finish() {
    if (!begun_) {
        if (absent_ == AbsentArguments::kDefault && !reading_.fit.empty()) reading_.run.estimator.reset();
        return;
    }
    if (!columns_.empty()) finishColumns();
    if (!reading_.data.empty()) {
        spec().train_spec.input_repeats = reading_.data_passes;
    } else if (repeats_before_) {
        spec().train_spec.input_repeats = *repeats_before_;
    }
}

}  // namespace engine::spec::code
