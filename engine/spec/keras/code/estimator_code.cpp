// An estimator as code: the calls that say how it trains, and the program around them.
#include <cmath>
#include <utility>

#include "engine/spec/keras/code/estimators/canned_code.h"
#include "engine/spec/keras/code/written_parts.h"

namespace engine::spec::code {
namespace {

Node made(Node::Kind kind) {
    Node node;
    node.kind = kind;
    return node;
}

Node seconds(double value) {
    if (value == std::floor(value) && std::fabs(value) < 1e15) return numberNode(static_cast<std::int64_t>(value));
    Node node = made(Node::Kind::kReal);
    node.real = value;
    return node;
}

Node optionalNumber(const std::optional<std::int64_t>& value) {
    return value ? numberNode(*value) : made(Node::Kind::kNone);
}

constexpr const char *kTrainInput = "lambda: input_fn(tf.estimator.ModeKeys.TRAIN)",
                     *kEvalInput = "lambda: input_fn(tf.estimator.ModeKeys.EVAL)";

bool isScoped(const RunSpec& run) {
    return run.strategy.name != "DefaultStrategy";
}

}  // namespace

Node runConfigCall(const RunSpec& run, const std::string& strategy) {
    const RunConfigSpec plain;
    const RunConfigSpec& config = run.estimator->run_config;
    Node made_call = calledNode("tf.estimator.RunConfig");
    if (!strategy.empty()) addCallArgument(made_call, "train_distribute", wordNode(strategy));
    const auto number = [&](const char* name, std::int64_t value, std::int64_t usual) {
        if (value != usual) addCallArgument(made_call, name, numberNode(value));
    };
    if (config.tf_random_seed) addCallArgument(made_call, "tf_random_seed", numberNode(*config.tf_random_seed));
    number("save_summary_steps", config.save_summary_steps, plain.save_summary_steps);
    if (config.save_checkpoints_steps) addCallArgument(made_call, "save_checkpoints_steps", numberNode(*config.save_checkpoints_steps));
    if (config.save_checkpoints_secs) addCallArgument(made_call, "save_checkpoints_secs", seconds(*config.save_checkpoints_secs));
    if (!config.saves_checkpoints) {
        addCallArgument(made_call, "save_checkpoints_steps", made(Node::Kind::kNone));
        addCallArgument(made_call, "save_checkpoints_secs", made(Node::Kind::kNone));
    }
    number("keep_checkpoint_max", config.keep_checkpoint_max, plain.keep_checkpoint_max);
    if (config.keep_checkpoint_every_n_hours != plain.keep_checkpoint_every_n_hours) {
        addCallArgument(made_call, "keep_checkpoint_every_n_hours", seconds(config.keep_checkpoint_every_n_hours));
    }
    number("log_step_count_steps", config.log_step_count_steps, plain.log_step_count_steps);
    if (config.experimental_max_worker_delay_secs) {
        addCallArgument(made_call, "experimental_max_worker_delay_secs", seconds(*config.experimental_max_worker_delay_secs));
    }
    return made_call;
}

Node trainSpecCall(const RunSpec& run, const std::string& verb) {
    Node made_call = calledNode(verb == "train" ? "estimator.train" : "tf.estimator.TrainSpec");
    const std::optional<std::int64_t>& steps = run.estimator->train_spec.max_steps;
    if (steps) addCallArgument(made_call, verb == "train" ? "steps" : "max_steps", numberNode(*steps));
    return made_call;
}

Node evalSpecCall(const RunSpec& run, const std::string& verb) {
    const EvalSpec& eval = run.estimator->eval_spec;
    const EvalSpec plain;
    if (verb == "evaluate") {
        Node made_call = calledNode("estimator.evaluate");
        if (eval.steps) addCallArgument(made_call, "steps", numberNode(*eval.steps));
        return made_call;
    }
    Node made_call = calledNode("tf.estimator.EvalSpec");
    if (eval.steps != plain.steps) addCallArgument(made_call, "steps", optionalNumber(eval.steps));
    if (!eval.name.empty()) addCallArgument(made_call, "name", textNode(eval.name));
    if (!eval.exporters.empty()) {
        Node list = made(Node::Kind::kList);
        for (const ObjectSpec& exporter : eval.exporters) {
            Node one = calledNode("tf.estimator." + exporter.class_name);
            addCallArgument(one, "name", textNode(exporter.config.getString("name", "")));
            if (const FieldValue* keep = exporter.config.find("exports_to_keep")) {
                addCallArgument(one, "exports_to_keep", numberNode(toInt("exports_to_keep", *keep)));
            }
            list.items.push_back(std::move(one));
        }
        addCallArgument(made_call, "exporters", std::move(list));
    }
    if (eval.start_delay_secs != plain.start_delay_secs) addCallArgument(made_call, "start_delay_secs", seconds(eval.start_delay_secs));
    if (eval.throttle_secs != plain.throttle_secs) addCallArgument(made_call, "throttle_secs", seconds(eval.throttle_secs));
    return made_call;
}

Node textNode(std::string value) {
    Node node = made(Node::Kind::kText);
    node.text = std::move(value);
    return node;
}

Node calledNode(std::string name) {
    Node node = made(Node::Kind::kCall);
    node.items.push_back(wordNode(std::move(name)));
    return node;
}

std::string indentedLines(const std::string& code, const CodeLayout& layout) {
    const std::string margin(static_cast<std::size_t>(layout.indent), ' ');
    std::string result;
    for (std::size_t at = 0; at < code.size();) {
        const std::size_t end = code.find('\n', at) + 1;
        result += (code[at] == '\n' ? "" : margin) + code.substr(at, end - at);
        at = end;
    }
    return result;
}

std::string writeInputPart(const RunSpec& run, const CodeLayout& layout, const std::string& feature) {
    const std::string margin(static_cast<std::size_t>(layout.indent), ' ');
    const std::string data = writeDataPart(run, layout, feature);
    if (data.empty()) {
        return "# input_fn(mode): a tf.data.Dataset of " + run.data.dataset + " in batches of " +
               std::to_string(run.data.batch_size_per_replica) + (feature.empty() ? "" : ", samples under '" + feature + "'") +
               ", which the files of this project make\n";
    }
    const bool tests = !validationData(run, layout).empty();
    return "def input_fn(mode):\n" + indentedLines(data, layout) +
           (tests ? margin + "return train_dataset if mode == tf.estimator.ModeKeys.TRAIN else test_dataset\n"
                  : margin + "return train_dataset\n");
}

std::string writeTrainAndEvaluate(const RunSpec& run, const CodeLayout& layout, const std::string& train_input,
                                  const std::string& eval_input) {
    const std::string margin(static_cast<std::size_t>(layout.indent), ' ');
    const auto withInput = [](Node spec, const std::string& input) {
        spec.items.insert(spec.items.begin() + 1, wordNode(input));
        spec.keywords.insert(spec.keywords.begin(), "input_fn");
        return nodeLine(spec);
    };
    return "tf.estimator.train_and_evaluate(\n" + margin + "estimator,\n" + margin +
           withInput(trainSpecCall(run, "TrainSpec"), train_input) + ",\n" + margin + withInput(evalSpecCall(run, "EvalSpec"), eval_input) +
           ")\n";
}

std::string writeEstimatorProgram(const RunSpec& run, const CodeLayout& layout) {
    if (std::optional<std::string> canned = writeCannedProgram(run, layout)) return *std::move(canned);
    std::vector<std::string> parts;
    if (layout.imports) {
        const std::string input = writeInputPart(run, layout, {});
        const bool fetches = input.find("tfds.") != std::string::npos;
        parts.push_back(std::string("import keras\nimport tensorflow as tf\n") + (fetches ? "import tensorflow_datasets as tfds\n" : "") +
                        "from keras import layers\n");
        parts.push_back(writeStrategyPart(run, layout));
        parts.push_back(input);
    }
    parts.push_back(writeClassesPart(run, layout));
    parts.push_back(writeModelPart(run, layout));
    parts.push_back(writeCompilePart(run, layout));
    const Node config = runConfigCall(run, isScoped(run) && layout.imports ? "strategy" : "");
    parts.push_back("config = " + nodeLine(config) +
                    "\nestimator = tf.keras.estimator.model_to_estimator(keras_model=model, config=config)\n");
    parts.push_back(writeTrainAndEvaluate(run, layout, kTrainInput, kEvalInput));
    std::string program;
    for (const std::string& part : parts) {
        if (!part.empty()) program += (program.empty() ? "" : "\n") + part;
    }
    return program;
}

}  // namespace engine::spec::code
