#include "engine/spec/keras/code/data_code.h"

#include <algorithm>
#include <utility>

#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/project/data_order.h"

namespace engine::spec::code {
namespace {

using Kind = DataCode::Kind;
constexpr std::string_view kReplicas = "num_replicas_in_sync";

}  // namespace

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

std::int64_t samplesIn(const DataCode& data) {
    const NamedDataset* set = findNamedDataset(data.set);
    const std::int64_t all = set == nullptr ? 0 : data.test ? set->test_samples : set->train_samples;
    const std::int64_t last = std::min(data.last.value_or(all), all);
    return std::max<std::int64_t>(0, last - data.first.value_or(0));
}

std::string prefixOf(std::string_view dotted) {
    const std::size_t dot = dotted.rfind('.');
    return std::string(dotted.substr(0, dot == std::string_view::npos ? 0 : dot));
}

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

void passMix(DataCode& data, const ObjectSpec& mix, const Node& at) {
    if (!data.batch) {
        data.problems.push_back(
            faultAt(at, "expected batches for " + mix.class_name + ", which mixes their samples, got samples before batch()"));
    }
    if (!data.mix.class_name.empty()) {
        data.problems.push_back(faultAt(at, "expected one of MixUp and CutMix, got " + mix.class_name + " behind " + data.mix.class_name));
        return;
    }
    data.mix = mix;
}

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

}  // namespace engine::spec::code
