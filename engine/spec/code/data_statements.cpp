#include "engine/spec/code/data_statements.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <utility>

#include "engine/spec/code/object_calls.h"
#include "engine/spec/data_order.h"
#include "engine/spec/dataset_names.h"
#include "engine/spec/device_name.h"

namespace engine::spec::code {
namespace {

using Kind = DataCode::Kind;
constexpr std::string_view kReplicas = "num_replicas_in_sync";
constexpr int kDeepestCalls = 8;
constexpr double kByteRange = 255;

template <std::size_t N>
bool isOneOf(std::string_view name, const std::array<std::string_view, N>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Functions and methods that change how samples are held, not what they are.
constexpr std::array<std::string_view, 22> kNeutral{"cast",
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
                                                    "shard",
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

const Node* argumentOf(const Node& call, std::string_view name, std::size_t position) {
    for (std::size_t i = 0; i < call.keywords.size(); ++i) {
        if (call.keywords[i] == name || (call.keywords[i].empty() && i == position)) return &call.items[i + 1];
    }
    return nullptr;
}

const Node* namedArgument(const Node& call, std::string_view name) {
    return argumentOf(call, name, call.keywords.size());
}

bool isTrue(const Node* node) {
    return node != nullptr && node->kind == Node::Kind::kBool && node->flag;
}

bool isReplicas(const Node& node) {
    return (node.kind == Node::Kind::kName || node.kind == Node::Kind::kAttribute) && lastPart(node.text) == kReplicas;
}

std::int64_t trainSamples(const DataCode& data) {
    const NamedDataset* set = findNamedDataset(data.set);
    const std::int64_t all = set == nullptr ? 0 : data.test ? set->test_samples : set->train_samples;
    const std::int64_t last = std::min(data.last.value_or(all), all);
    return std::max<std::int64_t>(0, last - data.first.value_or(0));
}

std::string prefixOf(std::string_view dotted) {
    const std::size_t dot = dotted.rfind('.');
    return std::string(dotted.substr(0, dot == std::string_view::npos ? 0 : dot));
}

// One number, or a list of them, one a channel.
std::optional<std::vector<double>> numbersOf(const Node& node) {
    if (node.isNumber()) return std::vector<double>{node.number()};
    if (node.kind == Node::Kind::kCall && node.items.size() >= 2) return numbersOf(node.items[1]);  // np.array([…]), tf.constant([…])
    if (node.kind != Node::Kind::kList && node.kind != Node::Kind::kTuple) return std::nullopt;
    std::vector<double> numbers;
    for (const Node& item : node.items) {
        if (!item.isNumber()) return std::nullopt;
        numbers.push_back(item.number());
    }
    return numbers.empty() ? std::nullopt : std::optional(numbers);
}

Fault faultAt(const Node& node, std::string message) {
    return {node.line, node.column, std::move(message)};
}

void passStep(DataCode& data, DataStep step, const Node& at) {
    if (std::find(data.order.begin(), data.order.end(), step) != data.order.end()) {
        const bool map = step == DataStep::kScale || step == DataStep::kNormalize || step == DataStep::kOneHot;
        if (!map) data.problems.push_back(faultAt(at, std::string("expected ") + dataStepName(step) + " once, got it again"));
        return;
    }
    data.order.push_back(step);
}

// (x * scale + offset), then one more operation with a number, or with one a channel.
void calculate(DataCode& data, const std::string& sign, const std::vector<double>& numbers, bool number_first, const Node& at) {
    const auto refuse = [&] {
        data.problems.push_back(faultAt(at, "expected samples that are scaled, moved or divided by numbers, got another calculation"));
    };
    const bool one = numbers.size() == 1;
    if (data.kind == Kind::kLabels || !(data.std.empty() || (one && numbers[0] == 1 && sign == "/"))) return refuse();
    if (!data.mean.empty()) {  // what is subtracted a channel waits for what it is divided by
        if (sign != "/" || number_first) return refuse();
        data.std = numbers;
        passStep(data, DataStep::kNormalize, at);
        return;
    }
    if (!one) {
        if (sign == "-" && !number_first) {
            data.mean = numbers;
        } else if (sign == "/" && !number_first) {
            data.mean.assign(numbers.size(), 0.0);
            data.std = numbers;
            passStep(data, DataStep::kNormalize, at);
        } else {
            return refuse();
        }
        return;
    }
    const double number = numbers[0];
    if (sign == "+") {
        data.offset += number;
    } else if (sign == "-") {
        data.offset = number_first ? number - data.offset : data.offset - number;
        if (number_first) data.scale = -data.scale;
    } else if (sign == "*") {
        data.scale *= number;
        data.offset *= number;
    } else if (sign == "/" && !number_first && number != 0) {
        data.scale /= number;
        data.offset /= number;
    } else {
        return refuse();
    }
    passStep(data, DataStep::kScale, at);
}

// The order of the steps that the text has, with the others where they change nothing.
std::vector<DataStep> fullOrder(const std::vector<DataStep>& passed) {
    std::vector<DataStep> usual(kUsualDataOrder.begin(), kUsualDataOrder.end()), as_usual, order;
    const auto isPassed = [&](DataStep step) { return std::find(passed.begin(), passed.end(), step) != passed.end(); };
    std::copy_if(usual.begin(), usual.end(), std::back_inserter(as_usual), isPassed);
    if (as_usual == passed) return usual;
    std::copy_if(usual.begin(), usual.end(), std::back_inserter(order), [&](DataStep step) { return !isPassed(step); });
    order.insert(order.end(), passed.begin(), passed.end());
    const auto moveBehind = [&](DataStep step, std::vector<DataStep>::iterator other) {
        if (isPassed(step) || other == order.end()) return;
        const auto own = std::find(order.begin(), order.end(), step);
        if (own < other) std::rotate(own, own + 1, other + 1);
    };
    moveBehind(DataStep::kRepeat,
               std::find(order.begin(), order.end(), DataStep::kShuffle));  // steps_per_epoch alone: epochs follow each other
    moveBehind(DataStep::kPrefetch, order.end() - 1);                       // nothing comes behind it
    return order;
}

}  // namespace

// ---- values ----------------------------------------------------------------------------------------------------------

std::optional<Node> DataStatements::constant(const Node& node) const {
    const std::optional<Node> folded = fold(node, bindings_);
    return folded && folded->isConstant() ? folded : std::nullopt;
}

std::optional<std::int64_t> DataStatements::samplesOf(const Node& node) {
    if (node.kind == Node::Kind::kName) {
        const auto known = numbers_.find(node.text);
        if (known != numbers_.end()) return known->second;
        if (!node.text.ends_with(".size") && !node.text.ends_with(".num_examples")) return std::nullopt;
    }
    if (node.kind == Node::Kind::kCall && calledName(node) == "len" && node.items.size() == 2) {
        const std::optional<DataCode> data = evaluate(node.items[1]);
        return data && data->kind != Kind::kOther && trainSamples(*data) > 0 ? std::optional(trainSamples(*data)) : std::nullopt;
    }
    // x_train.shape[0], info.splits['train'].num_examples
    if (node.kind == Node::Kind::kIndex && node.items[0].kind == Node::Kind::kName && node.items[0].text.ends_with(".shape")) {
        const auto data = values_.find(prefixOf(node.items[0].text));
        const bool first = node.items[1].kind == Node::Kind::kInt && node.items[1].whole == 0;
        if (data != values_.end() && first) return trainSamples(data->second);
    }
    if (node.kind == Node::Kind::kAttribute && node.text == "num_examples" && node.items[0].kind == Node::Kind::kIndex) {
        DataCode data;
        for (const auto& [name, value] : values_) {
            if (!value.set.empty()) data.set = value.set;
        }
        data.test = node.items[0].items[1].text == "test";
        return trainSamples(data) > 0 ? std::optional(trainSamples(data)) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<std::int64_t> DataStatements::whole(const Node& node) {
    const std::optional<Node> value = constant(node);
    if (value && value->kind == Node::Kind::kInt) return value->whole;
    if (value && value->kind == Node::Kind::kReal && value->real == std::floor(value->real) && std::fabs(value->real) < 1e15) {
        return static_cast<std::int64_t>(value->real);
    }
    return samplesOf(node);
}

std::optional<BatchCode> DataStatements::batchOf(const Node& node) {
    if (const std::optional<std::int64_t> size = whole(node)) return *size > 0 ? std::optional(BatchCode{*size, false}) : std::nullopt;
    if (node.kind == Node::Kind::kName) {
        const auto known = batches_.find(node.text);
        return known == batches_.end() ? std::nullopt : std::optional(known->second);
    }
    if (node.kind != Node::Kind::kOperation || node.text != "*" || node.items.size() != 2) return std::nullopt;
    for (const std::size_t side : {0U, 1U}) {
        const Node& replicas = node.items[1 - side];
        const auto variable = batches_.find(replicas.text);
        const bool known = variable != batches_.end() && variable->second.size == 1 && variable->second.of_one_replica;
        if (!isReplicas(replicas) && !(replicas.kind == Node::Kind::kName && known)) continue;
        const std::optional<std::int64_t> size = whole(node.items[side]);
        if (size && *size > 0) return BatchCode{*size, true};
    }
    return std::nullopt;
}

std::optional<DataCode> DataStatements::evaluateName(const Node& node) const {
    if (!locals_.empty()) {
        const auto local = locals_.back().find(node.text);
        if (local != locals_.back().end()) return local->second;
    }
    const auto value = values_.find(node.text);
    return value == values_.end() ? std::nullopt : std::optional(value->second);
}

DataCode DataStatements::ofPart(DataCode data, const std::string& part, const Node& at) const {
    std::string name = part.substr(0, part.find('['));
    data.kind = Kind::kPairs;
    data.test = name == "test" || name == "validation";
    if (!data.test && name != "train") {
        data.problems.push_back(faultAt(at, "expected the part train or test of the set, got '" + part + "'"));
    }
    if (name.size() == part.size()) return data;
    // "train[:80%]", "train[50000:]"
    const std::string slice = part.substr(name.size() + 1, part.size() - name.size() - 2);
    const std::size_t colon = slice.find(':');
    const std::int64_t all = trainSamples(data);
    const auto edge = [&](const std::string& text) -> std::optional<std::int64_t> {
        if (text.empty()) return std::nullopt;
        char* end = nullptr;
        double value = std::strtod(text.c_str(), &end);
        if (*end == '%') value = std::round(value / 100 * static_cast<double>(all));
        if (value < 0) value += static_cast<double>(all);
        return static_cast<std::int64_t>(value);
    };
    if (colon == std::string::npos || all == 0) {
        data.problems.push_back(faultAt(at, "expected a part such as 'train[:80%]' of a set that is known here, got '" + part + "'"));
        return data;
    }
    data.first = edge(slice.substr(0, colon));
    data.last = edge(slice.substr(colon + 1));
    return data;
}

// x[:1000], x[50000:], x[..., None]
DataCode DataStatements::sliced(DataCode data, const Node& slice) const {
    const Node& outer = slice.kind == Node::Kind::kTuple && !slice.items.empty() ? slice.items[0] : slice;
    if (outer.kind == Node::Kind::kName && outer.text == "...") return data;
    const auto refuse = [&] {
        data.problems.push_back(faultAt(slice, "expected a slice of the first or the last samples, got another one"));
    };
    if (outer.kind != Node::Kind::kSlice || outer.items[2].kind != Node::Kind::kNone) {
        refuse();
        return data;
    }
    const auto edge = [&](const Node& node, bool& ok) -> std::optional<std::int64_t> {
        if (node.kind == Node::Kind::kNone) return std::nullopt;
        const std::optional<Node> value = constant(node);
        ok = ok && value && value->kind == Node::Kind::kInt && !data.first && !data.last;
        if (!ok) return std::nullopt;
        return value->whole < 0 ? value->whole + trainSamples(data) : value->whole;
    };
    bool ok = true;
    const std::optional<std::int64_t> first = edge(outer.items[0], ok), last = edge(outer.items[1], ok);
    if (!ok) {
        refuse();
        return data;
    }
    if (first) data.first = first;
    if (last) data.last = last;
    return data;
}

std::optional<DataCode> DataStatements::evaluateIndex(const Node& node) {
    std::optional<DataCode> data = evaluate(node.items[0]);
    if (!data) return std::nullopt;
    const Node& index = node.items[1];
    std::optional<Node> key = constant(index);
    if (!key && index.kind == Node::Kind::kChoice) key = constant(index.items[0]);
    if (data->kind == Kind::kSplits && key && key->kind == Node::Kind::kText) {
        DataCode part = ofPart(*data, key->text, index);
        part.both = index.kind == Node::Kind::kChoice;
        return part;
    }
    if (data->kind == Kind::kGroup && key && key->kind == Node::Kind::kInt) {
        const auto at = static_cast<std::size_t>(key->whole);
        return key->whole >= 0 && at < data->items.size() ? std::optional(data->items[at]) : std::nullopt;
    }
    if (data->kind == Kind::kPairs && key && key->kind == Node::Kind::kText) {  // of a dictionary
        data->kind = key->text == "label" ? Kind::kLabels : Kind::kSamples;
        return data;
    }
    if (data->kind == Kind::kSamples || data->kind == Kind::kLabels) return sliced(*data, index);
    return std::nullopt;
}

std::optional<DataCode> DataStatements::evaluateOperation(const Node& node) {
    if (node.kind == Node::Kind::kChoice) {
        std::optional<DataCode> data = evaluate(node.items[0]), other = evaluate(node.items[2]);
        const bool both = data && other && data->test != other->test;
        if (!data || (both && data->test)) data = std::move(other);
        if (data) data->both = data->both || both;
        return data;
    }
    if (node.items.size() != 2) return std::nullopt;
    for (const std::size_t side : {0U, 1U}) {
        std::optional<DataCode> data = evaluate(node.items[side]);
        if (!data || data->kind == Kind::kOther) continue;
        const std::optional<Node> number = fold(node.items[1 - side], bindings_);
        const std::optional<std::vector<double>> numbers = number ? numbersOf(*number) : std::nullopt;
        if (numbers && data->kind != Kind::kGroup) {
            calculate(*data, node.text, *numbers, side == 1, node);
        } else {
            data->problems.push_back(faultAt(node, "expected samples and a number, got " + nodeText(node.items[1 - side])));
        }
        return data;
    }
    return std::nullopt;
}

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

std::optional<DataCode> DataStatements::evaluateFunction(const Function& function, const std::vector<DataCode>& arguments) {
    if (static_cast<int>(locals_.size()) >= kDeepestCalls) return std::nullopt;
    Scope scope;
    for (std::size_t i = 0; i < std::min(arguments.size(), function.parameters.size()); ++i) scope[function.parameters[i]] = arguments[i];
    locals_.push_back(std::move(scope));
    std::optional<DataCode> result;
    for (const Function::Statement& statement : function.statements) {
        std::optional<DataCode> value = evaluate(statement.value);
        if (statement.targets.empty()) {
            result = std::move(value);
            break;
        }
        for (const Node& target : statement.targets) {
            if (value) assign(target, *value, statement.lines);
        }
    }
    locals_.pop_back();
    return result;
}

// What a function of samples and labels makes of the data that it maps.
DataCode DataStatements::mapped(DataCode data, const Node& function) {
    Function lambda;
    const Function* body = nullptr;
    if (function.kind == Node::Kind::kLambda) {
        for (std::size_t i = 0; i + 1 < function.items.size(); ++i) lambda.parameters.push_back(function.items[i].text);
        lambda.statements.push_back({{function.line, function.line}, {}, function.items.back()});
        body = &lambda;
    } else if (const auto known = functions_.find(function.text); known != functions_.end()) {
        body = &known->second;
    }
    const auto refuse = [&](const Node& at, const std::string& got) {
        data.problems.push_back(faultAt(at, "expected a function that scales samples or makes labels one-hot, got " + got));
        return data;
    };
    if (body == nullptr) return refuse(function, nodeText(function));
    DataCode samples = data, labels = data;
    samples.kind = body->parameters.size() == 1 ? Kind::kPairs : Kind::kSamples;
    labels.kind = Kind::kLabels;
    const std::size_t problems = data.problems.size();
    std::optional<DataCode> result = evaluateFunction(*body, {samples, labels});
    if (result && result->kind == Kind::kGroup && result->items.size() >= 2) {
        DataCode out = result->items[0];
        const DataCode& label = result->items[1];
        if (out.kind == Kind::kSamples && label.kind == Kind::kLabels) {
            if (label.one_hot != 0 && out.one_hot == 0) {
                out.one_hot = label.one_hot;
                passStep(out, DataStep::kOneHot, function);
            }
            out.problems.insert(out.problems.end(),
                                label.problems.begin() + static_cast<std::ptrdiff_t>(std::min(problems, label.problems.size())),
                                label.problems.end());
            out.kind = Kind::kPairs;
            passed_.push_back(body->lines);
            return out;
        }
        if (out.kind == Kind::kOther && !out.problems.empty()) {
            data.problems.insert(data.problems.end(), out.problems.begin(), out.problems.end());
            return data;
        }
    }
    return refuse(function, function.kind == Node::Kind::kLambda ? "a lambda that does something else" : function.text);
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
    if (isOneOf(std::string_view(method), kNeutral)) return data;
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
        if (argument != nullptr && argument->kind == Node::Kind::kText && !argument->text.empty())
            refuse(*argument, "expected a cache in memory, got one in a file");
    } else if (method == "shuffle") {
        if (const auto size = number()) data.shuffle = *size;
        placed("shuffle");
        passStep(data, DataStep::kShuffle, call);
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
    const std::string name(calledName(node)), last(lastPart(name)), prefix = prefixOf(name);
    const std::string owner(lastPart(prefix));
    if (last == "load" && (owner == "tfds" || owner == "tensorflow_datasets")) return loadSet(node);
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
        const auto isOne = [](const Node& item) {
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
    if (isOneOf(std::string_view(last), kNeutral)) return data;
    data.problems.push_back(faultAt(node, "expected a function of data that is known here, got " + name));
    return data;
}

std::optional<DataCode> DataStatements::evaluate(const Node& node) {
    switch (node.kind) {
        case Node::Kind::kName:
            return evaluateName(node);
        case Node::Kind::kTuple:
        case Node::Kind::kList:
        case Node::Kind::kDict: {
            DataCode group;
            group.kind = Kind::kGroup;
            bool any = false;
            const bool dict = node.kind == Node::Kind::kDict;
            for (std::size_t i = dict ? 1 : 0; i < node.items.size(); i += dict ? 2 : 1) {
                std::optional<DataCode> item = evaluate(node.items[i]);
                any = any || item;
                if (item && dict) return item;
                group.items.push_back(item ? *std::move(item) : DataCode{});
            }
            return any ? std::optional(std::move(group)) : std::nullopt;
        }
        case Node::Kind::kIndex:
            return evaluateIndex(node);
        case Node::Kind::kOperation:
        case Node::Kind::kChoice:
            return evaluateOperation(node);
        case Node::Kind::kCall:
            return evaluateCall(node);
        default:
            return std::nullopt;
    }
}

void DataStatements::assign(const Node& target, const DataCode& value, CodeLines lines) {
    if (target.kind == Node::Kind::kTuple || target.kind == Node::Kind::kList) {
        const std::vector<DataCode>* items = &value.items;
        DataCode group;
        if (value.kind == Kind::kPairs && target.items.size() == 2) {  // images, labels = batch
            group.items = {value, value};
            group.items[0].kind = Kind::kSamples;
            group.items[1].kind = Kind::kLabels;
            items = &group.items;
        }
        for (std::size_t i = 0; i < std::min(target.items.size(), items->size()); ++i) {
            DataCode item = (*items)[i];
            if (item.lines.empty()) item.lines = value.lines;
            assign(target.items[i], item, lines);
        }
        return;
    }
    if (target.kind != Node::Kind::kName) return;
    Scope& scope = locals_.empty() ? values_ : locals_.back();
    if (value.kind == Kind::kOther && value.problems.empty()) {
        scope.erase(target.text);
        return;
    }
    DataCode kept = value;
    if (kept.lines.empty() || kept.lines.back() != lines) kept.lines.push_back(lines);
    if (locals_.empty() && kept.batch && !kept.test) made_ = kept;
    if (locals_.empty() && !kept.set.empty() && !kept.test && kept.kind != Kind::kGroup && kept.kind != Kind::kLabels) loaded_ = kept;
    scope[target.text] = std::move(kept);
}

// ---- statements ------------------------------------------------------------------------------------------------------

// from keras.datasets import mnist, cifar10 as images
void DataStatements::readImport(const LogicalLine& line) {
    const auto& tokens = line.tokens;
    bool behind = false;
    if (std::none_of(tokens.begin(), tokens.end(), [](const Token& token) { return token.text == "datasets"; })) return;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (tokens[i].is("import")) {
            behind = true;
        } else if (behind && tokens[i].kind == Token::Kind::kName && !tokens[i].is("as")) {
            const bool renamed = i + 2 < tokens.size() && tokens[i + 1].is("as");
            modules_[renamed ? tokens[i + 2].text : tokens[i].text] = tokens[i].text;
            i += renamed ? 2 : 0;
        }
    }
}

void DataStatements::readFunction(const std::vector<LogicalLine>& lines, std::size_t at) {
    const std::vector<Token>& head = lines[at].tokens;
    if (head.size() < 4 || head[1].kind != Token::Kind::kName || !head[2].is("(")) return;
    Function function;
    std::size_t i = 3;
    for (int depth = 0; i < head.size() && !(depth == 0 && head[i].is(")")); ++i) {
        depth += head[i].is("(") || head[i].is("[");
        depth -= head[i].is(")") || head[i].is("]");
        const bool begins = head[i - 1].is("(") || head[i - 1].is(",");
        if (depth == 0 && begins && head[i].kind == Token::Kind::kName) function.parameters.push_back(head[i].text);
    }
    const std::string name = head[1].text;
    function.lines = linesOf(lines[at]);
    for (std::size_t at_line = at + 1; at_line < lines.size() && lines[at_line].indent > lines[at].indent; ++at_line) {
        const LogicalLine& line = lines[at_line];
        if (line.tokens[0].kind == Token::Kind::kText && line.tokens.size() == 2) continue;
        const bool returns = line.tokens[0].is("return");
        TreeReader reader(line.tokens, returns ? 1 : 0);
        Function::Statement statement;
        statement.lines = linesOf(line);
        std::optional<Node> value = reader.readExpressions();
        if (returns) {
            if (!value || reader.next().kind != Token::Kind::kEnd) return;
            statement.value = *std::move(value);
            function.lines.last = line.last_line;
            function.statements.push_back(std::move(statement));
            functions_[name] = std::move(function);
            return;
        }
        std::optional<Node> changed = value ? readAugmented(reader, *value) : std::nullopt;
        if (changed) {
            statement.targets.push_back(*std::move(value));
            value = std::move(changed);
        }
        while (value && reader.next().is("=")) {
            statement.targets.push_back(*std::move(value));
            reader.skip();
            value = reader.readExpressions();
        }
        if (!value || reader.next().kind != Token::Kind::kEnd) return;
        if (statement.targets.empty()) continue;  // print(…)
        statement.value = *std::move(value);
        function.statements.push_back(std::move(statement));
    }
}

bool DataStatements::readStatement(const LogicalLine& line, const std::vector<Node>& targets, const Node& value,
                                   const std::string& condition) {
    findUses(line, value);
    if (targets.empty()) return false;
    const Node& target = targets.back();
    const bool named = target.kind == Node::Kind::kName;
    if (named && value.kind == Node::Kind::kName && value.text.find("datasets.") != std::string::npos) {
        modules_[target.text] = std::string(lastPart(value.text));
        return true;
    }
    if (named && target.text.ends_with("auto_shard_policy")) {
        const std::string_view policy = lastPart(value.text);
        AutoShardPolicy& kept = reading_.run.data.auto_shard;
        if (policy == "OFF") kept = AutoShardPolicy::kOff;
        if (policy == "DATA") kept = AutoShardPolicy::kData;
        if (policy == "FILE") kept = AutoShardPolicy::kFile;
        if (policy == "AUTO") kept = AutoShardPolicy::kAuto;
        return true;
    }
    const std::optional<BatchCode> batch = named ? batchOf(value) : std::nullopt;
    if (batch && batch->of_one_replica) {
        batches_[target.text] = *batch;
        return true;
    }
    if (named && isReplicas(value)) {
        batches_[target.text] = {1, true};
        return true;
    }
    if (const std::optional<std::int64_t> number = named && !constant(value) ? samplesOf(value) : std::nullopt) {
        numbers_[target.text] = *number;
        return true;
    }
    std::optional<DataCode> data = evaluate(value);
    if (!data) {
        if (named) {
            values_.erase(target.text);
            assigned_[target.text] = line.first_line;
        }
        return false;
    }
    // A change that another condition than the mode of an estimator or the presence of its context decides may not happen.
    const bool of_mode = condition.empty() || condition.find("mode") != std::string::npos ||
                         condition.find("context") != std::string::npos || condition.find("train") != std::string::npos ||
                         condition.find("__name__") != std::string::npos || condition.find("job_name") != std::string::npos;
    if (!of_mode)
        data->problems.push_back({line.first_line, line.indent + 1, "expected data without a condition, got some under " + condition});
    for (const Node& one : targets) assign(one, *data, linesOf(line));
    return data->kind != Kind::kOther;
}

bool DataStatements::readReturn(const LogicalLine& line, const std::string& function, const Node& value) {
    std::optional<DataCode> data = evaluate(value);
    if (!data || data->kind == Kind::kOther || function.empty()) return false;
    Node target;
    target.kind = Node::Kind::kName;
    target.text = function + "()";
    assign(target, *data, linesOf(line));
    return true;
}

void DataStatements::setSteps(std::int64_t steps, const LogicalLine& line) {
    if (used_by_fit_ || steps <= 0 || steps_read_) return;
    steps_read_ = true;
    reading_.run.fit.epochs = 1;
    reading_.run.fit.steps_per_epoch = steps;
    notes_.add(Severity::kInfo, linesOf(line), line.indent + 1, "read as one epoch of " + std::to_string(steps) + " steps");
}

// while step <= 5000:, for epoch in range(10):, for batch in data:
bool DataStatements::readLoop(const LogicalLine& line) {
    const auto& tokens = line.tokens;
    const bool loop = tokens[0].is("while");
    for (std::size_t i = 1; loop && i + 2 < tokens.size(); ++i) {
        if (!tokens[i + 1].is("<") && !tokens[i + 1].is("<=")) continue;
        if (tokens[i].kind != Token::Kind::kName || tokens[i].text.find("step") == std::string::npos) continue;
        TreeReader reader(tokens, i + 2);
        const std::optional<Node> limit = reader.readExpression();
        const std::optional<std::int64_t> steps = limit ? whole(*limit) : std::nullopt;
        if (!steps) return false;
        setSteps(*steps, line);
        return true;
    }
    if (!tokens[0].is("for") || tokens.size() < 5) return false;
    std::size_t in = 1;
    while (in < tokens.size() && !tokens[in].is("in")) ++in;
    if (in + 1 >= tokens.size()) return false;
    TreeReader reader(tokens, in + 1);
    const std::optional<Node> over = reader.readExpression();
    if (!over) return false;
    if (calledName(*over) == "range" && over->items.size() >= 2) {
        const std::optional<std::int64_t> count = whole(over->items.back());
        if (!count || tokens[1].text.find("epoch") == std::string::npos || used_by_fit_) return false;
        reading_.run.fit.epochs = *count;
        notes_.add(Severity::kInfo, linesOf(line), line.indent + 1, "read as " + std::to_string(*count) + " epochs");
        return true;
    }
    std::optional<DataCode> data = evaluate(calledName(*over) == "enumerate" && over->items.size() > 1 ? over->items[1] : *over);
    if (!data || data->kind != Kind::kPairs || !data->batch) return false;
    if (!data->test) candidate_ = std::move(data);
    return true;
}

void DataStatements::findUses(const LogicalLine& line, const Node& value) {
    for (const Node& item : value.items) findUses(line, item);
    if (value.kind != Node::Kind::kCall) return;
    const std::string name(calledName(value));
    const std::string_view verb = name.empty() ? std::string_view(value.items[0].text) : lastPart(name);
    if (verb == "fit") return useForFit(line, value);
    if (verb == "next" && value.items.size() == 2 && !steps_read_ && evaluate(value.items[1])) candidate_ = evaluate(value.items[1]);
    if (verb == "experimental_distribute_dataset" && value.items.size() > 1) {
        if (const std::optional<DataCode> data = evaluate(value.items[1]); data && !data->test) candidate_ = data;
    }
    if (verb == "make_one_shot_iterator" || verb == "make_initializable_iterator") {
        Node base;
        base.kind = Node::Kind::kName;
        base.text = prefixOf(name);
        if (const std::optional<DataCode> data = evaluate(base)) {
            candidate_ = data;
            candidate_of_one_ = true;
        }
    }
    const bool trains = verb == "TrainSpec" || verb == "train", evaluates = verb == "EvalSpec" || verb == "evaluate";
    const Node* input = trains || evaluates ? argumentOf(value, "input_fn", 0) : nullptr;
    if (input == nullptr || used_by_fit_) return;
    const Node& body = input->kind == Node::Kind::kLambda ? input->items.back() : *input;
    const std::string function = body.kind == Node::Kind::kCall ? std::string(calledName(body)) : body.text;
    const auto data = values_.find(function + "()");
    if (data != values_.end()) {
        if (trains) use(data->second, *input, linesOf(line), true);
        if (evaluates) useForValidation(data->second, *input);
    }
    if (!trains) return;
    const Node* steps = argumentOf(value, "max_steps", 1);
    if (steps == nullptr || whole(*steps) == std::nullopt) steps = namedArgument(value, "steps");
    if (const std::optional<std::int64_t> count = steps == nullptr ? std::nullopt : whole(*steps)) setSteps(*count, line);
}

// ---- what is made of it ----------------------------------------------------------------------------------------------

void DataStatements::reportProblems(const DataCode& data) {
    for (const Fault& fault : data.problems) {
        const bool known = std::any_of(reported_.begin(), reported_.end(), [&](const Fault& one) {
            return one.line == fault.line && one.column == fault.column && one.message == fault.message;
        });
        if (known) continue;
        reported_.push_back(fault);
        notes_.add(Severity::kWarning, {fault.line, fault.line}, fault.column, "data: " + fault.message);
    }
}

void DataStatements::useForFit(const LogicalLine& line, const Node& call) {
    used_by_fit_ = true;
    const Node* x = argumentOf(call, "x", 0);
    const Node* y = argumentOf(call, "y", 1);
    if (x == nullptr) return;
    std::optional<DataCode> data = evaluate(*x);
    if (!data || (data->kind == Kind::kOther && data->problems.empty())) {
        const auto other = x->kind == Node::Kind::kName ? assigned_.find(x->text) : assigned_.end();
        if (other != assigned_.end()) {
            notes_.add(Severity::kWarning, *x,
                       "data: expected data that the text makes of a set that is known here, got " + nodeText(*x) + " of line " +
                           std::to_string(other->second) + "; the project's data stay");
        } else if (x->kind == Node::Kind::kCall) {
            notes_.add(
                Severity::kWarning, *x,
                "data: expected data that the text makes of a set that is known here, got " + nodeText(*x) + "; the project's data stay");
        }
        return;
    }
    if (data->kind == Kind::kGroup && !data->items.empty()) {
        DataCode first = data->items.front();
        data = std::move(first);
    }
    if (y != nullptr) {
        if (const std::optional<DataCode> labels = evaluate(*y)) {
            data->one_hot = std::max(data->one_hot, labels->one_hot);
            data->problems.insert(data->problems.end(), labels->problems.begin(), labels->problems.end());
            data->lines.insert(data->lines.end(), labels->lines.begin(), labels->lines.end());
        }
    }
    if (data->arrays) {
        constexpr std::int64_t kKerasBatch = 32;
        const Node* shuffle = namedArgument(call, "shuffle");
        const std::optional<Node> mixes = shuffle == nullptr ? std::nullopt : constant(*shuffle);
        const bool off = mixes && ((mixes->kind == Node::Kind::kBool && !mixes->flag) || mixes->kind == Node::Kind::kNone);
        const std::int64_t samples = data->count > 0 ? data->count : trainSamples(*data);
        data->shuffle = off ? 0 : samples > 0 ? samples : DataSpec().shuffle;
        data->cached = true;
        if (shuffle != nullptr && !mixes)
            data->problems.push_back(faultAt(*shuffle, "shuffle: expected True or False, got " + nodeText(*shuffle)));
        if (mixes && mixes->kind == Node::Kind::kText) {
            data->problems.push_back(faultAt(*shuffle, "shuffle: expected True or False, got '" + mixes->text + "'"));
        }
        const Node* batch = argumentOf(call, "batch_size", 2);
        data->batch =
            batch == nullptr || batch->kind == Node::Kind::kNone ? BatchCode{kKerasBatch, false} : batchOf(*batch).value_or(BatchCode{});
        if (data->batch->size == 0) data->batch.reset();  // fit() itself says so
    }
    use(*data, *x, linesOf(line), false);
    DataSpec& spec = reading_.run.data;
    const Node* validation = namedArgument(call, "validation_data");
    const Node* split = namedArgument(call, "validation_split");
    const std::optional<Node> fraction = split == nullptr ? std::nullopt : constant(*split);
    spec.validation_split = fraction && fraction->isNumber() ? fraction->number() : 0;
    spec.validate_on_test = false;
    if (validation == nullptr || validation->kind == Node::Kind::kNone) return;
    std::optional<DataCode> other = evaluate(*validation);
    if (other && other->kind == Kind::kGroup && !other->items.empty()) {
        DataCode first = other->items.front();
        other = std::move(first);
    }
    if (other && other->kind != Kind::kOther) {
        useForValidation(*other, *validation);
    } else {
        notes_.add(Severity::kWarning, *validation,
                   "validation_data: expected data that the text makes of a known set, got " + nodeText(*validation));
    }
}

void DataStatements::useForValidation(const DataCode& data, const Node& at) {
    DataSpec& spec = reading_.run.data;
    reportProblems(data);
    const bool same_set = !used_ || used_->set == data.set;
    const std::int64_t all = used_ ? trainSamples({.set = used_->set}) : 0;
    if ((data.test || data.both) && same_set && !data.first && !data.last && !data.take) {
        spec.validate_on_test = true;
    } else if (used_ && same_set && !data.test && all > 0 && data.first && !data.last && used_->last == data.first && !used_->first) {
        spec.validation_split = static_cast<double>(all - *data.first) / static_cast<double>(all);
        if (spec.take == *used_->last) spec.take = 0;
    } else if (used_ && data.set == "ones" && same_set) {
        spec.validate_on_test = true;
    } else {
        notes_.add(Severity::kWarning, at, "validation: expected the set's test part, or the last of its training samples, got others");
    }
}

void DataStatements::use(const DataCode& data, const Node& at, CodeLines lines, bool of_one_replica) {
    used_ = data;
    reportProblems(data);
    RunSpec& run = reading_.run;
    DataSpec& spec = run.data;
    if (data.set.empty()) return;
    spec.dataset = data.set;
    spec.scale = data.scale;
    spec.offset = data.offset;
    spec.mean = data.std.empty() ? std::vector<double>() : data.mean;
    spec.std = data.std;
    spec.one_hot = data.one_hot;
    spec.cache = data.cached;
    spec.shuffle = data.shuffle;
    spec.drop_remainder = data.drop_remainder;
    if (data.prefetch) spec.prefetch = *data.prefetch;
    spec.take = data.take.value_or(0);
    spec.validation_split = 0;
    spec.order = fullOrder(data.order);
    spec.validate_on_test = false;
    const auto warn = [&](const std::string& message) { notes_.add(Severity::kWarning, at, "data: " + message); };
    if (!data.mean.empty() && data.std.empty()) warn("expected a mean a channel and a deviation, got the mean alone");
    if (data.test) warn("expected the training part of the set, got its test part; the project trains with the training part");
    if (data.last && !data.first && !data.take) spec.take = *data.last;
    if (data.first && *data.first > 0) warn("expected the first samples of the set, got those from " + std::to_string(*data.first) + " on");
    if (data.set == "ones" && data.count > 0) {
        const std::int64_t samples = findNamedDataset("ones")->train_samples;
        if (data.count < samples) spec.take = data.count;
        if (data.count > samples) {
            warn("expected at most " + std::to_string(samples) + " equal samples, got " + std::to_string(data.count) + "; an epoch has " +
                 std::to_string(samples));
        }
    }
    if (!data.batch) {
        if (!data.arrays) warn("expected batches of a size that the text gives, got none");
    } else if (data.batch->of_one_replica || of_one_replica) {
        spec.batch_size_per_replica = data.batch->size;
    } else {
        const auto tasks = static_cast<std::int64_t>(run.cluster.spec.trainingTasks().size());
        const auto devices = static_cast<std::int64_t>(devicesOf(run.strategy).size());
        const std::int64_t replicas = std::max<std::int64_t>(1, tasks) * std::max<std::int64_t>(1, devices);
        if (data.batch->size % replicas == 0) {
            spec.batch_size_per_replica = data.batch->size / replicas;
        } else {
            warn("expected a batch that is a multiple of the " + std::to_string(replicas) + " replicas, got " +
                 std::to_string(data.batch->size));
        }
    }
    if (data.passes > 1) {
        if (used_by_fit_) {
            warn("expected repeat() once or without an end, got repeat(" + std::to_string(data.passes) + ")");
        } else {
            run.fit.epochs = data.passes;
        }
    }
    reading_.data_in_arrays = data.arrays;
    reading_.data_numbers = data.numbers;
    reading_.data = data.lines;
    if (reading_.data.empty()) reading_.data = {lines};
}

bool DataStatements::isRead(const CodeLines& lines) const {
    return std::any_of(passed_.begin(), passed_.end(),
                       [&](const CodeLines& one) { return one.first <= lines.first && lines.last <= one.last; });
}

// Without fit() and estimators: what a loop takes, or the last chain that makes batches.
void DataStatements::finish() {
    if (used_ || used_by_fit_) return;
    const std::optional<DataCode>& data = candidate_ ? candidate_ : made_;
    if (data) {
        Node at;
        at.line = data->lines.empty() ? 1 : data->lines.back().first;
        at.column = 1;
        use(*data, at, {at.line, at.line}, candidate_ && candidate_of_one_);
        if (data->endless && !steps_read_) reading_.run.fit.steps_per_epoch = 0;
    } else if (loaded_) {
        Node at;
        at.line = loaded_->lines.back().first;
        at.column = 1;
        const DataSpec before = reading_.run.data;
        loaded_->arrays = true;
        for (const auto& [name, value] : values_) {
            if (value.kind == Kind::kLabels && value.set == loaded_->set && !value.test)
                loaded_->one_hot = std::max(loaded_->one_hot, value.one_hot);
        }
        use(*loaded_, at, loaded_->lines.back(), false);
        reading_.run.data.shuffle = before.shuffle;
        notes_.add(Severity::kWarning, at,
                   "data: expected fit(), an estimator or a loop that takes batches of them, got none; the project has batches of " +
                       std::to_string(before.batch_size_per_replica));
    }
}

}  // namespace engine::spec::code
