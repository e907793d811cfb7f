// An ONNX graph made of a plan's forward ops: one emitter a kind of op (op_emitters.h), over values that lie in one of three layouts.
//
// A plan's tensors have the channels last, as Keras'; convolutions and poolings of ONNX take them after the batch, recurrent ops the times
// before it. An emitter says in which layout it makes a tensor and in which it wants one; a Transpose stands where the two differ and
// nowhere else, so those between two neighbours of one kind never come to be.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/export/onnx/node_list.h"
#include "engine/export/tf_checkpoint.h"
#include "engine/plan/plan.h"

namespace engine::exporter::onnx {

enum class Layout {
    kLast,   // (N, H, W, C): as the plan has it
    kFirst,  // (N, C, H, W)
    kTimes,  // (T, N, C)
};
inline constexpr int kLayouts = 3;

// The permutation for a tensor of that rank: axis i of the layout is axis permutation[i] of the plan's.
std::vector<std::int64_t> permutation(Layout layout, std::size_t rank);

class GraphWriter {
public:
    // Writes into `graph`. `weights` are those of the plan, by name; all arguments outlive the writer.
    GraphWriter(const plan::Plan& plan, std::span<const VariableView> weights, proto::GraphProto& graph);

    const plan::Plan& plan() const { return plan_; }
    NodeList& nodes() { return nodes_; }
    void beginOp(const plan::Op& op) { nodes_.setPrefix(op.layer); }

    const spec::Shape& shape(plan::TensorId id) const { return plan_.tensors[static_cast<std::size_t>(id)].shape; }
    std::size_t rank(plan::TensorId id) const { return shape(id).size(); }
    // Sizes for a Reshape to the tensor's own: the batch, whatever it is, and the rest.
    std::vector<std::int64_t> openShape(plan::TensorId id) const;

    // The tensor's value, brought into that layout.
    std::string value(plan::TensorId id, Layout layout = Layout::kLast);
    // The layout in which the tensor's value stands already: an op that can work in any layout asks for this one.
    Layout layoutOf(plan::TensorId id) const;
    void define(plan::TensorId id, std::string name, Layout layout = Layout::kLast);

    // The op that made it, null of an input or a variable.
    const plan::Op* makerOf(plan::TensorId id) const;
    bool hasOneReader(plan::TensorId id) const;

    // A variable's values, C order.
    std::span<const float> weight(plan::TensorId id) const;
    std::string_view nameOf(plan::TensorId id) const { return plan_.tensors[static_cast<std::size_t>(id)].name; }
    // A variable as an initializer of that shape, under its own name.
    std::string initializer(plan::TensorId id, const spec::Shape& shape);
    // The same with its axes, as `from` counts them, in another order; `shape`, of as many values, is what they become.
    std::string transposed(plan::TensorId id, const spec::Shape& from, const std::vector<std::size_t>& axes, const spec::Shape& shape);
    // One number a channel, so that it meets the channels of a value of that rank and layout.
    spec::Shape alongChannels(std::int64_t channels, std::size_t rank, Layout layout) const;

private:
    const plan::Plan& plan_;
    std::map<std::string_view, std::span<const float>> weights_;
    Names names_;
    NodeList nodes_;
    std::vector<std::array<std::string, kLayouts>> values_;  // by tensor and layout; empty: not there
    std::vector<const plan::Op*> makers_;
    std::vector<int> readers_;
};

}  // namespace engine::exporter::onnx
