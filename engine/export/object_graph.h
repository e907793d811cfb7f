// The object graph of a checkpoint: built for what Tandem writes, walked for what TensorFlow wrote.
//
// One graph serves every reader: the root carries the edges of the model too, so that Keras 2's `load_weights` (root = model) and
// `tf.train.Checkpoint(model=..., optimizer=...)` of Keras 2 and 3 all find their names; variables have one node with both Keras' edges to
// it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/export/index/compared.h"
#include "engine/spec/model_spec.h"
#include "object_graph.pb.h"

namespace engine::exporter {

namespace formats = ::tandem::formats;

inline constexpr std::string_view kGraphKey = "_CHECKPOINTABLE_OBJECT_GRAPH";
// Keras 3's list of all variables of an optimizer: iterations, learning rate (unless a schedule gives it), slots.
inline constexpr std::string_view kNumberedSlots = "_variables";

// The key that each tensor is stored under, in the order in which they are saved.
struct GraphKeys {
    struct LayerVariable {
        std::string variable;  // "conv2d/kernel"
        std::string key;
    };
    std::vector<LayerVariable> weights;
    std::string save_counter, iterations, learning_rate;
    std::string step_counter, dynamic_scale;  // of a LossScaleOptimizer around the optimizer
    struct SlotKey {
        std::string variable;  // "conv2d/kernel:m"
        std::string key;
        bool is_placeholder = false;  // see KerasSlot
    };
    std::vector<SlotKey> slots;
};

struct BuiltGraph {
    formats::ObjectGraph graph;
    GraphKeys keys;
};

// `weights`: names in model order. Slots of `optimizer` are listed for every trainable weight. With LossScaling::kDynamic it is the inner
// one of a LossScaleOptimizer.
enum class LossScaling { kNone, kDynamic };
BuiltGraph buildObjectGraph(const spec::ModelSpec& model, const std::vector<std::string>& weights, const spec::ObjectSpec& optimizer,
                            LossScaling scaling = LossScaling::kNone);

// A graph read from a file. Node ids out of range make the edge absent; of several edges of one name the first counts.
class GraphWalker {
public:
    explicit GraphWalker(formats::ObjectGraph graph);

    static constexpr int kRoot = 0;
    // The node at the end of a path of edges ("cell/kernel"), nullopt when an edge is missing.
    std::optional<int> find(int from, std::string_view path) const;
    // The tensor's key of a variable node; nullopt for other nodes.
    std::optional<std::string> key(int node) const;
    std::size_t children(int node) const;
    // The slot variable that an optimizer of TensorFlow 2.0 to 2.10 recorded for a variable's node.
    std::optional<int> legacySlot(int optimizer, int variable, std::string_view slot) const;

    // The model's node: root's child `model`, else the root itself.
    int model() const;
    std::optional<int> optimizer() const;
    // Layers that have variables, in model order, by Keras 2's or Keras 3's edges.
    std::vector<int> weightedLayers() const;

private:
    // What leads on from a node, by name: one whose list has all variables is asked for each of them.
    struct Edges {
        std::map<std::string, int, CountedLess> children;
        std::map<std::pair<int, std::string>, int> slots;  // by the variable's node and the slot's name
    };
    bool holdsVariables(int node, int depth) const;

    formats::ObjectGraph graph_;
    std::vector<Edges> edges_;  // by node
};

}  // namespace engine::exporter
