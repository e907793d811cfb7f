#include "engine/spec/keras/code/estimators/canned_code.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/spec/keras/code/code_document.h"
#include "engine/spec/keras/code/estimators/canned_names.h"
#include "engine/spec/keras/code/estimators/column_calls.h"
#include "engine/spec/keras/code/estimators/file_input.h"
#include "engine/spec/keras/code/written_parts.h"
#include "engine/spec/project/feature_columns.h"

namespace engine::spec::code {
namespace {

constexpr const char *kColumns = "feature_columns", *kFeature = "feats";
constexpr const char *kCannedTrainInput = "lambda: input_fn(tf.estimator.ModeKeys.TRAIN)",
                     *kCannedEvalInput = "lambda: input_fn(tf.estimator.ModeKeys.EVAL)";

Node leaf(Node::Kind kind) {
    Node node;
    node.kind = kind;
    return node;
}

Node realNode(double value) {
    Node node = leaf(Node::Kind::kReal);
    node.real = value;
    return node;
}

// What the layers say of an estimator's arguments. What they say beside it shows when the program is read again.
struct Arguments {
    std::vector<std::int64_t> hidden;
    std::int64_t outputs = 1;
    std::string activation;
    double dropout = 0;
    bool normalizes = false;
};

std::optional<Arguments> argumentsOf(const ModelSpec& model) {
    Arguments found;
    std::vector<std::int64_t> units;
    for (const LayerSpec& layer : model.layers) {
        if (layer.class_name == "Dense") {
            const FieldValue *count = layer.config.find("units"), *activation = layer.config.find("activation");
            const auto* whole = count == nullptr ? nullptr : std::get_if<std::int64_t>(count);
            const auto* name = activation == nullptr ? nullptr : std::get_if<std::string>(activation);
            if (whole == nullptr || (activation != nullptr && name == nullptr)) return std::nullopt;
            units.push_back(*whole);
            if (units.size() == 1) found.activation = name == nullptr ? "linear" : *name;
        } else if (layer.class_name == "Dropout") {
            const FieldValue* rate = layer.config.find("rate");
            if (rate == nullptr || !std::holds_alternative<double>(*rate)) return std::nullopt;
            found.dropout = std::get<double>(*rate);
        } else if (layer.class_name == "BatchNormalization") {
            found.normalizes = true;
        } else {
            return std::nullopt;
        }
    }
    if (units.empty()) return std::nullopt;
    found.outputs = units.back();
    units.pop_back();
    found.hidden = std::move(units);
    return found;
}

Node activationNode(const std::string& name) {
    static constexpr std::array<std::string_view, 9> kOfNn{"elu",     "relu6",    "selu",     "gelu", "tanh",
                                                           "sigmoid", "softplus", "softsign", "silu"};
    if (name == "linear") return leaf(Node::Kind::kNone);
    const bool is_of_nn = std::find(kOfNn.begin(), kOfNn.end(), std::string_view(name)) != kOfNn.end();
    return wordNode((is_of_nn ? "tf.nn." : "tf.keras.activations.") + name);
}

// Estimators take Keras 2's optimizers, which TensorFlow keeps beside Keras 3's; of schedules there is one kind.
void nameAsTensorFlow(Node& call) {
    constexpr std::string_view kOptimizers = "keras.optimizers.", kSchedules = "keras.optimizers.schedules.";
    for (Node& item : call.items) nameAsTensorFlow(item);
    if (call.kind != Node::Kind::kCall) return;
    std::string& name = call.items[0].text;
    if (name.starts_with(kSchedules)) {
        name = "tf." + name;
    } else if (name.starts_with(kOptimizers)) {
        name = "tf.keras.optimizers.legacy." + name.substr(kOptimizers.size());
    }
}

// The optimizer, by its name alone where its rate is the one that the estimator gives it then; kNone: what the estimator takes by itself.
std::optional<Node> optimizerNode(const RunSpec& run, std::size_t columns) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kByName{
        {{"Adagrad", "Adagrad"}, {"Adam", "Adam"}, {"Ftrl", "Ftrl"}, {"RMSprop", "RMSProp"}, {"SGD", "SGD"}}};
    const ObjectSpec& optimizer = run.compile.optimizer;
    const std::string& name = run.estimator->name;
    const double named_rate = isLinear(name) ? kLinearRate : kDnnRate;
    const auto row = std::find_if(kByName.begin(), kByName.end(), [&](const auto& one) { return one.first == optimizer.class_name; });
    if (row != kByName.end() && optimizer.config == Fields{{"learning_rate", named_rate}}) {
        const bool is_usual = row->first == (isLinear(name) ? "Ftrl" : "Adagrad") && usualRate(name, columns) == named_rate;
        return is_usual ? leaf(Node::Kind::kNone) : textNode(std::string(row->second));
    }
    const std::vector<LogicalLine> lines = splitLines(objectCall(optimizer, Family::kOptimizer));
    Fault fault;
    std::optional<Node> call = lines.empty() ? std::nullopt : readTree(lines.front().tokens, 0, fault);
    if (call) nameAsTensorFlow(*call);
    return call;
}

Node columnsNode(const RunSpec& run) {
    Node list = leaf(Node::Kind::kList);
    const Categories categories = isLinear(run.estimator->name) ? Categories::kPlain : Categories::kIndicated;
    for (const ObjectSpec& column : run.data.feature_columns) {
        list.items.push_back(columnCall(column, categories, run.data.dataset == "csv"));
    }
    if (!list.items.empty()) return list;
    std::int64_t width = 1;
    for (const std::int64_t size : run.model.input_shape) width *= size;
    list.items.push_back(numericColumnCall(kFeature, width));
    return list;
}

std::optional<Node> estimatorCall(const RunSpec& run, std::size_t columns) {
    const std::string& name = run.estimator->name;
    const std::optional<Arguments> arguments = argumentsOf(run.model);
    const std::optional<Node> optimizer = optimizerNode(run, columns);
    if (!arguments || !optimizer || isLinear(name) != arguments->hidden.empty()) return std::nullopt;
    Node call = calledNode("tf.estimator." + name);
    addCallArgument(call, kColumns, wordNode(kColumns));
    if (!isLinear(name)) {
        Node units = leaf(Node::Kind::kList);
        for (const std::int64_t count : arguments->hidden) units.items.push_back(numberNode(count));
        addCallArgument(call, "hidden_units", std::move(units));
    }
    if (isClassifier(name) && arguments->outputs > 1) addCallArgument(call, "n_classes", numberNode(arguments->outputs));
    if (optimizer->kind != Node::Kind::kNone) addCallArgument(call, "optimizer", *optimizer);
    if (!isLinear(name) && arguments->activation != "relu") addCallArgument(call, "activation_fn", activationNode(arguments->activation));
    if (arguments->dropout > 0) addCallArgument(call, "dropout", realNode(arguments->dropout));
    if (arguments->normalizes) addCallArgument(call, "batch_norm", wordNode("True"));
    addCallArgument(call, "config", wordNode("config"));
    return call;
}

// True when the program, read over a project that lacks what it says, gives this one. Files are what the text names; a set's steps are
// written as those of any other estimator.
bool comesBack(const std::string& program, const RunSpec& run, bool opens_files) {
    RunSpec base = run;
    base.code.clear();
    base.model = {};
    base.model.name = run.model.name;
    base.compile = {};
    base.estimator.reset();
    base.data.feature_columns.clear();
    if (opens_files) {
        base.data.train_files.clear();
        base.data.test_files.clear();
    }
    const CodeReading reading = readKerasCode(program, base, AbsentArguments::kDefault);
    if (std::any_of(reading.notes.begin(), reading.notes.end(), [](const CodeNote& note) { return note.severity != Severity::kInfo; }))
        return false;
    RunSpec said = reading.run;
    if (!said.estimator) return false;
    if (reading.data.empty()) said.estimator->train_spec.input_repeats = run.estimator->train_spec.input_repeats;  // of data alone
    DataSpec data = run.data;
    if (opens_files && data.test_files.empty()) data.validate_on_test = false;
    // Whole numbers of a file (boundaries [30, 50]) are written as the real ones that they mean.
    if (said.data.feature_columns.size() != data.feature_columns.size() || nodeLine(columnsNode(said)) != nodeLine(columnsNode(run)))
        return false;
    said.data.feature_columns = data.feature_columns;
    const bool has_same_data = !opens_files || said.data == data;
    return has_same_data && said.estimator == run.estimator && writeModelPart(said, {}) == writeModelPart(run, {}) &&
           nodeLine(compileCall(said)) == nodeLine(compileCall(run));
}

// How the program comes by its data.
enum class Input {
    kFiles,     // functions that open the project's files
    kFunction,  // input_fn(mode): of a set by name, else a comment in its place
};

std::string programOf(const RunSpec& run, const CodeLayout& layout, const Node& columns, const Node& estimator, Input input) {
    const bool is_scoped = run.strategy.name != "DefaultStrategy";
    std::vector<std::string> parts;
    if (layout.imports) {
        const bool has_samples = run.data.feature_columns.empty();  // else the columns are the keys
        const std::string data =
            input == Input::kFiles ? writeFileInput(run, layout) : writeInputPart(run, layout, has_samples ? kFeature : "");
        const auto uses = [&](const char* module) { return data.find(module) != std::string::npos; };
        parts.push_back(std::string(uses("keras.") ? "import keras\n" : "") + "import tensorflow as tf\n" +
                        (uses("tfds.") ? "import tensorflow_datasets as tfds\n" : ""));
        parts.push_back(writeStrategyPart(run, layout));
        parts.push_back(data);
    }
    parts.push_back(statementLines(std::string(kColumns) + " = ", columns, layout));
    parts.push_back(statementLines("config = ", runConfigCall(run, is_scoped && layout.imports ? "strategy" : ""), layout) +
                    statementLines("estimator = ", estimator, layout));
    if (input == Input::kFunction) {
        parts.push_back(writeTrainAndEvaluate(run, layout, kCannedTrainInput, kCannedEvalInput));
    } else if (!run.data.test_files.empty()) {
        parts.push_back(writeTrainAndEvaluate(run, layout, kTrainFunction, kEvalFunction));
    } else {
        Node train = trainSpecCall(run, "train");
        train.items.insert(train.items.begin() + 1, wordNode(kTrainFunction));
        train.keywords.insert(train.keywords.begin(), "input_fn");
        parts.push_back(nodeLine(train) + "\n");
    }
    std::string program;
    for (const std::string& part : parts) {
        if (!part.empty()) program += (program.empty() ? "" : "\n") + part;
    }
    return program;
}

}  // namespace

std::optional<std::string> writeCannedProgram(const RunSpec& run, const CodeLayout& layout) {
    if (!isCanned(run.estimator->name) || !areFitting(run.data.feature_columns)) return std::nullopt;
    const Node columns = columnsNode(run);
    const std::optional<Node> estimator = estimatorCall(run, columns.items.size());
    if (!estimator) return std::nullopt;
    for (const Input input : {Input::kFiles, Input::kFunction}) {
        if (input == Input::kFiles && !hasFileInput(run)) continue;
        std::string program = programOf(run, layout, columns, *estimator, input);
        if (comesBack(program, run, layout.imports && input == Input::kFiles)) return program;
    }
    return std::nullopt;
}

}  // namespace engine::spec::code
