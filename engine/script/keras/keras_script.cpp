#include "engine/script/keras/keras_script.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "engine/script/data_reader.h"
#include "engine/script/python_text.h"
#include "engine/script/script_api.h"
#include "engine/spec/catalog/adapted_layer.h"
#include "engine/spec/catalog/loss_rules.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/keras/code/written_parts.h"
#include "engine/spec/project/estimator_run.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::script::keras {
namespace {

using spec::RunSpec;
using spec::StrategyKind;

// ---- text ------------------------------------------------------------------------------------------------------------

constexpr std::string_view kHead = R"py("""{{NAME}}: the training of a Tandem project in {{WITH}}.

{{VERSION}}
    python {{FILE}}
{{TASKS}}
Needs {{NEEDS}}, numpy{{MORE}}.
"""
{{IMPORTS}}
{{SETTINGS}}import numpy as np
import tensorflow as tf
{{PICTURES}}
{{NAMES}}

parser = argparse.ArgumentParser()
parser.add_argument('--data', type=pathlib.Path, default={{FOLDER}}, help='folder with the files of the data set')
parser.add_argument('--weights', default={{WEIGHTS}}, help='the values to begin with: .npz of `tandem-cli export keras`, or a file that Keras opens')
parser.add_argument('--save-weights', default={{SAVE_WEIGHTS}}, help='.npz to write after training')
parser.add_argument('--no-shuffle', dest='shuffle', action='store_false', help='take the samples as they come')
parser.add_argument('--steps', type=int, default={{STEPS}}, help='end after so many steps; 0: as the epochs say')
parser.add_argument('--log-every', type=int, default={{LOG_EVERY}}, help='steps between two lines; 0: none')
arguments = parser.parse_args()
tf.keras.utils.set_random_seed({{SEED}})


# ---- data ----

{{READER}}

def shuffled(dataset):
    return dataset{{SHUFFLE}} if arguments.shuffle else dataset


)py";

constexpr std::string_view kWeights = R"py(# ---- weights ----

# The variables in the order of model.weights, by Tandem's names.
VARIABLES = {{VARIABLES}}


def load_weights(model, file):
    if not file.endswith('.npz'):
        model.load_weights(file)
        return
    stored = np.load(file)
    model.set_weights([stored[name] for name in VARIABLES])
{{TAKEN}}

def save_weights(model, file):
    pathlib.Path(file).parent.mkdir(parents=True, exist_ok=True)
    np.savez(file, **{name: np.float32(values) for name, values in zip(VARIABLES, {{VALUES}})})


)py";

// Keras tells callbacks the mean of the epoch so far.
constexpr std::string_view kSteps = R"py(class Steps(keras.callbacks.Callback):
    """Says the loss of a step, which is in the difference of two means of an epoch, and ends after --steps."""

    done = 0

    def on_epoch_begin(self, epoch, logs=None):
        self.total, self.samples = 0.0, 0

    def on_train_batch_end(self, batch_index, logs=None):
        some = {{SAMPLES}}
        total = float(logs['loss']) * (self.samples + some)
        loss, self.total, self.samples = (total - self.total) / some, total, self.samples + some
        self.done += 1
        if arguments.log_every and self.done % arguments.log_every == 0:
            print(f'step {self.done}  loss {loss:.9g}', flush=True)
        if arguments.steps and self.done >= arguments.steps:
            self.model.stop_training = True


)py";

// With parameter servers a step's values are elsewhere until they are fetched, and fit() takes no other callback for single steps.
constexpr std::string_view kServerSteps = R"py(class Steps(keras.callbacks.Callback):
    """Says the mean loss of the steps since it spoke last, for which it waits, and ends after --steps."""

    def __init__(self):
        super().__init__()
        self.done = 0
        self._supports_tf_logs = True  # fit() refuses callbacks of single steps with this strategy that lack it

    def on_epoch_begin(self, epoch, logs=None):
        self.total, self.count, self.told = 0.0, 0, 0

    def on_train_batch_end(self, batch, logs=None):
        self.done, self.count = self.done + 1, self.count + 1
        if arguments.log_every and self.done % arguments.log_every == 0:
            total = float(logs.fetch()['loss']) * self.count
            loss, self.total, self.told = (total - self.total) / (self.count - self.told), total, self.count
            print(f'step {self.done}  loss {loss:.9g}', flush=True)
        if arguments.steps and self.done >= arguments.steps:
            self.model.stop_training = True


)py";

constexpr std::string_view kServers = R"py(# Workers and parameter servers wait for the chief's work; the chief goes on below.
resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type in ('worker', 'ps'):
    tf.distribute.Server(resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id, protocol='grpc').join()
)py";

constexpr std::string_view kAfterFit = R"py(
if arguments.save_weights:
    save_weights(model, arguments.save_weights)
)py";

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

// ---- parts -----------------------------------------------------------------------------------------------------------

// Which Keras trains with that: MultiWorkerMirroredStrategy and ParameterServerStrategy work with fit() of Keras 2 alone.
enum class Version { kTwo, kThree };

Version versionOf(const RunSpec& run, Api api) {
    const std::optional<StrategyKind> kind = spec::strategyKind(run.strategy.name);
    const bool clustered = kind == StrategyKind::kMultiWorkerMirrored || kind == StrategyKind::kParameterServer;
    return api == Api::kEstimator || clustered ? Version::kTwo : Version::kThree;
}

std::string versionText(const RunSpec& run, Api api, Version version) {
    const std::string strategy = "The project's strategy is " + run.strategy.name + ". ";
    if (api == Api::kEstimator) {
        return strategy + "tf.estimator was removed with TensorFlow 2.16: this needs TensorFlow 2.15 or older, whose\nKeras is Keras 2.\n";
    }
    if (version == Version::kTwo) {
        return strategy +
               "fit() of Keras 3 does not train with it: this is for Keras 2\n(pip install tf_keras; TF_USE_LEGACY_KERAS=1 is set "
               "below).\n";
    }
    return strategy + "This is for Keras 3, and does with Keras 2, too.\n";
}

// The cluster with a coordinator, as TensorFlow 2 trains with parameter servers: on the first server's host, at a port of its own.
spec::ClusterSpec withChief(spec::ClusterSpec cluster) {
    const spec::Job* servers = cluster.findJob("ps");
    if (cluster.findJob("chief") != nullptr || servers == nullptr || servers->tasks.empty()) return cluster;
    const std::string first = servers->tasks.begin()->second;
    int port = 0;
    for (const spec::Job& job : cluster.jobs) {
        for (const auto& [index, address] : job.tasks) port = std::max(port, std::atoi(address.substr(address.rfind(':') + 1).c_str()));
    }
    cluster.jobs.insert(cluster.jobs.begin(), {"chief", {{0, first.substr(0, first.rfind(':')) + ":" + std::to_string(port + 1)}}});
    return cluster;
}

// `text` with its first `from` written as `to`.
void replaceOnce(std::string& text, std::string_view from, std::string_view to) {
    if (const std::size_t at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
}

std::string taskText(const RunSpec& run, const std::string& file) {
    const spec::StrategyRow* row = spec::findStrategy(run.strategy.name);
    if (row == nullptr || !row->is_clustered) return "";
    const bool servers = spec::strategyKind(run.strategy.name) == StrategyKind::kParameterServer;
    const spec::ClusterSpec cluster = servers ? withChief(run.cluster.spec) : run.cluster.spec;
    std::string text = "\nEach task of the cluster runs it with a TF_CONFIG of its own";
    text += cluster.jobs.size() > run.cluster.spec.jobs.size() ? "; in Keras 2 a chief gives the workers their steps:\n\n"
                                                               : " (`tandem-cli export tf-config` writes them):\n\n";
    for (const spec::Job& job : cluster.jobs) {
        for (const auto& [index, address] : job.tasks) {
            text += "    TF_CONFIG='" + spec::toTfConfigJson(cluster, {job.name, index}) + "' python " + file + "\n";
        }
    }
    return text;
}

std::string importLines(const DataReader& reader, const std::set<std::string>& more) {
    std::set<std::string> modules{"argparse", "os", "pathlib"};
    modules.insert(more.begin(), more.end());
    for (const std::string& module : reader.imports) {
        if (module != "PIL") modules.insert(module);
    }
    std::string text;
    for (const std::string& module : modules) text += "import " + module + "\n";
    return text;
}

struct HeadParts {
    Api api;
    Version version = Version::kThree;
    DataReader reader;
    std::string weights;  // what --weights is otherwise: Python
    std::set<std::string> imports{};
    std::int64_t steps = 0;
};

std::string weightsOf(const RunSpec& run, Script& script) {
    return initialWeights(run, {".npz", ".h5", ".keras"}, script.findings);
}

std::string writeHead(const RunSpec& run, const HeadParts& parts) {
    const std::string file(rowOf(parts.api).file);
    const bool pictures = std::find(parts.reader.imports.begin(), parts.reader.imports.end(), "PIL") != parts.reader.imports.end();
    const bool two = parts.version == Version::kTwo, estimator = parts.api == Api::kEstimator;
    std::string settings, names = "keras = tf.keras\nlayers = keras.layers\n";
    if (two && !estimator) settings = "os.environ['TF_USE_LEGACY_KERAS'] = '1'  # Keras 2\n";
    if (!two) names = "import keras\nfrom keras import layers\n";
    const std::string save =
        run.fit.save_weights.empty() ? "None" : pyText(run.fit.save_weights.substr(0, run.fit.save_weights.find('.')) + ".npz");
    const std::int64_t every = estimator ? run.estimator->run_config.log_step_count_steps : std::max<std::int64_t>(run.fit.log_every, 1);
    return filled(kHead, {{"NAME", run.name.empty() ? run.model.name : run.name},
                          {"WITH", std::string(rowOf(parts.api).title)},
                          {"VERSION", versionText(run, parts.api, parts.version)},
                          {"FILE", file},
                          {"TASKS", taskText(run, file)},
                          {"NEEDS", estimator ? "tensorflow 2.15 or older"
                                    : two     ? "tensorflow, tf_keras"
                                              : "tensorflow, keras"},
                          {"MORE", pictures ? ", Pillow" : ""},
                          {"IMPORTS", importLines(parts.reader, parts.imports)},
                          {"SETTINGS", settings},
                          {"PICTURES", pictures ? "from PIL import Image\n" : ""},
                          {"NAMES", names},
                          {"FOLDER", parts.reader.folder},
                          {"SAVE_WEIGHTS", save},
                          {"WEIGHTS", parts.weights},
                          {"STEPS", std::to_string(parts.steps)},
                          {"LOG_EVERY", std::to_string(every)},
                          {"SEED", std::to_string(run.fit.seed)},
                          {"READER", parts.reader.text},
                          {"SHUFFLE", run.data.shuffle > 0 ? ".shuffle(" + std::to_string(run.data.shuffle) + ")" : ""}});
}

std::string writeWeights(const RunSpec& run, const std::string& values = "model.get_weights()") {
    std::string names;
    for (const spec::LayerInfo& info : spec::inferShapes(run.model)) {
        for (const spec::VariableInfo& variable : info.variables) names += (names.empty() ? "\n    " : ",\n    ") + pyText(variable.name);
    }
    const bool adapts = spec::adaptedLayer(run.model) != nullptr;
    return filled(kWeights,
                  {{"VARIABLES", "[" + names + "]"},
                   {"VALUES", values},
                   {"TAKEN", adapts ? "    model.layers[0].finalize_state()  # it computes with values that it takes then\n" : ""}});
}

spec::CodeLayout layoutOf() {
    spec::CodeLayout layout;
    layout.width = 120;
    layout.reads_arrays = true;
    return layout;
}

// The values that a layer takes from the training samples, unless a file has them.
std::string adaptPart(const RunSpec& run, const spec::CodeLayout& layout) {
    spec::CodeLayout inner = layout;
    inner.width -= layout.indent;
    const std::string text = spec::code::writeAdaptPart(run, inner);
    return text.empty() ? text : "if not arguments.weights:\n" + spec::code::indentedLines(text, layout) + "\n";
}

// The classes of layers that the model's statement needs in front. Those are for Keras 3; Keras 2 builds an attention when it is called,
// and takes the mask from the tensor.
std::string classesOf(const RunSpec& run, const spec::CodeLayout& layout, Version version) {
    std::string text = spec::code::writeClassesPart(run, layout);
    if (version == Version::kTwo) {
        const std::size_t attention = text.find("class SelfAttention(");
        const std::size_t begin = attention == std::string::npos ? attention : text.find("    def build(", attention);
        if (begin != std::string::npos) text.erase(begin, text.find("    def call(", begin) - begin);
        replaceOnce(text, "value_mask=mask, ", "");
    }
    return text.empty() ? text : text + "\n\n";
}

std::string scoped(bool has_strategy, const std::string& text, const spec::CodeLayout& layout) {
    return has_strategy ? "with strategy.scope():\n" + spec::code::indentedLines(text, layout) : text;
}

std::string strategyPart(const RunSpec& run, const spec::CodeLayout& layout) {
    const std::string text = spec::code::writeStrategyPart(run, layout);
    if (text.empty()) return {};
    const bool servers = spec::strategyKind(run.strategy.name) == StrategyKind::kParameterServer;
    return "# ---- strategy ----\n\n" + (servers ? std::string(kServers) : std::string()) + text + "\n\n";
}

constexpr std::string_view kBegin = "if arguments.weights:\n    load_weights(model, arguments.weights)\n";

// Of an estimator, which trains a graph of its own: the model keeps what it began with. get_weights() fails once the model was given away.
constexpr std::string_view kOneByOne = "[weight.numpy() for weight in model.weights]";
constexpr std::string_view kTakeEstimatorsWeights =
    "if arguments.save_weights:\n"
    "    model.load_weights(estimator.latest_checkpoint()).expect_partial()\n"
    "    save_weights(model, arguments.save_weights)\n";

}  // namespace

// Keras' fit() looks each label up among the weights, from 0 on.
void weighAllClasses(RunSpec& run) {
    if (run.fit.class_weight.empty()) return;
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(run.model);
    const std::int64_t classes = infos.empty() ? 0 : std::max<std::int64_t>(infos.back().output_shape.back(), 2);
    for (std::int64_t label = 0; label < classes; ++label) {
        const auto isIt = [&](const auto& one) { return one.first == label; };
        if (std::none_of(run.fit.class_weight.begin(), run.fit.class_weight.end(), isIt)) run.fit.class_weight.emplace_back(label, 1.0);
    }
    std::sort(run.fit.class_weight.begin(), run.fit.class_weight.end());
}

// ---- fit() -----------------------------------------------------------------------------------------------------------

Script writeFitScript(const RunSpec& asked) {
    Script script;
    RunSpec run = spec::trainedRun(asked);
    run.estimator.reset();
    if (asked.estimator) {
        run.fit.epochs = std::max<std::int64_t>(asked.estimator->train_spec.input_repeats, 1);
        run.data.validate_on_test = asked.data.validate_on_test;
    }
    const DataReader reader = writeDataReader(run, script.findings);
    if (spec::hasErrors(script.findings)) return script;
    const Version version = versionOf(run, Api::kKeras);
    const spec::CodeLayout layout = layoutOf();
    weighAllClasses(run);
    std::int64_t steps = asked.fit.steps;
    if (asked.estimator) steps = asked.estimator->train_spec.max_steps.value_or(0);
    const std::string strategy = strategyPart(run, layout);
    const bool servers = spec::strategyKind(run.strategy.name) == StrategyKind::kParameterServer;
    std::string fit = spec::code::writeFitPart(run, layout, spec::code::validationData(run, layout));
    // The program's own callback says the losses; Keras' bar is for terminals.
    const std::string callbacks = "callbacks=[";
    const std::size_t at = fit.find(callbacks);
    const std::string own = "Steps()";
    if (at != std::string::npos) {
        const std::size_t first = fit.find_first_not_of(" \n", at + callbacks.size());
        fit.insert(first, own + ", ");
    } else {
        fit.insert(fit.rfind(')'), ", callbacks=[" + own + "]");
    }
    fit.insert(fit.rfind(')'),
               servers && run.fit.steps_per_epoch == 0 ? ", steps_per_epoch=len(x_train) // batch, verbose=2" : ", verbose=2");
    const bool workers = spec::strategyKind(run.strategy.name) == StrategyKind::kMultiWorkerMirrored;
    const std::string means =
        "# Keras 2 adds up what the workers report, which is the mean of all of them already.\n"
        "model.distribute_reduction_method = 'first'\n";
    const std::string model = spec::code::writeModelPart(run, layout) + "\n" + spec::code::writeCompilePart(run, layout) +
                              (workers ? means : std::string()) + std::string(kBegin);
    std::string body = strategy + "# ---- datasets ----\n\n" + spec::code::writeDataPart(run, layout) + "\n\n" + writeWeights(run) +
                       "# ---- model ----\n\n" + classesOf(run, layout, version) + scoped(!strategy.empty(), model, layout) +
                       "\nmodel.summary()\n\n\n# ---- training ----\n\n" + adaptPart(run, layout);
    for (const std::string& part : {spec::code::writePrintLrPart(run, layout), spec::code::writeSchedulePart(run, layout)}) {
        if (!part.empty()) body += part + "\n\n";
    }
    // Batches that do not repeat end with one of what is left.
    const std::string some = run.fit.steps_per_epoch > 0 ? "1" : "min(batch, len(x_train) - batch_index * batch)";
    body += servers ? std::string(kServerSteps) : filled(kSteps, {{"SAMPLES", some}});
    if (servers && hasValidation(run)) {
        body += "test_steps = None if x_test is None else -(-len(x_test) // batch)\n";
        replaceOnce(fit, "validation_data=test_dataset",
                    "validation_data=None if x_test is None else test_dataset.repeat(), validation_steps=test_steps");
    }
    if (servers) replaceOnce(fit, "model.fit(train_dataset", "model.fit(train_dataset.repeat()");  // each worker takes from one of its own
    body += fit;
    if (hasValidation(run)) {
        body += "if x_test is not None:\n    print(model.evaluate(" +
                std::string(servers ? "test_dataset.repeat(), steps=test_steps" : "test_dataset") + ", return_dict=True, verbose=2))\n";
    }
    script.text =
        writeHead(run, {.api = Api::kKeras, .version = version, .reader = reader, .weights = weightsOf(run, script), .steps = steps}) +
        body + std::string(kAfterFit);
    return script;
}

// ---- a loop of its own -----------------------------------------------------------------------------------------------

Script writeLoopScript(const RunSpec& asked) {
    Script script;
    RunSpec run = spec::trainedRun(asked);
    run.estimator.reset();
    if (asked.estimator) {
        run.fit.epochs = std::max<std::int64_t>(asked.estimator->train_spec.input_repeats, 1);
        run.data.validate_on_test = asked.data.validate_on_test;
    }
    if (spec::strategyKind(run.strategy.name) == StrategyKind::kParameterServer) {
        script.findings.push_back(
            {spec::Severity::kError, "strategy.name",
             "expected a strategy whose replicas step together, which strategy.run() is for, got ParameterServerStrategy "
             "(its program is --api keras)",
             ""});
    }
    const DataReader reader = writeDataReader(run, script.findings);
    // Keras' callbacks do in any loop that calls them; BackupAndRestore alone goes on in fit() only.
    std::string begin, epoch_begin, epoch_end;
    RunSpec called = run;
    std::erase_if(called.callbacks, [](const spec::ObjectSpec& callback) { return callback.class_name == "BackupAndRestore"; });
    for (const spec::ObjectSpec& callback : run.callbacks) {
        if (callback.class_name != "BackupAndRestore") continue;
        const std::string folder = pyText(spec::callbackSettings(callback).getString("backup_dir"));
        begin += "position = tf.Variable(" + std::to_string(run.fit.initial_epoch) +
                 ", dtype=tf.int64)  # BackupAndRestore: the next epoch\n"
                 "checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, position=position)\n"
                 "manager = tf.train.CheckpointManager(checkpoint, " +
                 folder + " if is_chief else " + folder + " + '_other', max_to_keep=1)\ncheckpoint.restore(manager.latest_checkpoint)\n";
        epoch_begin += "    if epoch < int(position):\n        continue\n";
        epoch_end += "    position.assign(epoch + 1)\n    manager.save()\n";
    }
    if (run.compile.loss_scale || run.model.dtype_policy == "mixed_float16") {
        script.findings.push_back(
            {spec::Severity::kError, "model.dtype_policy", "expected no scale of the loss, which fit() alone keeps, got one", ""});
    }
    if (spec::hasErrors(script.findings)) return script;
    const Version version = versionOf(run, Api::kCustomLoop);
    const spec::CodeLayout layout = layoutOf();
    const std::string strategy = strategyPart(run, layout);
    spec::ObjectSpec loss = run.compile.loss;
    loss.config.erase("reduction");
    loss.config.set("reduction", std::string("none"));
    const bool sums = run.compile.loss.config.getString("reduction", "") == "sum";
    // compile() by its parts.
    RunSpec parts = run;
    parts.compile.loss = loss;
    const spec::code::Node call = spec::code::compileCall(parts);
    std::string objects;
    const auto argument = [&](const std::string& name) -> std::string {
        for (std::size_t i = 0; i < call.keywords.size(); ++i) {
            if (call.keywords[i] == name) return spec::code::nodeLine(call.items[i + 1]);
        }
        return {};
    };
    objects += "model.compile(optimizer=" + argument("optimizer") +
               ")  # callbacks look for it there\noptimizer = model.optimizer\noptimizer.build(model.trainable_variables)\nloss_object = " +
               argument("loss") + "\n";
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(run.model);
    const bool one = !infos.empty() && infos.back().output_shape.back() == 1;
    const std::string accuracy =
        one ? "keras.metrics.BinaryAccuracy"
        : run.data.one_hot > 0 || (loss.class_name.starts_with("Categorical") && !spec::takesWholeLabels(loss.class_name))
            ? "keras.metrics.CategoricalAccuracy"
            : "keras.metrics.SparseCategoricalAccuracy";
    bool weighs = false;
    for (const char* list : {"metrics", "weighted_metrics"}) {
        std::string names = argument(list);
        for (const char* plain : {"'accuracy'", "'acc'"}) {
            if (const std::size_t at = names.find(plain); at != std::string::npos) {
                names.replace(at, std::string(plain).size(), accuracy + "(name=" + plain + ")");
            }
        }
        if (names.find("['") != std::string::npos || names.find(", '") != std::string::npos)
            names = "[metric_of(metric) for metric in " + names + "]";
        if (list == std::string_view("metrics") || !names.empty())
            objects += std::string(list) + " = " + (names.empty() ? "[]" : names) + "\n";
        weighs |= list == std::string_view("weighted_metrics") && !names.empty();
    }
    objects += "mean_loss = keras.metrics.Mean(name='loss')\n";
    const std::string model = spec::code::writeModelPart(run, layout) + objects + std::string(kBegin);
    std::string weighted;
    std::string extra;
    if (!run.fit.class_weight.empty()) {
        std::string table;
        for (const auto& [label, weight] : run.fit.class_weight)
            table += (table.empty() ? "" : ", ") + std::to_string(label) + ": " + pyNumber(weight);
        extra = "CLASS_WEIGHT = {" + table + "}\n\n\ndef weights_of(y):\n    labels = " +
                std::string(run.data.one_hot > 0 ? "tf.argmax(y, -1)" : "tf.cast(tf.reshape(y, [-1]), tf.int64)") +
                "\n    table = [CLASS_WEIGHT.get(label, 1.0) for label in range(max(CLASS_WEIGHT) + 1)]\n"
                "    return tf.where(labels < len(table), tf.gather(table, tf.minimum(labels, len(table) - 1)), 1.0)\n\n";
        weighted = " * weights_of(y)";
    }
    const spec::code::Node fit = spec::code::fitCall(called, layout);
    std::string callbacks = "[]";
    for (std::size_t i = 0; i < fit.keywords.size(); ++i) {
        if (fit.keywords[i] == "callbacks") callbacks = spec::code::nodeLine(fit.items[i + 1]);
    }
    const std::string per_sample = "(strategy.num_replicas_in_sync * tf.cast(tf.size(losses), tf.float32))";
    const bool validates = hasValidation(run);
    const std::string some_batches = run.fit.validation_steps > 0
                                         ? "itertools.islice(test_batches, " + std::to_string(run.fit.validation_steps) + ")"
                                         : std::string("test_batches");
    const std::string epochs = validatesText(run.fit);
    const std::string when = epochs == "True" ? "x_test is not None" : "x_test is not None and " + epochs;
    const std::string evaluation = validates
                                       ? "    if " + when + ":\n        callbacks.on_test_begin()\n        for x, y in " + some_batches +
                                             ":\n            test_step(x, y)\n        logs.update(take_results('val_'))\n"
                                             "        callbacks.on_test_end(logs)\n"
                                       : "";
    const std::string batches =
        run.fit.steps_per_epoch > 0 ? "itertools.islice(endless, " + std::to_string(run.fit.steps_per_epoch) + ")" : "train_batches";
    if (run.fit.steps_per_epoch > 0) begin += "endless = iter(train_batches)  # it repeats: an epoch is a number of steps\n";
    std::string body = strategy.empty() ? "strategy = tf.distribute.get_strategy()  # one device\n\n\n" : strategy;
    body += "# ---- datasets ----\n\n" + spec::code::writeDataPart(run, layout) + "\n\n" + writeWeights(run) + "# ---- model ----\n\n" +
            classesOf(run, layout, version) + (objects.find("metric_of(") != std::string::npos ? std::string(kMetricOf) : std::string()) +
            scoped(true, model, layout) + "\nmodel.summary()\n\n\n# ---- training ----\n\n" + adaptPart(run, layout) + extra;
    for (const std::string& part : {spec::code::writePrintLrPart(run, layout), spec::code::writeSchedulePart(run, layout)}) {
        if (!part.empty()) body += part + "\n\n";
    }
    body += filled(
        kLoop, {{"WEIGHTED", weighted},
                {"WEIGHTED_UPDATE", weighs ? "    for metric in weighted_metrics:\n        metric.update_state(y, outputs" +
                                                 std::string(weighted.empty() ? "" : ", sample_weight=weights_of(y)") + ")\n"
                                           : ""},
                {"WEIGHTED_RESULTS", weighs ? std::string(kWeightedResults) : std::string()},
                {"ALL_METRICS", weighs ? "[*metrics, *weighted_metrics]" : "metrics"},
                {"DIVISOR", sums ? std::string("1.0") : per_sample},
                {"TEST_BATCHES",
                 validates ? "test_batches = None if x_test is None else strategy.experimental_distribute_dataset(test_dataset)\n" : ""},
                {"BEGIN", begin},
                {"FIRST_EPOCH", std::to_string(run.fit.initial_epoch)},
                {"EPOCHS", std::to_string(run.fit.epochs)},
                {"EPOCH_BEGIN", epoch_begin},
                {"BATCHES", batches},
                {"CALLBACKS", callbacks},
                {"EVALUATION", evaluation},
                {"EPOCH_END", epoch_end}});
    const std::int64_t steps = asked.estimator ? asked.estimator->train_spec.max_steps.value_or(0) : asked.fit.steps;
    script.text = writeHead(run, {.api = Api::kCustomLoop,
                                  .version = version,
                                  .reader = reader,
                                  .weights = weightsOf(run, script),
                                  .imports = {"itertools", "json"},
                                  .steps = steps}) +
                  body;
    return script;
}

// ---- an estimator ----------------------------------------------------------------------------------------------------

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
                  strategy + "# ---- input ----\n\n" + spec::code::writeInputPart(run, layout, {}) + "\n\n" +
                  writeWeights(run, std::string(kOneByOne)) + "# ---- model ----\n\n" + classesOf(run, layout, Version::kTwo) +
                  spec::code::writeModelPart(run, layout) + "\n" + spec::code::writeCompilePart(run, layout) + std::string(kBegin) +
                  "\nconfig = " + config + "\nestimator = tf.keras.estimator.model_to_estimator(keras_model=model, config=config)\n\n" +
                  "# ---- training ----\n\ntf.get_logger().setLevel('INFO')\n" + training + std::string(kTakeEstimatorsWeights);
    return script;
}

}  // namespace engine::script::keras
