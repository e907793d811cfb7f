// The parts of a whole program beside the model: its strategy and its data; and the program.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/spec/catalog/adapted_layer.h"
#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/keras/code/written_parts.h"
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/mixing/mix_settings.h"
#include "engine/spec/project/data_order.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/spec/shape.h"

namespace engine::spec {
namespace {

using namespace code;

std::string quoted(const std::string& text) {
    Node node;
    node.kind = Node::Kind::kText;
    node.text = text;
    return nodeLine(node);
}

std::string numberText(double value) {
    Node node;
    const bool whole = value == std::floor(value) && std::fabs(value) < 1e15;
    node.kind = whole ? Node::Kind::kInt : Node::Kind::kReal;
    node.whole = whole ? static_cast<std::int64_t>(value) : 0;
    node.real = value;
    return nodeLine(node);
}

std::string listText(const std::vector<double>& values) {
    std::string text;
    for (const double value : values) text += (text.empty() ? "[" : ", ") + numberText(value);
    return text + "]";
}

std::string shapeText(const Shape& shape) {
    std::string text;
    for (const std::int64_t size : shape) text += (text.empty() ? "(" : ", ") + std::to_string(size);
    return text + (shape.size() == 1 ? ",)" : ")");
}

bool isScoped(const RunSpec& run) {
    return run.strategy.name != "DefaultStrategy";
}

bool isOnTpu(const RunSpec& run) {
    return strategyKind(run.strategy.name) == StrategyKind::kTpu;
}

std::string indented(const std::string& code, const CodeLayout& layout) {
    const std::string margin(static_cast<std::size_t>(layout.indent), ' ');
    std::string text;
    for (std::size_t at = 0; at < code.size();) {
        const std::size_t end = code.find('\n', at) + 1;
        text += (code[at] == '\n' ? "" : margin) + code.substr(at, end - at);
        at = end;
    }
    return text;
}

// Sets that Keras fetches itself.
bool isOfKeras(const std::string& set) {
    static constexpr std::array<std::string_view, 4> kSets{"mnist", "fashion_mnist", "cifar10", "cifar100"};
    return std::find(kSets.begin(), kSets.end(), set) != kSets.end();
}

// A folder that Keras reads itself, for a model that takes texts.
bool isTextFolder(const RunSpec& run) {
    return run.data.dataset == "text_folder" && run.model.input_dtype == kTextInput && run.data.train_files.size() == 1;
}

bool hasDataCode(const RunSpec& run, const CodeLayout& layout) {
    return layout.reads_arrays || findNamedDataset(run.data.dataset) != nullptr || isTextFolder(run);
}

// The call has its samples one by one: what they pass stands behind it. Tandem follows links, which Keras does when it is asked to.
std::string textFolderCall(const DataSpec& data, const std::string& folder, const std::string& subset) {
    Node call = calledNode("keras.utils.text_dataset_from_directory");
    addCallArgument(call, "", textNode(folder));
    addCallArgument(call, "batch_size", wordNode("None"));
    const bool mixes = data.split_seed >= 0 && subset != "test";
    mixes ? addCallArgument(call, "seed", numberNode(data.split_seed)) : addCallArgument(call, "shuffle", wordNode("False"));
    if (data.validation_split > 0 && subset != "test") {
        addCallArgument(call, "validation_split", wordNode(numberText(data.validation_split)));
        addCallArgument(call, "subset", textNode(subset));
    }
    addCallArgument(call, "follow_links", wordNode("True"));
    return nodeLine(call);
}

std::int64_t sizeOf(const Shape& shape) {
    std::int64_t size = 1;
    for (const std::int64_t side : shape) size *= side;
    return size;
}

// The function that every sample passes; empty where it does nothing.
std::string writePrepare(const RunSpec& run, const CodeLayout& layout, const std::string& feature) {
    const DataSpec& data = run.data;
    const NamedDataset* set = findNamedDataset(data.dataset);
    const std::string margin(static_cast<std::size_t>(layout.indent), ' ');
    std::string body;
    const auto say = [&](const std::string& line) { body += margin + line + "\n"; };
    const bool are_texts = run.model.input_dtype == kTextInput;
    const bool scales = !are_texts && (data.scale != 1 || data.offset != 0);
    const bool normalizes = !are_texts && !data.std.empty();
    const Shape given = set == nullptr ? Shape() : set->sample_shape;
    const Shape input = are_texts ? kerasInputShape(run.model) : run.model.input_shape;
    const bool shapes = !layout.reads_arrays && given != input && sizeOf(given) == sizeOf(input);
    if (scales || normalizes) say("image = tf.cast(image, tf.float32)");
    const auto scale = [&] {
        const double divisor = 1 / data.scale;
        const bool divides = std::fabs(divisor - std::round(divisor * 2) / 2) < 1e-9 * std::fabs(divisor) && std::fabs(divisor) > 1;
        std::string line = "image = image";
        if (data.scale != 1) line += divides ? " / " + numberText(std::round(divisor * 2) / 2) : " * " + numberText(data.scale);
        if (data.offset != 0) line += (data.offset < 0 ? " - " : " + ") + numberText(std::fabs(data.offset));
        if (scales) say(line);
    };
    const bool first = normalizes && meaningOf(data, passesOf(run)).normalizes_first;
    if (!first) scale();
    if (normalizes) say("image = (image - " + listText(data.mean) + ") / " + listText(data.std));
    if (first) scale();
    if (shapes) say("image = tf.reshape(image, " + shapeText(input) + ")");
    if (data.one_hot > 0 && !layout.reads_arrays) say("label = tf.one_hot(tf.reshape(label, ()), " + std::to_string(data.one_hot) + ")");
    if (body.empty() && (feature.empty() || (!layout.reads_arrays && set != nullptr && set->is_computed))) return {};
    const std::string sample = feature.empty() ? "image" : "{" + quoted(feature) + ": image}";
    return "def prepare(image, label):\n" + body + margin + "return " + sample + ", label\n";
}

// The layer that mixes batches and the function that gives it images and labels as it takes them: pictures of three axes, labels of one.
std::string writeMix(const RunSpec& run, const CodeLayout& layout) {
    const DataSpec& data = run.data;
    if (!isMixed(data) || run.estimator) return {};
    const std::string margin(static_cast<std::size_t>(layout.indent), ' ');
    const Shape& input = run.model.input_shape;
    const NamedDataset* set = findNamedDataset(data.dataset);
    std::optional<ImageSize> image = imageSizeOf(input, set == nullptr ? Shape() : set->sample_shape);
    if (data.mix.class_name == "MixUp" && input.size() != 3) image = ImageSize{sizeOf(input), 1, 1};  // any places will do
    std::string call = objectCall(data.mix, Family::kMix);
    if (run.model.dtype_policy != "float32") {  // the model's policy is not the data's
        const bool alone = call.ends_with("()");
        call.insert(call.size() - 1, std::string(alone ? "" : ", ") + "dtype='float32'");
    }
    std::string text = "mixer = " + call + "\n\ndef mix(images, labels):\n", images = "images", labels = "labels",
                mixed_images = "mixed['images']", mixed_labels = "mixed['labels']";
    const auto say = [&](const std::string& line) { text += margin + line + "\n"; };
    if (image && input.size() != 3) {
        images = "pictures";
        say("pictures = tf.reshape(images, " + shapeText({-1, image->rows, image->columns, image->channels}) + ")");
        Shape batch = input;
        batch.insert(batch.begin(), -1);
        mixed_images = "tf.reshape(" + mixed_images + ", " + shapeText(batch) + ")";
    }
    if (data.one_hot == 0) {
        labels = "rows";
        say("rows = tf.reshape(tf.cast(labels, tf.float32), (tf.shape(labels)[0], -1))");
        mixed_labels = "tf.reshape(" + mixed_labels + ", tf.shape(labels))";
    }
    say("mixed = mixer({'images': " + images + ", 'labels': " + labels + "})");
    say("return " + mixed_images + ", " + mixed_labels);
    return text + "\n";
}

std::string chainOf(const RunSpec& run, const CodeLayout& layout, bool prepared, bool training) {
    const DataSpec& data = run.data;
    std::string text = prepared ? ".map(prepare)" : "";
    const std::string mix = training && isMixed(data) && !run.estimator ? ".map(mix)" : "";
    for (const DataStep step : data.order) {
        if (!isOn(data, passesOf(run), step)) continue;
        if (!training && step != DataStep::kBatch) continue;
        switch (step) {
            case DataStep::kTake:
                text += ".take(" + std::to_string(data.take) + ")";
                break;
            case DataStep::kCache:
                text += ".cache()";
                break;
            case DataStep::kShuffle:
                text += layout.reads_arrays ? ".apply(shuffled)" : ".shuffle(" + std::to_string(data.shuffle) + ")";
                break;
            case DataStep::kRepeat:
                text += run.estimator && run.estimator->train_spec.input_repeats > 1
                            ? ".repeat(" + std::to_string(run.estimator->train_spec.input_repeats) + ")"
                            : ".repeat()";
                break;
            case DataStep::kBatch:
                // A TPU's program is compiled for one shape.
                text += isOnTpu(run) || (training && data.drop_remainder) ? ".batch(batch, drop_remainder=True)" : ".batch(batch)";
                break;
            case DataStep::kPrefetch:
                text += mix + ".prefetch(" + std::to_string(data.prefetch) + ")";
                break;
            case DataStep::kScale:
            case DataStep::kNormalize:
            case DataStep::kOneHot:
                break;
        }
    }
    return training && isOn(data, passesOf(run), DataStep::kPrefetch) ? text : text + mix;
}

// A long chain goes on below, behind a backslash.
void sayChain(std::string& text, const std::string& line, const CodeLayout& layout) {
    std::string rest = line;
    const auto room = static_cast<std::size_t>(std::max(layout.width, 20));
    while (rest.size() > room) {
        std::size_t dot = rest.rfind(").", room - 2);
        const bool early = dot == std::string::npos || dot < static_cast<std::size_t>(layout.indent) + 1;
        if (early) dot = rest.find(").", static_cast<std::size_t>(layout.indent) + 1);
        if (dot == std::string::npos) break;
        text += rest.substr(0, dot + 1) + " \\\n";
        rest = std::string(static_cast<std::size_t>(layout.indent), ' ') + rest.substr(dot + 1);
    }
    text += rest + "\n";
}

// Connected and initialized before anything else: that clears the TPU's memory.
std::string writeResolver(const StrategySpec& strategy, const CodeLayout& layout) {
    const Node call = resolverCall(strategy);
    const std::string start = "resolver = " + std::string(calledName(call)) + "(";
    std::string text = "resolver = " + nodeLine(call) + "\n";
    if (text.size() > static_cast<std::size_t>(layout.width) + 1 && !call.keywords.empty()) {
        const std::string margin(static_cast<std::size_t>(layout.indent), ' ');
        text = start;
        for (std::size_t i = 0; i < call.keywords.size(); ++i) text += (i == 0 ? "\n" : ",\n") + margin + argumentLine(call, i);
        text += ")\n";
    }
    return text + "tf.config.experimental_connect_to_cluster(resolver)\ntf.tpu.experimental.initialize_tpu_system(resolver)\n";
}

}  // namespace

Node code::resolverCall(const StrategySpec& strategy) {
    const ObjectSchema& schema = clusterResolverSchemas().front();
    Node call;
    call.kind = Node::Kind::kCall;
    call.items.push_back(wordNode("tf.distribute.cluster_resolver." + schema.class_name));
    for (const FieldSchema& field : schema.fields) {
        const FieldValue* value = strategy.cluster_resolver.config.find(field.name);
        const auto* text = value == nullptr || *value == field.fallback ? nullptr : std::get_if<std::string>(value);
        if (text == nullptr) continue;
        Node node;
        node.kind = Node::Kind::kText;
        node.text = *text;
        addCallArgument(call, field.name, std::move(node));
    }
    return call;
}

std::string code::writeStrategyPart(const RunSpec& run, const CodeLayout& layout) {
    const StrategySpec& strategy = run.strategy;
    if (!isScoped(run)) return {};
    std::string text, arguments;
    const auto say = [&](const std::string& argument) { arguments += (arguments.empty() ? "" : ", ") + argument; };
    if (strategy.logical_cpus > 1 && !isOnTpu(run)) {
        text +=
            "tf.config.set_logical_device_configuration(\n    tf.config.list_physical_devices('CPU')[0], "
            "[tf.config.LogicalDeviceConfiguration()] * " +
            std::to_string(strategy.logical_cpus) + ")\n";
    }
    std::string devices;
    for (const std::string& device : strategy.devices) devices += (devices.empty() ? "" : ", ") + quoted(device);
    if (devices.empty() && strategy.logical_cpus > 1) {
        for (std::int64_t i = 0; i < strategy.logical_cpus; ++i) devices += (i == 0 ? "'CPU:" : ", 'CPU:") + std::to_string(i) + "'";
    }
    const StrategyRow* row = findStrategy(strategy.name);
    switch (row == nullptr ? StrategyKind::kDefault : row->kind) {
        case StrategyKind::kDefault:
            break;
        case StrategyKind::kOneDevice:
            say(strategy.devices.empty() ? "'/cpu:0'" : quoted(strategy.devices.front()));
            break;
        case StrategyKind::kMirrored:
            if (!devices.empty()) say("devices=[" + devices + "]");
            if (strategy.cross_device_ops != StrategySpec().cross_device_ops) {
                std::string ops = "tf.distribute." + strategy.cross_device_ops.class_name + "(";
                if (const FieldValue* packs = strategy.cross_device_ops.config.find("num_packs")) {
                    if (const auto* count = std::get_if<std::int64_t>(packs)) ops += "num_packs=" + std::to_string(*count);
                }
                say("cross_device_ops=" + ops + ")");
            }
            break;
        case StrategyKind::kMultiWorkerMirrored:
            if (strategy.communication == "MPI") {
                text += "# The project sums by MPI, which TensorFlow does not have: AUTO takes its place.\n";
            } else if (strategy.communication != "AUTO") {
                say("communication_options=tf.distribute.experimental.CommunicationOptions(\n"
                    "        implementation=tf.distribute.experimental.CommunicationImplementation." +
                    strategy.communication + ")");
            }
            break;
        case StrategyKind::kCentralStorage:
            if (!devices.empty()) say("compute_devices=[" + devices + "]");
            break;
        case StrategyKind::kParameterServer:
            say("tf.distribute.cluster_resolver.TFConfigClusterResolver()");
            break;
        case StrategyKind::kTpu:
            text += writeResolver(strategy, layout);
            say("resolver");
            break;
    }
    const std::string module(row == nullptr ? rowOf(StrategyKind::kDefault).module : row->module);
    const std::string line = "strategy = " + module + strategy.name + "(" + arguments + ")\n";
    return text + line;
}

std::string code::validationData(const RunSpec& run, const CodeLayout& layout) {
    const bool split = run.data.validation_split > 0;
    const bool tests = run.data.validate_on_test && (layout.reads_arrays || !isTextFolder(run) || !run.data.test_files.empty());
    return hasDataCode(run, layout) && (split || tests) ? "test_dataset" : "";
}

namespace {

// The expressions that open the sets, and the statements in front of them.
struct DataSources {
    std::string statements, train, test;
};

DataSources sourcesOf(const RunSpec& run, const CodeLayout& layout, const std::string& feature, bool has_prepare) {
    const DataSpec& data = run.data;
    const NamedDataset* set = findNamedDataset(data.dataset);
    const bool split = data.validation_split > 0;
    DataSources sources;
    auto& [text, train, test] = sources;
    if (layout.reads_arrays) {
        text += "x_train, y_train, x_test, y_test = read_data(arguments.data)\n";
        train = "tf.data.Dataset.from_tensor_slices((x_train, y_train))";
        test = "tf.data.Dataset.from_tensor_slices((x_test, y_test))";
    } else if (isTextFolder(run)) {
        train = textFolderCall(data, data.train_files.front(), "training");
        const std::string tested = data.test_files.empty() ? std::string() : data.test_files.front();
        test = split ? textFolderCall(data, data.train_files.front(), "validation") : textFolderCall(data, tested, "test");
    } else if (isOfKeras(data.dataset)) {
        const std::string coarse = data.dataset == "cifar100" && data.cifar_labels != DataSpec().cifar_labels ? "label_mode='coarse'" : "";
        text += "(x_train, y_train), (x_test, y_test) = keras.datasets." + data.dataset + ".load_data(" + coarse + ")\n";
        const std::string slices = "tf.data.Dataset.from_tensor_slices";
        train = slices + "((x_train, y_train))";
        test = slices + "((x_test, y_test))";
        if (split) {
            const auto trained =
                static_cast<std::int64_t>(std::llround(static_cast<double>(set->train_samples) * (1 - data.validation_split)));
            const std::string border = std::to_string(trained);
            train = slices + "((x_train[:" + border + "], y_train[:" + border + "]))";
            test = slices + "((x_train[" + border + ":], y_train[" + border + ":]))";
        }
    } else if (set->is_computed) {
        const std::string one = feature.empty() || has_prepare ? "[1.]" : "{" + quoted(feature) + ": [1.]}";
        train = test = "tf.data.Dataset.from_tensors((" + one + ", [1.])).repeat(" + std::to_string(set->train_samples) + ")";
    } else {
        const auto trained = static_cast<std::int64_t>(std::llround(100 * (1 - data.validation_split)));
        const std::string parts =
            split ? "['train[:" + std::to_string(trained) + "%]', 'train[" + std::to_string(trained) + "%:]']" : "['train', 'test']";
        text += "train, test = tfds.load(" + quoted(data.dataset) + ", split=" + parts + ", as_supervised=True)\n";
        train = "train";
        test = "test";
    }
    return sources;
}

}  // namespace

// Samples that take() and the split leave to all passes, once and in order.
std::string code::writeAdaptPart(const RunSpec& run, const CodeLayout& layout) {
    if (adaptedLayer(run.model) == nullptr) return {};
    std::string samples = "train_dataset";
    if (layout.imports && hasDataCode(run, layout)) {
        const bool has_prepare = !writePrepare(run, layout, {}).empty();
        samples = sourcesOf(run, layout, {}, has_prepare).train;
        if (run.data.take > 0 && meaningOf(run.data, passesOf(run)).take_is_first)
            samples += ".take(" + std::to_string(run.data.take) + ")";
        samples += std::string(has_prepare ? ".map(prepare)" : "") + ".batch(256)";
    }
    std::string text;
    sayChain(text, "model.layers[0].adapt(" + samples + ".map(lambda image, label: image))", layout);
    return text;
}

std::string code::writeDataPart(const RunSpec& run, const CodeLayout& layout, const std::string& feature) {
    if (!hasDataCode(run, layout)) return {};
    const DataSpec& data = run.data;
    const std::string prepare = writePrepare(run, layout, feature);
    const bool tests = !validationData(run, layout).empty();
    const bool of_all = isScoped(run) && !run.estimator;  // an estimator's batches are a replica's
    const std::string batch = std::to_string(data.batch_size_per_replica) + (of_all ? " * strategy.num_replicas_in_sync" : "");
    const DataSources sources = sourcesOf(run, layout, feature, !prepare.empty());
    const auto& [statements, train, test] = sources;
    std::string text = statements;
    if (!prepare.empty()) text += (text.empty() ? "" : "\n") + prepare + "\n";
    if (const std::string mix = writeMix(run, layout); !mix.empty()) text += (prepare.empty() && !text.empty() ? "\n" : "") + mix;
    text += "batch = " + batch + "\n";
    sayChain(text, "train_dataset = " + train + chainOf(run, layout, !prepare.empty(), true), layout);
    const std::string none = layout.reads_arrays ? "None if x_test is None else " : "";
    if (tests) sayChain(text, "test_dataset = " + none + test + chainOf(run, layout, !prepare.empty(), false), layout);
    return text;
}

std::string writeKerasCode(const RunSpec& run, const CodeLayout& layout) {
    if (run.estimator) return writeEstimatorProgram(run, layout);
    std::vector<std::string> parts;
    const auto add = [&](std::string part) {
        if (!part.empty()) parts.push_back(std::move(part));
    };
    if (!layout.imports) {
        for (const auto write : {writeClassesPart, writeModelPart, writeCompilePart, writePrintLrPart, writeSchedulePart, writeAdaptPart})
            add(write(run, layout));
        add(writeFitPart(run, layout));
    } else {
        const std::string strategy = writeStrategyPart(run, layout), data = writeDataPart(run, layout);
        const std::string mix = data.empty() ? writeMix(run, layout) : std::string();
        std::string imports = "import keras\n";
        if (!strategy.empty() || !data.empty() || mix.find("tf.") != std::string::npos) imports += "import tensorflow as tf\n";
        if (data.find("tfds.") != std::string::npos) imports += "import tensorflow_datasets as tfds\n";
        add(imports + "from keras import layers\n");
        add(writeClassesPart(run, layout));
        add(strategy);
        add(data);
        if (data.empty()) {
            add("# train_dataset: a tf.data.Dataset of " + run.data.dataset + " in batches of " +
                std::to_string(run.data.batch_size_per_replica) + (isScoped(run) ? " * strategy.num_replicas_in_sync" : "") +
                ", which the files of this project make\n");
            if (!mix.empty()) add(mix + "train_dataset = train_dataset.map(mix)\n");
        }
        CodeLayout inner = layout;
        if (!strategy.empty()) inner.width -= layout.indent;
        const std::string model = writeModelPart(run, inner), compile = writeCompilePart(run, inner);
        if (strategy.empty()) {
            add(model);
            add(compile);
        } else {
            add("with strategy.scope():\n" + indented(model + (model.empty() ? "" : "\n") + compile, layout));
        }
        add(writePrintLrPart(run, layout));
        add(writeSchedulePart(run, layout));
        add(writeAdaptPart(run, layout));
        add(writeFitPart(run, layout, validationData(run, layout)));
    }
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : "\n") + part;
    return text;
}

}  // namespace engine::spec
