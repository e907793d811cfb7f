#include <algorithm>
#include <vector>

#include "engine/script/keras/keras_script.h"
#include "engine/script/keras/program_parts.h"
#include "engine/script/python_text.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::script::keras {
namespace {

using spec::RunSpec;
using spec::StrategyKind;

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

constexpr std::string_view kAfterFit = R"py(
if arguments.save_weights:
    save_weights(model, arguments.save_weights)
)py";

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

}  // namespace

Script writeFitScript(const RunSpec& asked) {
    Script script;
    RunSpec run = withoutEstimator(asked);
    const DataReader reader = writeDataReader(run, script.findings);
    if (spec::hasErrors(script.findings)) return script;
    const Version version = versionOf(run, Api::kKeras);
    const spec::CodeLayout layout = layoutOf();
    weighAllClasses(run);
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
                              (workers ? means : std::string()) + std::string(kLoadWeights);
    std::string body = strategy + "# ---- datasets ----\n\n" + spec::code::writeDataPart(run, layout) + "\n\n" + writeWeights(run) +
                       "# ---- model ----\n\n" + classesOf(run, layout, version) + (strategy.empty() ? model : scoped(model, layout)) +
                       "\nmodel.summary()\n\n\n# ---- training ----\n\n" + adaptPart(run, layout);
    body += schedulesOf(run, layout);
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
        writeHead(run,
                  {.api = Api::kKeras, .version = version, .reader = reader, .weights = weightsOf(run, script), .steps = stepsOf(asked)}) +
        body + std::string(kAfterFit);
    return script;
}

}  // namespace engine::script::keras
