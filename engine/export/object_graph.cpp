#include "engine/export/object_graph.h"

#include <map>
#include <set>
#include <utility>

#include "engine/export/index/name_index.h"
#include "engine/export/keras_layout.h"
#include "engine/export/keras_names.h"
#include "engine/spec/catalog/optimizer_table.h"

namespace engine::exporter {
namespace {

constexpr std::string_view kSuffix = "/.ATTRIBUTES/VARIABLE_VALUE";

class GraphBuilder {
public:
    int node() {
        graph.add_nodes();
        return graph.nodes_size() - 1;
    }
    void edge(int from, std::string_view name, int to) {
        auto* child = graph.mutable_nodes(from)->add_children();
        child->set_node_id(to);
        child->set_local_name(std::string(name));
        children_[from].emplace(name, to);
    }
    int variable(const std::string& key, std::string_view full_name) {
        const int made = node();
        auto* attribute = graph.mutable_nodes(made)->add_attributes();
        attribute->set_name("VARIABLE_VALUE");
        attribute->set_full_name(std::string(full_name));
        attribute->set_checkpoint_key(key);
        return made;
    }
    // The child by that edge, made when there is none.
    int child(int from, std::string_view name) {
        const Children& existing = children_[from];
        if (const auto found = existing.find(name); found != existing.end()) return found->second;
        const int made = node();
        edge(from, name, made);
        return made;
    }
    // A node has checkpoint values when it or a node it leads to has an attribute.
    void markValues() {
        std::vector<bool> has(static_cast<std::size_t>(graph.nodes_size()));
        for (int n = 0; n < graph.nodes_size(); ++n) {
            has[static_cast<std::size_t>(n)] = graph.nodes(n).attributes_size() > 0;
        }
        for (bool grown = true; grown;) {
            grown = false;
            for (int n = 0; n < graph.nodes_size(); ++n) {
                for (const auto& reference : graph.nodes(n).children()) {
                    if (!has[static_cast<std::size_t>(n)] && has[static_cast<std::size_t>(reference.node_id())]) {
                        has[static_cast<std::size_t>(n)] = grown = true;
                    }
                }
            }
        }
        for (int n = 0; n < graph.nodes_size(); ++n) {
            graph.mutable_nodes(n)->mutable_has_checkpoint_values()->set_value(has[static_cast<std::size_t>(n)]);
        }
    }

    formats::ObjectGraph graph;

private:
    using Children = std::map<std::string, int, CountedLess>;
    std::map<int, Children> children_;  // by node
};

std::string_view afterLastSlash(std::string_view text) {
    return text.substr(text.rfind('/') + 1);
}

struct TrainableVariable {
    std::string name;
    int node;
};

// All variables of an optimizer in one list, where Keras has no other way to its own slots. `in_lists`: nodes of those that have one.
void addNumberedSlots(GraphBuilder& builder, int optimizer_node, const spec::ModelSpec& model, const spec::ObjectSpec& optimizer,
                      std::vector<int> scalars, const std::map<std::string, int>& in_lists, GraphKeys& keys) {
    const int all = builder.node();
    builder.edge(optimizer_node, std::string(kNumberedSlots), all);
    for (std::size_t k = 0; k < scalars.size(); ++k) builder.edge(all, std::to_string(k), scalars[k]);
    std::size_t number = scalars.size();
    for (const KerasSlot& slot : kerasSlots(model, optimizer)) {
        const std::string at = std::to_string(number++);
        if (const auto listed = in_lists.find(slot.name); listed != in_lists.end()) {
            builder.edge(all, at, listed->second);
            continue;
        }
        const std::string full_name = std::string(kNumberedSlots) + "/" + at, key = "optimizer/" + full_name + std::string(kSuffix);
        builder.edge(all, at, builder.variable(key, full_name));
        keys.slots.push_back({slot.name, key, slot.is_placeholder});
    }
}

void addOptimizer(GraphBuilder& builder, int optimizer_node, const spec::ModelSpec& model, const spec::ObjectSpec& optimizer,
                  const std::vector<TrainableVariable>& trainable, GraphKeys& keys) {
    keys.iterations = "optimizer/_iterations" + std::string(kSuffix);
    const int iterations = builder.variable(keys.iterations, "iteration");
    builder.edge(optimizer_node, "_iterations", iterations);
    keys.learning_rate = "optimizer/_learning_rate" + std::string(kSuffix);
    const int rate = builder.variable(keys.learning_rate, "learning_rate");
    builder.edge(optimizer_node, "_learning_rate", rate);
    builder.edge(optimizer_node, "_current_learning_rate", rate);  // Keras 2 with a schedule looks for this one
    const int all = builder.node();
    builder.edge(optimizer_node, "_trainable_variables", all);
    for (std::size_t k = 0; k < trainable.size(); ++k) {
        builder.edge(all, std::to_string(k), trainable[k].node);
    }
    const spec::OptimizerRow* row = spec::findOptimizer(optimizer.class_name);
    const bool is_numbered = row != nullptr && row->numbers_slots;
    std::map<std::string, int> in_lists;
    for (const SlotList& list : slotLists(optimizer)) {
        if (is_numbered && !list.of_any_optimizer) continue;
        const int many = builder.node();
        for (const std::string& name : list.edges) {
            builder.edge(optimizer_node, name, many);
        }
        for (std::size_t k = 0; k < trainable.size(); ++k) {
            const std::string full_name = list.edges.front() + "/" + std::to_string(k);
            const std::string key = "optimizer/" + full_name + std::string(kSuffix);
            const int variable = builder.variable(key, full_name);
            builder.edge(many, std::to_string(k), variable);
            in_lists[trainable[k].name + ":" + list.slot] = variable;
            keys.slots.push_back({.variable = trainable[k].name + ":" + list.slot, .key = key});
        }
    }
    if (is_numbered) {
        std::vector<int> scalars{iterations};
        if (optimizer.config.getObject("learning_rate") == nullptr) scalars.push_back(rate);
        addNumberedSlots(builder, optimizer_node, model, optimizer, std::move(scalars), in_lists, keys);
    }
}

}  // namespace

BuiltGraph buildObjectGraph(const spec::ModelSpec& model, const std::vector<std::string>& weights, const spec::ObjectSpec& optimizer,
                            LossScaling scaling) {
    GraphBuilder builder;
    GraphKeys keys;
    const int root = builder.node();
    const int model_node = builder.node();
    const int functional = builder.node();
    const int operations = builder.node();
    builder.edge(root, "model", model_node);
    builder.edge(functional, "_operations", operations);
    builder.edge(operations, "0", builder.node());  // Keras 3 counts its InputLayer
    const int optimizer_node = builder.node();
    std::vector<TrainableVariable> trainable;
    const NameIndex<std::string> by_name(weights);
    int weighted = 0;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const spec::LayerSpec& layer = model.layers[i];
        const std::vector<const std::string*> own = by_name.below(layer.name);
        const int layer_node = builder.node();
        const std::string weighted_name = "layer_with_weights-" + std::to_string(weighted);
        for (const int owner : {root, model_node}) {
            if (!own.empty()) {
                builder.edge(owner, weighted_name, layer_node);
            }
            builder.edge(owner, "layer-" + std::to_string(i), layer_node);
        }
        builder.edge(operations, std::to_string(i + 1), layer_node);
        for (const std::string* name : own) {
            const std::string& weight = *name;
            const VariableEdges edges = variableEdges(layer, std::string_view(weight).substr(layer.name.size() + 1));
            const std::string_view last = afterLastSlash(edges.path);
            int holder = layer_node;
            std::string_view rest = edges.path;
            for (std::size_t slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
                holder = builder.child(holder, rest.substr(0, slash));
                rest = rest.substr(slash + 1);
            }
            const std::string key = "model/" + weighted_name + "/" + edges.path + std::string(kSuffix);
            const int variable = builder.variable(key, weight);
            builder.edge(holder, last, variable);
            if (!edges.keras3_name.empty()) {
                builder.edge(holder, edges.keras3_name, variable);
            }
            keys.weights.push_back({weight, key});
            if (edges.trainable && spec::isTrainable(layer)) {
                trainable.push_back({weight, variable});
            }
        }
        weighted += own.empty() ? 0 : 1;
    }
    for (const int owner : {root, model_node}) {
        builder.edge(owner, "_functional", functional);
        builder.edge(owner, "optimizer", optimizer_node);
    }
    keys.save_counter = "save_counter" + std::string(kSuffix);
    builder.edge(root, "save_counter", builder.variable(keys.save_counter, "save_counter"));
    if (scaling == LossScaling::kDynamic) {
        keys.step_counter = "optimizer/step_counter" + std::string(kSuffix);
        keys.dynamic_scale = "optimizer/dynamic_scale" + std::string(kSuffix);
        builder.edge(optimizer_node, "step_counter", builder.variable(keys.step_counter, "step_counter"));
        builder.edge(optimizer_node, "dynamic_scale", builder.variable(keys.dynamic_scale, "dynamic_scale"));
        addOptimizer(builder, builder.child(optimizer_node, "inner_optimizer"), model, optimizer, trainable, keys);
    } else {
        addOptimizer(builder, optimizer_node, model, optimizer, trainable, keys);
    }
    builder.markValues();
    return {std::move(builder.graph), std::move(keys)};
}

GraphWalker::GraphWalker(formats::ObjectGraph graph) : graph_(std::move(graph)), edges_(static_cast<std::size_t>(graph_.nodes_size())) {
    for (int n = 0; n < graph_.nodes_size(); ++n) {
        Edges& edges = edges_[static_cast<std::size_t>(n)];
        for (const auto& child : graph_.nodes(n).children()) edges.children.emplace(child.local_name(), child.node_id());
        for (const auto& record : graph_.nodes(n).slot_variables()) {
            edges.slots.emplace(std::pair(record.original_variable_node_id(), record.slot_name()), record.slot_variable_node_id());
        }
    }
}

std::optional<int> GraphWalker::find(int from, std::string_view path) const {
    int at = from;
    while (!path.empty()) {
        const std::size_t slash = path.find('/');
        const std::string_view step = path.substr(0, slash);
        path = slash == std::string_view::npos ? std::string_view{} : path.substr(slash + 1);
        if (at < 0 || at >= graph_.nodes_size()) {
            return std::nullopt;
        }
        const auto& children = edges_[static_cast<std::size_t>(at)].children;
        const auto found = children.find(step);
        if (found == children.end() || found->second < 0 || found->second >= graph_.nodes_size()) {
            return std::nullopt;
        }
        at = found->second;
    }
    return at;
}

std::optional<std::string> GraphWalker::key(int node) const {
    if (node < 0 || node >= graph_.nodes_size() || graph_.nodes(node).attributes_size() == 0) {
        return std::nullopt;
    }
    return graph_.nodes(node).attributes(0).checkpoint_key();
}

std::size_t GraphWalker::children(int node) const {
    return node < 0 || node >= graph_.nodes_size() ? 0 : static_cast<std::size_t>(graph_.nodes(node).children_size());
}

std::optional<int> GraphWalker::legacySlot(int optimizer, int variable, std::string_view slot) const {
    const auto& slots = edges_[static_cast<std::size_t>(optimizer)].slots;
    const auto found = slots.find(std::pair(variable, std::string(slot)));
    return found == slots.end() ? std::nullopt : std::optional(found->second);
}

int GraphWalker::model() const {
    return find(kRoot, "model").value_or(kRoot);
}

std::optional<int> GraphWalker::optimizer() const {
    std::optional<int> found = find(kRoot, "optimizer");
    if (!found) {
        found = find(model(), "optimizer");
    }
    // An optimizer of Keras 2 that scales the loss wraps the one that holds the state. Keras 3's is told apart by its "inner_optimizer": it
    // has numbers of its own.
    for (const std::string_view inner : {"base_optimizer", "_optimizer"}) {
        if (found) {
            found = find(*found, inner).value_or(*found);
        }
    }
    return found;
}

// Edges from a layer to its variables, at most: an RNN in a Residual, its stack, the stack's list, a cell, the variable.
constexpr int kDeepestWrappers = 5;

bool GraphWalker::holdsVariables(int node, int depth) const {
    std::vector<int> level{node};
    std::set<int> seen{node};
    for (; depth >= 0 && !level.empty(); --depth) {
        std::vector<int> next;
        for (const int at : level) {
            for (const auto& child : graph_.nodes(at).children()) {
                const bool in_range = child.node_id() >= 0 && child.node_id() < graph_.nodes_size();
                if (!in_range || !seen.insert(child.node_id()).second) {
                    continue;
                }
                if (key(child.node_id()).has_value()) {
                    return true;
                }
                next.push_back(child.node_id());
            }
        }
        level = std::move(next);
    }
    return false;
}

std::vector<int> GraphWalker::weightedLayers() const {
    std::vector<int> layers;
    const int from = model();
    while (const auto layer = find(from, "layer_with_weights-" + std::to_string(layers.size()))) {
        layers.push_back(*layer);
    }
    const auto operations = find(from, "_functional/_operations");
    if (layers.empty() && operations) {
        for (int n = 0; const auto layer = find(*operations, std::to_string(n)); ++n) {
            if (holdsVariables(*layer, kDeepestWrappers)) {
                layers.push_back(*layer);
            }
        }
    }
    return layers;
}

}  // namespace engine::exporter
