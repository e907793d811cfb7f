#include "engine/spec/keras/code/estimator_statements.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/project/feature_columns.h"
#include "engine/spec/project/object_reader.h"

namespace engine::spec::code {
namespace {

// Of TensorFlow's canned estimators: tensorflow_estimator/python/estimator/canned/{linear,dnn}.py.
constexpr double kLinearRate = 0.2, kDnnRate = 0.05;

bool isLinear(const std::string& name) {
    return name.starts_with("Linear");
}

bool isClassifier(const std::string& name) {
    return name.ends_with("Classifier");
}

bool isCanned(std::string_view name) {
    return name == "LinearRegressor" || name == "LinearClassifier" || name == "DNNRegressor" || name == "DNNClassifier";
}

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

// A column of tf.feature_column as the project names it, around indicator_column or not; nullopt for one that is not known here.
std::optional<ObjectSpec> columnOf(const Node& call) {
    const std::string_view name = lastPart(calledName(call));
    const auto argument = [&](std::string_view keyword, std::size_t place) -> const Node* {
        for (std::size_t i = 0; i < call.keywords.size(); ++i) {
            if (call.keywords[i] == keyword || (call.keywords[i].empty() && i == place)) return &call.items[i + 1];
        }
        return nullptr;
    };
    if (name == "indicator_column") {
        const Node* inner = argument("categorical_column", 0);
        return inner == nullptr ? std::nullopt : columnOf(*inner);
    }
    const Node* source = argument(name == "bucketized_column" ? "source_column" : "key", 0);
    if (source == nullptr) return std::nullopt;
    if (name == "bucketized_column") {
        std::optional<ObjectSpec> column = columnOf(*source);
        const Node* boundaries = argument("boundaries", 1);
        if (!column || boundaries == nullptr) return std::nullopt;
        std::vector<double> numbers;
        for (const Node& one : boundaries->items) numbers.push_back(one.number());
        column->class_name = "BucketizedColumn";
        if (column->config.find("shape") != nullptr) return std::nullopt;  // buckets of several numbers
        column->config.set("boundaries", numbers);
        return column;
    }
    if (source->kind != Node::Kind::kText) return std::nullopt;
    ObjectSpec column{"NumericColumn", {{"key", source->text}}};
    if (name == "numeric_column") {
        if (const auto numbers = widthOf(call); numbers && *numbers != 1) column.config.set("shape", *numbers);
        return column;
    }
    if (name == "categorical_column_with_hash_bucket") {
        const Node* buckets = argument("hash_bucket_size", 1);
        if (buckets == nullptr || buckets->kind != Node::Kind::kInt) return std::nullopt;
        column.class_name = "CategoricalColumnWithHashBucket";
        column.config.set("hash_bucket_size", buckets->whole);
        return column;
    }
    if (name == "categorical_column_with_identity") {
        const Node* buckets = argument("num_buckets", 1);
        if (buckets == nullptr || buckets->kind != Node::Kind::kInt) return std::nullopt;
        column.class_name = "CategoricalColumnWithIdentity";
        column.config.set("num_buckets", buckets->whole);
        return column;
    }
    const Node* vocabulary = name == "categorical_column_with_vocabulary_list" ? argument("vocabulary_list", 1) : nullptr;
    if (vocabulary == nullptr) return std::nullopt;
    std::vector<std::string> texts;
    for (const Node& one : vocabulary->items) texts.push_back(one.text);
    column.class_name = "CategoricalColumnWithVocabularyList";
    column.config.set("vocabulary_list", texts);
    if (const Node* others = argument("num_oov_buckets", 4); others != nullptr && others->kind == Node::Kind::kInt && others->whole > 0) {
        column.config.set("num_oov_buckets", others->whole);
    }
    return column;
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
                "experimental_max_worker_delay_secs"};
    }
    if (verb == "TrainSpec") return {"input_fn", "max_steps", "hooks"};
    if (verb == "EvalSpec") return {"input_fn", "steps", "name", "hooks", "exporters", "start_delay_secs", "throttle_secs"};
    if (verb == "train") return {"input_fn", "hooks", "steps", "max_steps"};
    if (verb == "evaluate") return {"input_fn", "steps"};
    return {};
}

// In a whole program what it leaves out is at TensorFlow's default.
EstimatorSpec& EstimatorStatements::spec() {
    RunSpec& run = reading_.run;
    const bool anew = !std::exchange(begun_, true) && absent_ == AbsentArguments::kDefault;
    if (!run.estimator || anew) {
        const std::string name = run.estimator ? run.estimator->name : EstimatorSpec().name;
        run.estimator.emplace().name = name;
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
    if (verb == "train_and_evaluate") {
        spec();
        return known();
    }
    return false;
}

template <typename Read>
void EstimatorStatements::eachArgument(const Node& call, Read read) {
    std::vector<ArgumentFault> faults;
    for (const Argument& argument : namedArguments(call, estimatorArguments(lastPart(calledName(call))), faults)) {
        const Node& value = *argument.value;
        const auto warn = [&](const std::string& expected) {
            notes_.add(Severity::kWarning, value, argument.name + ": expected " + expected + ", got " + nodeText(value));
        };
        read(argument.name, value, warn);
    }
    for (const ArgumentFault& fault : faults) notes_.add(Severity::kWarning, fault.fault);
}

void EstimatorStatements::readRunConfig(const Node& call) {
    RunConfigSpec& config = spec().run_config;
    if (absent_ == AbsentArguments::kDefault) config = {};
    bool steps_are_none = false, secs_are_none = false;
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
        }
    });
    config.saves_checkpoints = !(steps_are_none && secs_are_none);
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

// The model, the loss and the optimizer that TensorFlow's estimator of that name makes.
void EstimatorStatements::readCanned(const LogicalLine& line, const Node& call, const std::string& name) {
    spec().name = name;
    RunSpec& run = reading_.run;
    std::int64_t width = 0, columns = 0, classes = 2;
    std::vector<std::int64_t> hidden;
    std::string activation = "relu";
    double dropout = 0;
    std::optional<ObjectSpec> optimizer;
    eachArgument(call, [&](const std::string& argument, const Node& value, const auto& warn) {
        if (argument == "feature_columns") {
            for (const Node& column : value.items) {
                std::optional<ObjectSpec> feature = columnOf(column);
                if (!feature) {
                    notes_.add(Severity::kWarning, column,
                               "feature_columns: expected numeric, bucketized or categorical columns that are known here, got " +
                                   nodeText(column));
                    continue;
                }
                width += featureWidth(*feature);
                columns_.push_back(*std::move(feature));
                ++columns;
            }
        } else if (argument == "hidden_units") {
            for (const Node& units : value.items) hidden.push_back(units.whole);
        } else if (argument == "n_classes" && value.kind == Node::Kind::kInt) {
            classes = value.whole;
        } else if (argument == "dropout" && value.isNumber()) {
            dropout = value.number();
        } else if (argument == "optimizer") {
            const std::string class_name =
                classOf(Family::kOptimizer, value.kind == Node::Kind::kText ? std::string_view(value.text) : calledName(value));
            if (!isKnown(Family::kOptimizer, class_name)) return warn("an optimizer that is known here");
            if (value.kind == Node::Kind::kText) {
                optimizer = ObjectSpec{class_name, {{"learning_rate", isLinear(name) ? kLinearRate : kDnnRate}}};
                return;
            }
            std::vector<ArgumentFault> faults;
            Diagnostics diagnostics;
            const Json json = objectCallJson(value, Family::kOptimizer, faults);
            optimizer = ObjectSpec{class_name, readFields(json["config"], class_name, diagnostics)};
        }
    });
    if (!optimizer) {
        const double rate =
            isLinear(name) ? std::min(kLinearRate, 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, columns)))) : kDnnRate;
        optimizer = ObjectSpec{isLinear(name) ? "Ftrl" : "Adagrad", {{"learning_rate", rate}}};
    }
    ModelSpec model;
    model.name = run.model.name;
    model.input_shape = {std::max<std::int64_t>(1, width)};
    for (std::size_t i = 0; i < hidden.size(); ++i) {
        model.layers.push_back(dense(hidden[i], i == 0 ? "dense" : "dense_" + std::to_string(i), false, activation));
        if (dropout > 0) model.layers.push_back({"Dropout", i == 0 ? "dropout" : "dropout_" + std::to_string(i), {{"rate", dropout}}});
    }
    const bool many = isClassifier(name) && classes > 2;
    model.layers.push_back(
        dense(many ? classes : 1, hidden.empty() ? "dense" : "dense_" + std::to_string(hidden.size()), isLinear(name), ""));
    run.model = std::move(model);
    run.compile.optimizer = *std::move(optimizer);
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

void EstimatorStatements::finish() {
    if (!begun_) {
        if (absent_ == AbsentArguments::kDefault && !reading_.fit.empty()) reading_.run.estimator.reset();
        return;
    }
    const std::string& dataset = reading_.run.data.dataset;
    if (!columns_.empty() && (dataset == "csv" || dataset == "tfrecord")) reading_.run.data.feature_columns = columns_;
    if (!reading_.data.empty()) spec().train_spec.input_repeats = reading_.data_passes;
}

}  // namespace engine::spec::code
