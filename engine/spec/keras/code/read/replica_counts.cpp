#include "engine/spec/keras/code/read/replica_counts.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "engine/spec/keras/code/data_code.h"
#include "engine/spec/project/device_name.h"

namespace engine::spec::code {

void ReplicaCounts::assign(const std::string& name, const Node& value) {
    counts_.erase(name);
    if (const auto count = value.kind == Node::Kind::kOperation ? countOf(value) : std::nullopt) counts_[name] = *count;
}

std::optional<std::int64_t> ReplicaCounts::countOf(const Node& node) const {
    if (node.kind == Node::Kind::kInt) return node.whole;
    if (isReplicas(node)) return replicas();
    if (const auto known = counts_.find(node.text); node.kind == Node::Kind::kName && known != counts_.end()) return known->second;
    if (node.kind != Node::Kind::kOperation || node.text != "*" || node.items.size() != 2) return std::nullopt;
    const std::optional<std::int64_t> a = countOf(node.items[0]), b = countOf(node.items[1]);
    constexpr std::int64_t kMost = std::int64_t{1} << 31;
    if (!a || !b || std::abs(*a) > kMost || std::abs(*b) > kMost) return std::nullopt;
    return *a * *b;
}

Node ReplicaCounts::lookedUp(Node node) const {
    for (Node& item : node.items) item = lookedUp(std::move(item));
    if (node.kind != Node::Kind::kIndex || node.items.size() != 2 || node.items[0].kind != Node::Kind::kDict) return node;
    const Node& entries = node.items[0];
    const std::optional<std::int64_t> key = countOf(node.items[1]);
    for (std::size_t i = 0; key && i + 1 < entries.items.size(); i += 2) {
        if (entries.items[i].kind != Node::Kind::kInt || entries.items[i].whole != *key) continue;
        Node entry = entries.items[i + 1];
        entry.line = node.line;
        entry.column = node.column;
        return entry;
    }
    return node;
}

std::optional<std::string> ReplicaCounts::printedValue(const Node& node) const {
    const std::optional<Node> value = fold(node, bindings_);
    if (!value) return std::nullopt;
    if (value->kind == Node::Kind::kText) return value->text;
    if (value->isNumber() || value->kind == Node::Kind::kBool) return nodeText(*value);
    return isReplicas(*value) ? std::optional(std::to_string(replicas())) : std::nullopt;
}

std::int64_t ReplicaCounts::replicas() const {
    const RunSpec& run = reading_.run;
    const auto tasks = static_cast<std::int64_t>(run.cluster.spec.trainingTaskCount());
    return std::max<std::int64_t>(1, tasks) * static_cast<std::int64_t>(std::max<std::size_t>(1, devicesOf(run.strategy).size()));
}

}  // namespace engine::spec::code
