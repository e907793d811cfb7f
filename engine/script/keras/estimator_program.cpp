#include <algorithm>
#include <array>

#include "engine/script/keras/keras_script.h"
#include "engine/script/keras/program_parts.h"
#include "engine/script/python_text.h"
#include "engine/spec/catalog/adapted_layer.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/project/estimator_run.h"

namespace engine::script::keras {
namespace {

using spec::RunSpec;

// Of an estimator, which trains a graph of its own: the model keeps what it began with. get_weights() fails once the model was given away.
constexpr std::string_view kOneByOne = "[weight.numpy() for weight in model.weights]";
constexpr std::string_view kTakeEstimatorsWeights =
    "if arguments.save_weights:\n"
    "    model.load_weights(estimator.latest_checkpoint()).expect_partial()\n"
    "    save_weights(model, arguments.save_weights)\n";

// Errors for what an estimator would train otherwise, warnings for what it leaves out.
void checkEstimator(const RunSpec& run, spec::Diagnostics& findings) {
    constexpr std::array kOptimizers{"SGD", "RMSprop", "Adam", "Adamax", "Nadam", "Adagrad", "Adadelta", "Ftrl"};
    const std::string& optimizer = run.compile.optimizer.class_name;
    if (std::find(kOptimizers.begin(), kOptimizers.end(), optimizer) == kOptimizers.end()) {
        findings.push_back(
            {spec::Severity::kError, "compile.optimizer.class_name",
             "expected an optimizer that tf.estimator takes (SGD, RMSprop, Adam, Adamax, Nadam, Adagrad, Adadelta, Ftrl), got " + optimizer,
             ""});
    }
    if (const spec::LayerSpec* layer = spec::adaptedLayer(run.model)) {  // its graph is made without a look at samples
        findings.push_back({spec::Severity::kError, "model.layers[0]",
                            "expected no layer that takes values from the training samples with an estimator, got " + layer->class_name,
                            spec::takesTexts(*layer) ? "Give it a vocabulary." : "Give it these values."});
    }
    if (!run.fit.class_weight.empty()) {
        findings.push_back({spec::Severity::kError, "fit.class_weight",
                            "expected none, for which tf.estimator has no place, got " + std::to_string(run.fit.class_weight.size()), ""});
    }
    for (const spec::ObjectSpec& callback : run.callbacks) {
        if (callback.class_name == "BackupAndRestore") continue;  // an estimator goes on from its own checkpoints
        findings.push_back(
            {spec::Severity::kWarning, "callbacks", callback.class_name + ": left out, tf.estimator takes no callbacks of Keras", ""});
    }
}

}  // namespace

Script writeEstimatorScript(const RunSpec& asked) {
    Script script;
    RunSpec run = asked;
    if (!run.estimator) {
        spec::useEstimator(run);
        spec::TrainSpec& train = run.estimator->train_spec;
        if (!train.max_steps) {  // as long as fit() trains
            train.input_repeats = run.fit.epochs;
            if (run.fit.steps_per_epoch > 0) train = {.max_steps = run.fit.epochs * run.fit.steps_per_epoch, .input_repeats = 0};
        }
    }
    checkEstimator(run, script.findings);
    const spec::CodeLayout layout = layoutOf();
    if (run.estimator->name != "Estimator" && !run.data.feature_columns.empty()) {
        // A canned estimator with columns of a table opens the table itself.
        spec::CodeLayout plain = layout;
        plain.reads_arrays = false;
        script.text = "\"\"\"" + (run.name.empty() ? run.model.name : run.name) + ": the training of a Tandem project with " +
                      std::string(rowOf(Api::kEstimator).title) + ".\n\n" + versionText(run, Api::kEstimator, Version::kTwo) + "\"\"\"\n" +
                      spec::code::writeEstimatorProgram(run, plain);
        return script;
    }
    const DataReader reader = writeDataReader(run, script.findings);
    if (spec::hasErrors(script.findings)) return script;
    const std::string strategy = strategyPart(run, layout);
    RunSpec plain = run;  // how often it writes a line is an option of the program
    plain.estimator->run_config.log_step_count_steps = spec::RunConfigSpec{}.log_step_count_steps;
    std::string config = spec::code::nodeLine(spec::code::runConfigCall(plain, strategy.empty() ? "" : "strategy"));
    config.insert(config.rfind(')'), std::string(config.ends_with("()") ? "" : ", ") + "log_step_count_steps=arguments.log_every or None");
    std::string training = spec::code::writeTrainAndEvaluate(run, layout, "lambda: input_fn(tf.estimator.ModeKeys.TRAIN)",
                                                             "lambda: input_fn(tf.estimator.ModeKeys.EVAL)");
    const std::string given = "TrainSpec(input_fn=lambda: input_fn(tf.estimator.ModeKeys.TRAIN)";
    if (const std::size_t at = training.find(given); at != std::string::npos) {
        const std::size_t end = at + given.size(), close = training.find(')', end);
        const std::string steps = run.estimator->train_spec.max_steps ? std::to_string(*run.estimator->train_spec.max_steps) : "None";
        training.replace(end, close - end, ", max_steps=arguments.steps or " + steps);
    }
    script.text = writeHead(run, {.api = Api::kEstimator, .version = Version::kTwo, .reader = reader, .weights = weightsOf(run, script)}) +
                  strategy + "# ---- input ----\n\n" + spec::code::writeInputPart(run, layout, {}) + "\n\n" + writeWeights(run, kOneByOne) +
                  "# ---- model ----\n\n" + classesOf(run, layout, Version::kTwo) + spec::code::writeModelPart(run, layout) + "\n" +
                  spec::code::writeCompilePart(run, layout) + std::string(kLoadWeights) + "\nconfig = " + config +
                  "\nestimator = tf.keras.estimator.model_to_estimator(keras_model=model, config=config)\n\n" +
                  "# ---- training ----\n\ntf.get_logger().setLevel('INFO')\n" + training + std::string(kTakeEstimatorsWeights);
    return script;
}

}  // namespace engine::script::keras
