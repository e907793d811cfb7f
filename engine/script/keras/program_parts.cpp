#include "engine/script/keras/program_parts.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "engine/script/python_text.h"
#include "engine/spec/catalog/adapted_layer.h"
#include "engine/spec/catalog/lookup_table.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/keras/python/python_literal.h"
#include "engine/spec/project/estimator_run.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::script::keras {
namespace {

using spec::RunSpec;
using spec::StrategyKind;

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


{{TABLES}}def load_weights(model, file):
    if not file.endswith('.npz'):
        model.load_weights(file)
        return
    stored = np.load(file)
    model.set_weights([stored[name] for name in VARIABLES])
{{TAKEN}}

def save_weights(model, file):
    pathlib.Path(file).parent.mkdir(parents=True, exist_ok=True)
    np.savez(file, **{name: np.float32(values) for name, values in zip(VARIABLES, {{VALUES}})}{{MORE}})


)py";

// What a first layer takes from samples is none of Keras' weights.
constexpr std::string_view kBoundaries = R"py(def set_tables(model, stored):
    """What adapt() would find."""
    model.layers[0].bin_boundaries = stored[{{NAME}} + '/boundaries'].tolist()


def tables(model):
    boundaries = list(model.layers[0].bin_boundaries)
    return { {{NAME}} + '/boundaries': np.float32(boundaries + [{{FREE}}] * ({{SIZE}} - len(boundaries)))}


)py";

constexpr std::string_view kVocabulary = R"py(def set_tables(model, stored):
    """What adapt() would find: values with their places, which begin behind those of a mask and of values that are not known."""
    pairs = zip(stored[{{NAME}} + '/values'], stored[{{NAME}} + '/places'])
    rows = sorted(({{PLACE_AND_TOKEN}}) for value, place in pairs if value < {{FREE}} and {{PLACE}} >= {{FIRST}})
    words = [token for _, token in rows]
    model.layers[0].set_vocabulary(words{{SET_WEIGHTS}})


def tables(model):
    words = model.layers[0].get_vocabulary(include_special_tokens=False)
    rows = [({{VALUE_AND_PLACE}}) for place, word in enumerate(words, {{FIRST}})]{{MASK}}
    rows = sorted(rows) + [({{FREE}}, {{OTHERWISE}})] * ({{SIZE}} - len(rows))
    values, places = np.float32(rows).T
    return { {{NAME}} + '/values': values, {{NAME}} + '/places': places{{WEIGHTS}}}


)py";

constexpr std::string_view kServers = R"py(# Workers and parameter servers wait for the chief's work; the chief goes on below.
resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type in ('worker', 'ps'):
    tf.distribute.Server(resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id, protocol='grpc').join()
)py";

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

}  // namespace

const std::string_view kLoadWeights = "if arguments.weights:\n    load_weights(model, arguments.weights)\n";

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

void replaceOnce(std::string& text, std::string_view from, std::string_view to) {
    if (const std::size_t at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
}

RunSpec withoutEstimator(const RunSpec& asked) {
    RunSpec run = spec::trainedRun(asked);
    run.estimator.reset();
    if (asked.estimator) {
        run.fit.epochs = std::max<std::int64_t>(asked.estimator->train_spec.input_repeats, 1);
        run.data.validate_on_test = asked.data.validate_on_test;
    }
    return run;
}

std::int64_t stepsOf(const RunSpec& asked) {
    return asked.estimator ? asked.estimator->train_spec.max_steps.value_or(0) : asked.fit.steps;
}

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
        run.fit.save_weights.empty() ? "None" : spec::pythonText(run.fit.save_weights.substr(0, run.fit.save_weights.find('.')) + ".npz");
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

namespace {

std::string boundaryTables(const spec::LayerSpec& layer, const spec::LayerInfo& info) {
    return filled(kBoundaries, {{"NAME", spec::pythonText(layer.name)},
                                {"FREE", pyNumber(static_cast<double>(spec::kNoBoundary))},
                                {"SIZE", std::to_string(info.variables.front().shape.front())}});
}

std::string vocabularyTables(const spec::LayerSpec& layer, const spec::LayerInfo& info) {
    const spec::Settings settings = spec::settingsOf(layer);
    const spec::LookupTable table = spec::lookupTable(settings);
    const bool inverts = settings.getBool("invert"), has_weights = settings.getString("output_mode") == "tf_idf";
    const std::string name = spec::pythonText(layer.name), first = std::to_string(table.first);
    std::string mask;
    if (const auto token = settings.findInt("mask_token")) {
        const std::string value = std::to_string(*token), place = settings.getString("output_mode") == "int" ? "0" : "-1";
        mask = " + [(" + (inverts ? place + ", " + value : value + ", " + place) + ")]";
    }
    return filled(kVocabulary,
                  {{"NAME", name},
                   {"FREE", std::to_string(static_cast<std::int64_t>(spec::kNoValue))},
                   {"FIRST", first},
                   {"PLACE", inverts ? "value" : "place"},
                   {"PLACE_AND_TOKEN", inverts ? "int(value), int(place)" : "int(place), int(value)"},
                   {"VALUE_AND_PLACE", inverts ? "place, int(word)" : "int(word), place"},
                   {"MASK", mask},
                   {"OTHERWISE", std::to_string(table.otherwise)},
                   {"SIZE", std::to_string(info.variables.front().shape.front())},
                   {"SET_WEIGHTS", has_weights ? ", stored[" + name + " + '/idf_weights'][" + first + ":" + first + " + len(words)]" : ""},
                   {"WEIGHTS", has_weights ? ", " + name + " + '/idf_weights': model.layers[0].idf_weights.numpy()" : ""}});
}

// Weights of tf_idf that the project gives: a dictionary by their variables' names, empty without any.
std::string givenWeights(const RunSpec& run) {
    std::string entries;
    for (const spec::LayerSpec& layer : run.model.layers) {
        if (layer.class_name != "IntegerLookup" || spec::isAdapted(layer)) continue;
        const std::vector<float> weights = spec::idfWeights(spec::settingsOf(layer));
        if (weights.empty()) continue;
        entries += (entries.empty() ? "" : ", ") + spec::pythonText(layer.name + "/idf_weights") + ": np.float32(" +
                   pyList({weights.begin(), weights.end()}) + ")";
    }
    return entries.empty() ? entries : ", **{" + entries + "}";
}

}  // namespace

std::string writeWeights(const RunSpec& run, std::string_view values) {
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(run.model);
    std::string names;
    for (std::size_t i = 0; i < infos.size(); ++i) {
        if (spec::keepsTakenInFields(run.model.layers[i])) continue;
        for (const spec::VariableInfo& variable : infos[i].variables)
            names += (names.empty() ? "\n    " : ",\n    ") + spec::pythonText(variable.name);
    }
    const spec::LayerSpec* adapted = spec::adaptedLayer(run.model);
    const bool has_tables = adapted != nullptr && spec::keepsTakenInFields(*adapted) && infos.front().known;
    std::string tables, taken;
    if (has_tables) {
        tables =
            adapted->class_name == "Discretization" ? boundaryTables(*adapted, infos.front()) : vocabularyTables(*adapted, infos.front());
        taken = "    set_tables(model, stored)\n";
    } else if (adapted != nullptr && spec::textLayer(run.model) == nullptr) {
        taken = "    model.layers[0].finalize_state()  # it computes with values that it takes then\n";
    }
    return filled(kWeights, {{"VARIABLES", "[" + names + "]"},
                             {"TABLES", tables},
                             {"VALUES", std::string(values)},
                             {"MORE", (has_tables ? ", **tables(model)" : "") + givenWeights(run)},
                             {"TAKEN", taken}});
}

spec::CodeLayout layoutOf() {
    spec::CodeLayout layout;
    layout.width = 120;
    layout.reads_arrays = true;
    return layout;
}

std::string adaptPart(const RunSpec& run, const spec::CodeLayout& layout) {
    spec::CodeLayout inner = layout;
    inner.width -= layout.indent;
    const std::string text = spec::code::writeAdaptPart(run, inner);
    if (spec::textLayer(run.model) != nullptr) return text.empty() ? text : text + "\n";  // a file of weights has no vocabulary
    return text.empty() ? text : "if not arguments.weights:\n" + spec::code::indentedLines(text, layout) + "\n";
}

// The classes are for Keras 3; Keras 2 builds an attention when it is called,
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

std::string schedulesOf(const RunSpec& run, const spec::CodeLayout& layout) {
    std::string text;
    for (const std::string& part : {spec::code::writePrintLrPart(run, layout), spec::code::writeSchedulePart(run, layout)}) {
        if (!part.empty()) text += part + "\n\n";
    }
    return text;
}

std::string scoped(const std::string& text, const spec::CodeLayout& layout) {
    return "with strategy.scope():\n" + spec::code::indentedLines(text, layout);
}

std::string strategyPart(const RunSpec& run, const spec::CodeLayout& layout) {
    const std::string text = spec::code::writeStrategyPart(run, layout);
    if (text.empty()) return {};
    const bool servers = spec::strategyKind(run.strategy.name) == StrategyKind::kParameterServer;
    return "# ---- strategy ----\n\n" + (servers ? std::string(kServers) : std::string()) + text + "\n\n";
}

}  // namespace engine::script::keras
