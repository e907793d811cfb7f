// A chain of ONNX nodes as the layers of a Sequential model.
//
// The value that travels along the chain is known twice: its axes as the file has them, and Keras' shape of it. `layout()` says which of
// Keras' axes each of the file's is, so a Transpose moves axes and makes no layer; only an op that wants another order than there is gets a
// Permute before it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/export/onnx/node_view.h"
#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/model_spec.h"

namespace engine::exporter::onnx {

// A weight that was read. They stand in the order of the model's layers and, within one, of Keras' variables.
struct ReadWeight {
    std::string name;  // "dense/kernel"
    FloatTensor tensor;
};
struct ReadModel {
    spec::ModelSpec model;
    std::vector<ReadWeight> weights;
};

class ChainReader {
public:
    // `graph` outlives the reader; `file` is for messages.
    ChainReader(const proto::GraphProto& graph, std::string file);

    // Throws Error(kInvalidArgument) naming the node that is no chain's or that no layer stands for.
    ReadModel read();

    // What ops ask and do. An axis below 0 in the layout has the size 1 and is none of Keras'.
    static constexpr int kUnit = -1, kDirection = -2;
    std::size_t rank() const { return layout_.size(); }
    const spec::Shape& shape() const { return shape_; }  // Keras', without the batch
    std::vector<int>& layout() { return layout_; }
    std::vector<std::int64_t> sizes() const;  // of the file's axes; the batch is kBatch
    static constexpr std::int64_t kBatch = -1;
    std::int64_t fixedBatch() const { return fixed_batch_; }  // 0: any
    // Brings the value into an order; the model's input, where nothing has said so before, has it from the beginning.
    void wantChannelsFirst(const NodeView& node);
    void wantTimesFirst(const NodeView& node);
    void wantKerasOrder(const NodeView& node);
    // The file's axis, counted from the end where below 0.
    std::size_t axisOf(const NodeView& node, std::int64_t axis) const;
    int kerasAxis(const NodeView& node, std::int64_t axis);

    // Adds a layer with its weights by Keras' names. The layout stays: a layer that changes the rank sets it afterwards.
    void add(const NodeView& node, const std::string& class_name, spec::Fields config, std::map<std::string, FloatTensor> weights = {});
    // A function of each value: of the layer before where that has none and can take one.
    void addActivation(const NodeView& node, const std::string& function);
    spec::LayerSpec* lastLayer() { return model_.layers.empty() ? nullptr : &model_.layers.back(); }
    // The bias of the layer before, where it has none yet and the value is its output as it is.
    bool addBias(const NodeView& node, const FloatTensor& bias);
    void addDense(const NodeView& node, FloatTensor kernel, std::optional<FloatTensor> bias);
    void flatten(const NodeView& node);
    // The layer before gives its last time alone: the file's axis of the times is gone.
    void dropTimes(std::size_t axis);

    const Constants& constants() const { return constants_; }
    FloatTensor weight(const NodeView& node, int input) const;  // must be a constant
    const std::string& current() const { return current_; }
    void follow(std::string value) { current_ = std::move(value); }
    bool isRead(const std::string& value) const { return readers_.contains(value) || value == output_; }
    bool is_turned = false;  // the times run backwards

    [[noreturn]] void fail(const NodeView& node, const std::string& expected, const std::string& got) const {
        refuse(file_, node, expected, got);
    }

private:
    void begin(const std::vector<int>& layout);
    void arrange(const NodeView& node, const std::vector<int>& wanted);
    void materialise(const NodeView& node);
    void permute(const NodeView& node, const std::vector<std::int64_t>& dims);
    void settleFlatten(const NodeView& node);
    void enter(const proto::GraphProto& graph);
    bool takeFormula(int first);
    void step(int index);
    bool isForSizes(int index) const;
    void takeSizes(const NodeView& node);

    const proto::GraphProto& graph_;
    std::string file_;
    Constants constants_;
    std::map<std::string, std::vector<int>> readers_;         // of a value: nodes
    std::map<std::string, std::vector<std::int64_t>> sizes_;  // of values that were on the chain
    std::set<int> taken_;                                     // nodes of a formula
    spec::ModelSpec model_;
    spec::LayerNames names_;
    std::vector<ReadWeight> weights_;
    std::string current_, output_;
    std::vector<std::int64_t> input_sizes_;
    bool is_undecided_ = true;  // the order of the input's axes
    bool has_channels_first_ = false;
    std::int64_t fixed_batch_ = 0;
    spec::Shape shape_;
    std::vector<int> layout_;
    struct Flattened {
        std::size_t layer;
        std::vector<int> layout;
        spec::Shape shape;
    };
    std::optional<Flattened> flattened_;  // whose values lie in the file's order, not in Keras'
};

// nullptr for an op that no layer stands for. After it the chain's value is the node's first output, unless the handler said otherwise.
using NodeReader = void (*)(ChainReader& chain, const NodeView& node);
NodeReader findNodeReader(const std::string& op);

// The name of the function that these values follow from those, or nothing: chain_formula.cpp.
std::optional<std::string> functionOf(const std::vector<double>& x, const std::vector<double>& y);
// One op by elements on doubles; nothing for an op that is none.
std::optional<std::vector<double>> computed(const NodeView& node, const std::vector<std::vector<double>>& inputs);

}  // namespace engine::exporter::onnx
