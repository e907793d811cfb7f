#include <string_view>
#include <vector>

#include "engine/script/keras/keras_script.h"
#include "engine/script/keras/program_parts.h"
#include "engine/script/python_text.h"
#include "engine/spec/catalog/loss_rules.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/keras/python/python_literal.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::script::keras {
namespace {

using spec::RunSpec;

constexpr std::string_view kMetricOf = R"py(def metric_of(metric):
    """By the name that compile() has for it."""
    if isinstance(metric, keras.metrics.Metric):
        return metric
    made = keras.metrics.get(metric)
    return type(made)(name=metric) if isinstance(made, keras.metrics.Metric) else keras.metrics.MeanMetricWrapper(made, name=metric)


)py";

constexpr std::string_view kWeightedResults = R"py(    for metric in weighted_metrics:
        results[prefix + 'weighted_' * (prefix + metric.name in results) + metric.name] = float(metric.result())
)py";

constexpr std::string_view kLoop = R"py(
def part_of(losses):
    """Of one replica. The sum over the replicas is the loss of the whole batch, to which regularizers add once."""
    loss = tf.reduce_sum(losses) / {{DIVISOR}}
    if model.losses:
        loss += tf.add_n(model.losses) / strategy.num_replicas_in_sync
    return loss


def replica_step(x, y):
    with tf.GradientTape() as tape:
        outputs = model(x, training=True)
        loss = part_of(loss_object(y, outputs){{WEIGHTED}})
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    mean_loss.update_state(loss * strategy.num_replicas_in_sync, sample_weight=tf.shape(x)[0])
    for metric in metrics:
        metric.update_state(y, outputs)
{{WEIGHTED_UPDATE}}    return loss


@tf.function
def train_step(x, y):
    return strategy.reduce(tf.distribute.ReduceOp.SUM, strategy.run(replica_step, args=(x, y)), axis=None)


def replica_evaluation(x, y):
    outputs = model(x, training=False)
    loss = part_of(loss_object(y, outputs))
    mean_loss.update_state(loss * strategy.num_replicas_in_sync, sample_weight=tf.shape(x)[0])
    for metric in {{ALL_METRICS}}:
        metric.update_state(y, outputs)


@tf.function
def test_step(x, y):
    strategy.run(replica_evaluation, args=(x, y))


def take_results(prefix=''):
    """What the metrics say since this was asked last."""
    results = {prefix + metric.name: float(metric.result()) for metric in [mean_loss, *metrics]}
{{WEIGHTED_RESULTS}}    for metric in [mean_loss, *{{ALL_METRICS}}]:
        metric.reset_state()
    return results


is_chief = not os.environ.get('TF_CONFIG') or json.loads(os.environ['TF_CONFIG'])['task'] in (
    {'type': 'chief', 'index': 0}, {'type': 'worker', 'index': 0})
train_batches = strategy.experimental_distribute_dataset(train_dataset)
{{TEST_BATCHES}}step, stops = 0, False
logs = {}
{{BEGIN}}callbacks = keras.callbacks.CallbackList({{CALLBACKS}}, model=model, epochs={{EPOCHS}}, verbose=0)
model.stop_training = False  # which callbacks set
callbacks.on_train_begin()
for epoch in range({{FIRST_EPOCH}}, {{EPOCHS}}):
    if stops:
        break
{{EPOCH_BEGIN}}    callbacks.on_epoch_begin(epoch)
    for count, (x, y) in enumerate({{BATCHES}}):
        callbacks.on_train_batch_begin(count)
        loss = float(train_step(x, y))
        callbacks.on_train_batch_end(count, {'loss': loss})
        step += 1
        if is_chief and arguments.log_every and step % arguments.log_every == 0:
            print(f'step {step}  loss {loss:.9g}', flush=True)
        if model.stop_training or arguments.steps and step >= arguments.steps:
            stops = True
            break
    logs = take_results()
{{EVALUATION}}    callbacks.on_epoch_end(epoch, logs)
    stops = stops or model.stop_training
{{EPOCH_END}}    if is_chief:
        print(f'epoch {epoch + 1}/{{EPOCHS}}  ' + '  '.join(f'{name} {value:.6g}' for name, value in logs.items()), flush=True)
callbacks.on_train_end()
if arguments.save_weights and is_chief:
    save_weights(model, arguments.save_weights)
)py";

void checkLoop(const RunSpec& run, spec::Diagnostics& findings) {
    if (spec::strategyKind(run.strategy.name) == spec::StrategyKind::kParameterServer) {
        findings.push_back({spec::Severity::kError, "strategy.name",
                            "expected a strategy whose replicas step together, which strategy.run() is for, got ParameterServerStrategy "
                            "(its program is --api keras)",
                            ""});
    }
    if (run.compile.loss_scale || run.model.dtype_policy == "mixed_float16") {
        findings.push_back(
            {spec::Severity::kError, "model.dtype_policy", "expected no scale of the loss, which fit() alone keeps, got one", ""});
    }
}

// The value of the keyword `name`; empty where the call has none.
std::string argumentOf(const spec::code::Node& call, std::string_view name) {
    for (std::size_t i = 0; i < call.keywords.size(); ++i) {
        if (call.keywords[i] == name) return spec::code::nodeLine(call.items[i + 1]);
    }
    return {};
}

// The class that compile() takes for 'accuracy'.
std::string accuracyOf(const RunSpec& run) {
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(run.model);
    const std::string& loss = run.compile.loss.class_name;
    if (!infos.empty() && infos.back().output_shape.back() == 1) return "keras.metrics.BinaryAccuracy";
    const bool is_one_hot = run.data.one_hot > 0 || (loss.starts_with("Categorical") && !spec::takesWholeLabels(loss));
    return is_one_hot ? "keras.metrics.CategoricalAccuracy" : "keras.metrics.SparseCategoricalAccuracy";
}

// A list of metrics as compile() takes it, made a list of objects.
std::string metricObjects(std::string list, const std::string& accuracy) {
    for (const std::string plain : {"'accuracy'", "'acc'"}) {
        if (const std::size_t at = list.find(plain); at != std::string::npos) {
            list.replace(at, plain.size(), accuracy + "(name=" + plain + ")");
        }
    }
    const bool has_names = list.find("['") != std::string::npos || list.find(", '") != std::string::npos;
    return has_names ? "[metric_of(metric) for metric in " + list + "]" : list;
}

bool hasWeightedMetrics(const RunSpec& run) {
    return !argumentOf(spec::code::compileCall(run), "weighted_metrics").empty();
}

// compile() by its parts: `optimizer`, `loss_object`, `metrics`, `weighted_metrics` where there are any, `mean_loss`.
std::string compiledObjects(const RunSpec& run) {
    RunSpec parts = run;
    parts.compile.loss.config.erase("reduction");
    parts.compile.loss.config.set("reduction", std::string("none"));
    const spec::code::Node call = spec::code::compileCall(parts);
    const std::string accuracy = accuracyOf(run);
    const std::string metrics = metricObjects(argumentOf(call, "metrics"), accuracy);
    std::string text = "model.compile(optimizer=" + argumentOf(call, "optimizer") +
                       ")  # callbacks look for it there\noptimizer = model.optimizer\noptimizer.build(model.trainable_variables)\n"
                       "loss_object = " +
                       argumentOf(call, "loss") + "\nmetrics = " + (metrics.empty() ? "[]" : metrics) + "\n";
    if (hasWeightedMetrics(run)) text += "weighted_metrics = " + metricObjects(argumentOf(call, "weighted_metrics"), accuracy) + "\n";
    return text + "mean_loss = keras.metrics.Mean(name='loss')\n";
}

// weights_of(), where classes have weights.
std::string classWeights(const RunSpec& run) {
    if (run.fit.class_weight.empty()) return {};
    std::string table;
    for (const auto& [label, weight] : run.fit.class_weight) {
        table += (table.empty() ? "" : ", ") + std::to_string(label) + ": " + pyNumber(weight);
    }
    return "CLASS_WEIGHT = {" + table + "}\n\n\ndef weights_of(y):\n    labels = " +
           std::string(run.data.one_hot > 0 ? "tf.argmax(y, -1)" : "tf.cast(tf.reshape(y, [-1]), tf.int64)") +
           "\n    table = [CLASS_WEIGHT.get(label, 1.0) for label in range(max(CLASS_WEIGHT) + 1)]\n"
           "    return tf.where(labels < len(table), tf.gather(table, tf.minimum(labels, len(table) - 1)), 1.0)\n\n";
}

// BackupAndRestore goes on in fit() only; the loop keeps its own place in these lines.
struct Backup {
    std::string begin, epoch_begin, epoch_end;
};

Backup backupOf(const RunSpec& run) {
    Backup backup;
    for (const spec::ObjectSpec& callback : run.callbacks) {
        if (callback.class_name != "BackupAndRestore") continue;
        const std::string folder = spec::pythonText(spec::callbackSettings(callback).getString("backup_dir"));
        backup.begin += "position = tf.Variable(" + std::to_string(run.fit.initial_epoch) +
                        ", dtype=tf.int64)  # BackupAndRestore: the next epoch\n"
                        "checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, position=position)\n"
                        "manager = tf.train.CheckpointManager(checkpoint, " +
                        folder + " if is_chief else " + folder +
                        " + '_other', max_to_keep=1)\ncheckpoint.restore(manager.latest_checkpoint)\n";
        backup.epoch_begin += "    if epoch < int(position):\n        continue\n";
        backup.epoch_end += "    position.assign(epoch + 1)\n    manager.save()\n";
    }
    return backup;
}

// The lines of an epoch that evaluate; empty where the project has nothing to evaluate with.
std::string evaluationText(const RunSpec& run) {
    if (!hasValidation(run)) return {};
    const std::string batches = run.fit.validation_steps > 0
                                    ? "itertools.islice(test_batches, " + std::to_string(run.fit.validation_steps) + ")"
                                    : std::string("test_batches");
    const std::string epochs = validatesText(run.fit);
    return "    if " + std::string(epochs == "True" ? "x_test is not None" : "x_test is not None and " + epochs) +
           ":\n        callbacks.on_test_begin()\n        for x, y in " + batches +
           ":\n            test_step(x, y)\n        logs.update(take_results('val_'))\n        callbacks.on_test_end(logs)\n";
}

// The other callbacks of Keras do in any loop that calls them.
std::string callbacksText(const RunSpec& run, const spec::CodeLayout& layout) {
    RunSpec called = run;
    std::erase_if(called.callbacks, [](const spec::ObjectSpec& callback) { return callback.class_name == "BackupAndRestore"; });
    const std::string list = argumentOf(spec::code::fitCall(called, layout), "callbacks");
    return list.empty() ? "[]" : list;
}

std::string loopText(const RunSpec& run, const spec::CodeLayout& layout) {
    const bool sums = run.compile.loss.config.getString("reduction", "") == "sum";
    const bool weighs_classes = !run.fit.class_weight.empty(), weighs = hasWeightedMetrics(run);
    const std::string evaluation = evaluationText(run);
    Backup backup = backupOf(run);
    std::string batches = "train_batches";
    if (run.fit.steps_per_epoch > 0) {
        batches = "itertools.islice(endless, " + std::to_string(run.fit.steps_per_epoch) + ")";
        backup.begin += "endless = iter(train_batches)  # it repeats: an epoch is a number of steps\n";
    }
    const std::string update = "    for metric in weighted_metrics:\n        metric.update_state(y, outputs" +
                               std::string(weighs_classes ? ", sample_weight=weights_of(y)" : "") + ")\n";
    const std::string test_batches = "test_batches = None if x_test is None else strategy.experimental_distribute_dataset(test_dataset)\n";
    return filled(kLoop, {{"WEIGHTED", weighs_classes ? " * weights_of(y)" : ""},
                          {"WEIGHTED_UPDATE", weighs ? update : std::string()},
                          {"WEIGHTED_RESULTS", weighs ? std::string(kWeightedResults) : std::string()},
                          {"ALL_METRICS", weighs ? "[*metrics, *weighted_metrics]" : "metrics"},
                          {"DIVISOR", sums ? "1.0" : "(strategy.num_replicas_in_sync * tf.cast(tf.size(losses), tf.float32))"},
                          {"TEST_BATCHES", evaluation.empty() ? std::string() : test_batches},
                          {"BEGIN", backup.begin},
                          {"FIRST_EPOCH", std::to_string(run.fit.initial_epoch)},
                          {"EPOCHS", std::to_string(run.fit.epochs)},
                          {"EPOCH_BEGIN", backup.epoch_begin},
                          {"BATCHES", batches},
                          {"CALLBACKS", callbacksText(run, layout)},
                          {"EVALUATION", evaluation},
                          {"EPOCH_END", backup.epoch_end}});
}

}  // namespace

Script writeLoopScript(const RunSpec& asked) {
    Script script;
    const RunSpec run = withoutEstimator(asked);
    checkLoop(run, script.findings);
    const DataReader reader = writeDataReader(run, script.findings);
    if (spec::hasErrors(script.findings)) return script;
    const Version version = versionOf(run, Api::kCustomLoop);
    const spec::CodeLayout layout = layoutOf();
    const std::string strategy = strategyPart(run, layout);
    const std::string objects = compiledObjects(run);
    const std::string model = spec::code::writeModelPart(run, layout) + objects + std::string(kLoadWeights);
    std::string body = strategy.empty() ? "strategy = tf.distribute.get_strategy()  # one device\n\n\n" : strategy;
    body += "# ---- datasets ----\n\n" + spec::code::writeDataPart(run, layout) + "\n\n" + writeWeights(run) + "# ---- model ----\n\n" +
            classesOf(run, layout, version) + (objects.find("metric_of(") != std::string::npos ? std::string(kMetricOf) : std::string()) +
            scoped(model, layout) + "\nmodel.summary()\n\n\n# ---- training ----\n\n" + adaptPart(run, layout) + classWeights(run) +
            schedulesOf(run, layout) + loopText(run, layout);
    script.text = writeHead(run, {.api = Api::kCustomLoop,
                                  .version = version,
                                  .reader = reader,
                                  .weights = weightsOf(run, script),
                                  .imports = {"itertools", "json"},
                                  .steps = stepsOf(asked)}) +
                  body;
    return script;
}

}  // namespace engine::script::keras
