// Calls that load data or change them: tensorflow_datasets, keras.datasets, tf.data, numpy.
#include <algorithm>
#include <array>
#include <utility>

#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/keras/code/data_statements.h"
#include "engine/spec/keras/code/object_calls.h"
#include "engine/spec/project/object_reader.h"

namespace engine::spec::code {
namespace {

using Kind = DataCode::Kind;
constexpr double kByteRange = 255;

template <std::size_t N>
bool isOneOf(std::string_view name, const std::array<std::string_view, N>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Functions and methods that change how samples are held, not what they are.
constexpr std::array<std::string_view, 23> kNeutralCalls{"cast",
                                                         "parse_single_example",
                                                         "parse_example",
                                                         "array",
                                                         "asarray",
                                                         "astype",
                                                         "reshape",
                                                         "expand_dims",
                                                         "convert_to_tensor",
                                                         "constant",
                                                         "float32",
                                                         "copy",
                                                         "squeeze",
                                                         "with_options",
                                                         "as_numpy_iterator",
                                                         "make_one_shot_iterator",
                                                         "make_initializable_iterator",
                                                         "get_next",
                                                         "iter",
                                                         "experimental_distribute_dataset",
                                                         "ascontiguousarray",
                                                         "to_float",
                                                         "identity"};

}  // namespace

// tfds.load(name=…, split=…, with_info=…)
std::optional<DataCode> DataStatements::loadSet(const Node& call) {
    const Node* name = argumentOf(call, "name", 0);
    const std::optional<Node> text = name == nullptr ? std::nullopt : constant(*name);
    DataCode data;
    data.kind = Kind::kSplits;
    data.arrays = false;
    if (text && text->kind == Node::Kind::kText) {
        data.set = text->text.substr(0, text->text.find(':'));
    } else {
        data.problems.push_back(
            faultAt(call, "expected the name of a data set as a text, got " + (name == nullptr ? "none" : nodeText(*name))));
    }
    const Node* split = argumentOf(call, "split", 1);
    const std::optional<Node> parts = split == nullptr ? std::nullopt : constant(*split);
    if (parts && parts->kind == Node::Kind::kText) {
        data = ofPart(data, parts->text, *split);
    } else if (parts && !parts->items.empty()) {
        DataCode group;
        group.kind = Kind::kGroup;
        group.set = data.set;
        for (const Node& part : parts->items) group.items.push_back(ofPart(data, part.text, *split));
        data = std::move(group);
    }
    if (const Node* batch = namedArgument(call, "batch_size"); batch != nullptr && batchOf(*batch)) {
        data.batch = batchOf(*batch);
        data.order.push_back(DataStep::kBatch);
    }
    if (!isTrue(namedArgument(call, "with_info"))) return data;
    DataCode group;
    group.kind = Kind::kGroup;
    group.items = {std::move(data), DataCode{}};
    return group;
}

// ((x_train, y_train), (x_test, y_test))
std::optional<DataCode> DataStatements::loadArrays(const std::string& set) const {
    DataCode all;
    all.kind = Kind::kGroup;
    for (const bool test : {false, true}) {
        DataCode pair;
        pair.kind = Kind::kGroup;
        for (const Kind kind : {Kind::kSamples, Kind::kLabels}) {
            DataCode part;
            part.kind = kind;
            part.set = set;
            part.test = test;
            pair.items.push_back(std::move(part));
        }
        all.items.push_back(std::move(pair));
    }
    return all;
}

std::optional<DataStatements::Mixer> DataStatements::mixerOf(const Node& node) const {
    if (node.kind == Node::Kind::kName) {
        const auto known = mixers_.find(node.text);
        return known == mixers_.end() ? std::nullopt : std::optional(known->second);
    }
    if (node.kind != Node::Kind::kCall || findSchema(mixSchemas(), lastPart(calledName(node))) == nullptr) return std::nullopt;
    Mixer mixer;
    std::vector<ArgumentFault> faults;
    Json json = objectCallJson(fold(node, bindings_).value_or(node), Family::kMix, faults);
    for (ArgumentFault& fault : faults) mixer.problems.push_back(std::move(fault.fault));
    Json& config = json["config"];
    if (const Json format = config.value("data_format", Json()); !format.is_null() && format != "channels_last")
        mixer.problems.push_back(faultAt(node, "data_format: expected channels_last, got " + shortText(format)));
    for (const char* of_all : {"name", "trainable", "dtype", "data_format"}) config.erase(of_all);
    Diagnostics unreadable;
    if (std::optional<ObjectSpec> read = readObject(json, "data.mix", unreadable)) mixer.mix = *std::move(read);
    return mixer;
}

// mixer({'images': x, 'labels': y}), or of a dictionary that has both.
std::optional<DataCode> DataStatements::mixedBy(const Mixer& mixer, const Node& call) {
    const Node* given = argumentOf(call, "data", 0);
    std::optional<DataCode> data = given == nullptr ? std::nullopt : evaluate(*given);
    if (!data || data->kind == Kind::kOther || data->kind == Kind::kGroup) return std::nullopt;
    const auto has = [&](std::string_view key) {
        for (std::size_t i = 0; i + 1 < given->items.size(); i += 2) {
            if (given->items[i].kind == Node::Kind::kText && given->items[i].text == key) return true;
        }
        return false;
    };
    if (given->kind == Node::Kind::kDict && !(has("images") && has("labels")))
        data->problems.push_back(faultAt(*given, "expected images and labels for " + mixer.mix.class_name + ", got one without the other"));
    data->kind = Kind::kPairs;
    const Node* training = namedArgument(call, "training");
    if (training != nullptr && training->kind == Node::Kind::kBool && !training->flag) return data;
    data->problems.insert(data->problems.end(), mixer.problems.begin(), mixer.problems.end());
    passMix(*data, mixer.mix, call);
    return data;
}

std::optional<DataCode> DataStatements::evaluateMethod(DataCode data, const std::string& method, const Node& call) {
    const Node* argument = call.items.size() > 1 ? &call.items[1] : nullptr;
    const auto refuse = [&](const Node& at, const std::string& message) { data.problems.push_back(faultAt(at, message)); };
    const auto number = [&]() -> std::optional<std::int64_t> {
        const std::optional<std::int64_t> value = argument == nullptr ? std::nullopt : whole(*argument);
        if (!value) {
            refuse(argument == nullptr ? call : *argument, "expected a whole number that the text gives for " + method + ", got " +
                                                               (argument == nullptr ? "none" : nodeText(*argument)));
        }
        return value;
    };
    const auto placed = [&](const char* field) {
        if (argument != nullptr) data.numbers[field] = {argument->line, argument->column};
    };
    if (isOneOf(std::string_view(method), kNeutralCalls)) return data;
    if (data.kind == Kind::kSamples || data.kind == Kind::kLabels) {
        if (method == "shape" || method == "mean" || method == "std" || method == "min" || method == "max") return std::nullopt;
        refuse(call, "expected a change of arrays that is known here, got " + method);
        return data;
    }
    if (method == "map") {
        if (argument != nullptr) return mapped(std::move(data), *argument);
    } else if (method == "cache") {
        data.cached = true;
        passStep(data, DataStep::kCache, call);
        if (!data.mix.class_name.empty())
            refuse(call, "expected cache() before " + data.mix.class_name + ", which mixes each epoch anew, got it behind");
        if (argument != nullptr && argument->kind == Node::Kind::kText && !argument->text.empty())
            refuse(*argument, "expected a cache in memory, got one in a file");
    } else if (method == "shard") {  // by the workers, as a project does it by itself; a fixed part of the set is another set
        const std::optional<std::int64_t> parts = argument == nullptr ? std::nullopt : whole(*argument);
        if (parts && *parts != 1) refuse(call, "expected every sample of the set, got shard(" + std::to_string(*parts) + ", …)");
    } else if (method == "shuffle") {
        if (const auto size = number()) data.shuffle = *size;
        for (const char* name : {"seed", "reshuffle_each_iteration"}) {
            const Node* given = namedArgument(call, name);
            const bool is_usual = given == nullptr || given->kind == Node::Kind::kNone || (given->kind == Node::Kind::kBool && given->flag);
            if (!is_usual)
                notes_.add(Severity::kWarning, *given,
                           std::string("shuffle: expected an order of its own for each epoch, got ") + name + "=" + nodeText(*given));
        }
        placed("shuffle");
        passStep(data, DataStep::kShuffle, call);
    } else if (method == "repeat" && data.endless) {
        return data;  // without an end already
    } else if (method == "pop" && data.set == "tfrecord" && argument != nullptr && argument->kind == Node::Kind::kText) {
        data.kind = Kind::kLabels;  // a feature that is taken out of a record
        data.record.label = argument->text;
    } else if (method == "repeat") {
        const bool endless = argument == nullptr || argument->kind == Node::Kind::kNone;
        const std::optional<std::int64_t> count = endless ? std::nullopt : number();
        if (count && data.set == "ones" && data.count == 1) {
            data.count = *count;  // so many equal samples
        } else if (endless || (count && *count < 0)) {
            data.endless = true;
            passStep(data, DataStep::kRepeat, call);
        } else if (count) {
            data.passes = *count;
            if (*count != 1) passStep(data, DataStep::kRepeat, call);
        }
    } else if (method == "batch") {
        placed("batch_size_per_replica");
        if (const std::optional<BatchCode> size = argument == nullptr ? std::nullopt : batchOf(*argument)) {
            data.batch = size;
        } else {
            refuse(argument == nullptr ? call : *argument,
                   "expected a batch that the text gives, got " + (argument == nullptr ? "none" : nodeText(*argument)));
        }
        data.drop_remainder = isTrue(argumentOf(call, "drop_remainder", 1));
        passStep(data, DataStep::kBatch, call);
    } else if (method == "prefetch") {
        if (const auto size = argument == nullptr ? std::nullopt : whole(*argument); size && *size >= 0) data.prefetch = size;
        placed("prefetch");
        passStep(data, DataStep::kPrefetch, call);
    } else if (method == "take") {
        if (const auto size = number()) data.take = size;
        placed("take");
        passStep(data, DataStep::kTake, call);
    } else if (method == "skip" && !data.test) {
        refuse(call, "expected the first samples of the set, got skip");
    } else if (method == "skip") {
        refuse(call, "expected the whole test set, got skip");
    } else {
        static constexpr std::array<std::string_view, 6> kNoData{"element_spec", "cardinality", "items", "keys", "numpy", "shape"};
        if (isOneOf(std::string_view(method), kNoData)) return std::nullopt;
        refuse(call, "expected a step of tf.data that is known here (map, cache, shuffle, repeat, batch, prefetch, take), got " + method);
    }
    return data;
}

std::optional<DataCode> DataStatements::evaluateCall(const Node& node) {
    if (node.items[0].kind == Node::Kind::kAttribute) {
        std::optional<DataCode> data = evaluate(node.items[0].items[0]);
        return data ? evaluateMethod(*std::move(data), node.items[0].text, node) : std::nullopt;
    }
    if (const std::optional<Mixer> mixer = mixerOf(node.items[0])) return mixedBy(*mixer, node);
    const std::string name(calledName(node)), last(lastPart(name)), prefix = prefixOf(name);
    const std::string owner(lastPart(prefix));
    if (last == "load" && (owner == "tfds" || owner == "tensorflow_datasets")) return loadSet(node);
    if (last == "make_csv_dataset" || last == "make_batched_features_dataset" || last == "TFRecordDataset") return loadFiles(node);
    if (last == "text_dataset_from_directory") return loadTextFolder(node);
    if (last == "load_data") {
        const auto module = modules_.find(prefix);
        const bool of_keras = prefix.ends_with("datasets." + owner) || module != modules_.end();
        if (!of_keras) return std::nullopt;
        return loadArrays(module == modules_.end() ? owner : module->second);
    }
    Node base;
    base.kind = Node::Kind::kName;
    base.text = prefix;
    if (!prefix.empty()) {
        if (std::optional<DataCode> data = evaluateName(base)) return evaluateMethod(*std::move(data), last, node);
    }
    if ((last == "ones" || last == "from_tensors") && node.items.size() > 1) {
        const std::optional<Node> shape = constant(node.items[1]);
        const auto isOne = [](const Node& given) {
            const bool by_name = given.kind == Node::Kind::kDict && given.items.size() == 2;  // {"feats": [1.]}, as estimators take them
            const Node& item = by_name ? given.items[1] : given;
            return item.kind == Node::Kind::kList && item.items.size() == 1 && item.items[0].isNumber() && item.items[0].number() == 1;
        };
        DataCode data;
        data.set = "ones";
        if (last == "ones" && shape && shape->items.size() == 2 && shape->items[1].kind == Node::Kind::kInt && shape->items[1].whole == 1 &&
            shape->items[0].kind == Node::Kind::kInt) {
            data.kind = Kind::kSamples;
            data.count = shape->items[0].whole;
            return data;
        }
        if (last == "from_tensors" && shape && shape->items.size() == 2 && isOne(shape->items[0]) && isOne(shape->items[1])) {
            data.kind = Kind::kPairs;
            data.arrays = false;
            data.count = 1;
            return data;
        }
        if (last == "ones") return std::nullopt;
    }
    if (last == "from_tensor_slices" || last == "zip" || last == "from_tensors") {
        std::optional<DataCode> data = node.items.size() > 1 ? evaluate(node.items[1]) : std::nullopt;
        DataCode pairs;
        if (data && data->kind == Kind::kGroup && !data->items.empty()) {
            pairs = data->items[0];
            if (data->items.size() > 1 && data->items[1].one_hot != 0) {
                pairs.one_hot = data->items[1].one_hot;
                passStep(pairs, DataStep::kOneHot, node);
            }
        } else if (data) {
            pairs = *std::move(data);
        } else {
            pairs.problems.push_back(faultAt(node, "expected samples of a set that the text loads, got others"));
        }
        pairs.kind = Kind::kPairs;
        pairs.arrays = false;
        return pairs;
    }
    if (const auto returned = values_.find(name + "()"); returned != values_.end()) return returned->second;
    std::vector<DataCode> arguments;
    bool any = false;
    for (std::size_t i = 1; i < node.items.size(); ++i) {
        std::optional<DataCode> argument = evaluate(node.items[i]);
        any = any || (argument && argument->kind != Kind::kOther);
        arguments.push_back(argument ? *std::move(argument) : DataCode{});
    }
    if (const auto function = functions_.find(name); function != functions_.end()) return evaluateFunction(function->second, arguments);
    if (!any) return std::nullopt;
    DataCode data = arguments.front();
    if (data.kind == Kind::kOther) {  // np.reshape keeps its array in front; what does not is a use of another kind
        const auto first = std::find_if(arguments.begin(), arguments.end(), [](const DataCode& one) { return one.kind != Kind::kOther; });
        data = *first;
    }
    if (last == "to_categorical" || last == "one_hot") {
        const Node* classes = argumentOf(node, last == "one_hot" ? "depth" : "num_classes", 1);
        const NamedDataset* set = findNamedDataset(data.set);
        const std::optional<std::int64_t> count = classes != nullptr ? whole(*classes)
                                                  : set != nullptr   ? std::optional(set->classes)
                                                                     : std::nullopt;
        if (count && *count > 0) {
            data.one_hot = *count;
            passStep(data, DataStep::kOneHot, node);
        } else {
            data.problems.push_back(faultAt(node, "expected a number of classes that the text gives, got none"));
        }
        return data;
    }
    if (data.set == "tfrecord" && (last == "decode_raw" || last == "decode_jpeg" || last == "decode_png" || last == "decode_image")) {
        data.record.encoding = last == "decode_raw" ? "raw" : "image";
        const Node* type = argumentOf(node, "out_type", 1);
        if (last == "decode_raw" && type != nullptr) data.record.dtype = lastPart(type->text);
        return data;
    }
    if (last == "convert_image_dtype") {
        calculate(data, "/", {kByteRange}, false, node);
        return data;
    }
    if (last == "normalize" && prefix.find("image") == std::string::npos) {
        data.problems.push_back(faultAt(node, "expected a calculation with numbers, got " + name));
        return data;
    }
    static constexpr std::array<std::string_view, 12> kNoData{"len", "print", "next", "enumerate", "zip",   "list",
                                                              "str", "type",  "max",  "min",       "range", "shape"};
    if (isOneOf(std::string_view(last), kNoData) && last != "next") return std::nullopt;
    if (isOneOf(std::string_view(last), kNeutralCalls)) return data;
    data.problems.push_back(faultAt(node, "expected a function of data that is known here, got " + name));
    return data;
}

}  // namespace engine::spec::code
