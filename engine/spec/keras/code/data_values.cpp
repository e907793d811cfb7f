// What an expression is as data: names, indices, slices, calculations, functions.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "engine/spec/keras/code/data_statements.h"
#include "engine/spec/keras/python/read_work.h"

namespace engine::spec::code {
namespace {

using Kind = DataCode::Kind;
// Texts that name themselves again and again end somewhere.
constexpr int kDeepestCalls = 8, kMostCalls = 2000;
constexpr std::size_t kMostValues = 256, kMostNotes = 64, kMostEvaluated = 2000000;

std::size_t countValues(const DataCode& data) {
    std::size_t count = 1;
    for (const DataCode& item : data.items) count += countValues(item);
    return count;
}

}  // namespace

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
        return data && data->kind != Kind::kOther && samplesIn(*data) > 0 ? std::optional(samplesIn(*data)) : std::nullopt;
    }
    // x_train.shape[0], info.splits['train'].num_examples
    if (node.kind == Node::Kind::kIndex && node.items[0].kind == Node::Kind::kName && node.items[0].text.ends_with(".shape")) {
        const auto data = values_.find(prefixOf(node.items[0].text));
        const bool first = node.items[1].kind == Node::Kind::kInt && node.items[1].whole == 0;
        if (data != values_.end() && first) return samplesIn(data->second);
    }
    if (node.kind == Node::Kind::kAttribute && node.text == "num_examples" && node.items[0].kind == Node::Kind::kIndex) {
        DataCode data;
        if (!with_set_.empty()) data.set = values_.find(*with_set_.rbegin())->second.set;
        data.test = node.items[0].items[1].text == "test";
        return samplesIn(data) > 0 ? std::optional(samplesIn(data)) : std::nullopt;
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
    const std::int64_t all = samplesIn(data);
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
        return value->whole < 0 ? value->whole + samplesIn(data) : value->whole;
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
    const bool of_mixture = data->kind == Kind::kPairs && !data->mix.class_name.empty() && key && key->kind == Node::Kind::kText;
    if (of_mixture && (key->text == "images" || key->text == "labels")) {
        data->kind = key->text == "labels" ? Kind::kLabels : Kind::kSamples;
        return data;
    }
    if (data->kind == Kind::kPairs && key && key->kind == Node::Kind::kText) {  // of a dictionary
        data->kind = key->text == "label" ? Kind::kLabels : Kind::kSamples;
        (data->kind == Kind::kLabels ? data->record.label : data->record.sample) = key->text;
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

std::optional<DataCode> DataStatements::evaluateFunction(const Function& function, const std::vector<DataCode>& arguments) {
    if (static_cast<int>(locals_.size()) >= kDeepestCalls || ++evaluated_.calls > kMostCalls) return std::nullopt;
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
    if (const std::optional<Mixer> mixer = mixerOf(function)) {  // map(mixer)
        data.problems.insert(data.problems.end(), mixer->problems.begin(), mixer->problems.end());
        passMix(data, mixer->mix, function);
        return data;
    }
    if (body == nullptr) return refuse(function, nodeText(function));
    DataCode samples = data, labels = data;
    samples.kind = body->parameters.size() == 1 ? Kind::kPairs : Kind::kSamples;
    labels.kind = Kind::kLabels;
    const std::size_t problems = data.problems.size();
    std::optional<DataCode> result = evaluateFunction(*body, {samples, labels});
    if (result && result->kind == Kind::kPairs && result->mix != data.mix) {  // {'images': …, 'labels': …} of a layer that mixes
        passed_.push_back(body->lines);
        return *std::move(result);
    }
    if (result && result->kind == Kind::kGroup && result->items.size() >= 2) {
        DataCode out = result->items[0];
        DataCode& label = result->items[1];
        if (data.set == "tfrecord" && label.kind != Kind::kOther) {  // features of a record, by any names
            if (label.record.label.empty()) label.record.label = label.record.sample;
            label.kind = Kind::kLabels;
            if (out.kind == Kind::kPairs) out.kind = Kind::kSamples;
            if (!out.record.sample.empty() && out.record.encoding.empty()) out.record.encoding = "list";
            out.record.label = label.record.label;
        }
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

std::optional<DataCode> DataStatements::evaluate(const Node& node) {
    if (++evaluated_.expressions > kMostEvaluated) return std::nullopt;
    ++readOfThisThread();
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
            if (!dict && node.items.size() >= kMostValues) return std::nullopt;
            for (std::size_t i = dict ? 1 : 0; i < node.items.size(); i += dict ? 2 : 1) {
                std::optional<DataCode> item = evaluate(node.items[i]);
                any = any || item;
                if (item && dict) return item;
                group.items.push_back(item ? *std::move(item) : DataCode{});
            }
            return any && countValues(group) <= kMostValues ? std::optional(std::move(group)) : std::nullopt;
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
        if (locals_.empty()) with_set_.erase(target.text);
        return;
    }
    DataCode kept = value;
    if (kept.lines.empty() || kept.lines.back() != lines) kept.lines.push_back(lines);
    if (kept.lines.size() > kMostNotes) kept.lines.erase(kept.lines.begin());
    kept.problems.resize(std::min(kept.problems.size(), kMostNotes));
    if (locals_.empty() && kept.batch && !kept.test) made_ = kept;
    if (locals_.empty() && !kept.set.empty() && !kept.test && kept.kind != Kind::kGroup && kept.kind != Kind::kLabels) loaded_ = kept;
    if (locals_.empty() && kept.set.empty()) with_set_.erase(target.text);
    if (locals_.empty() && !kept.set.empty()) with_set_.insert(target.text);
    scope[target.text] = std::move(kept);
}

}  // namespace engine::spec::code
