// What readers ask of an ONNX file's nodes and constants.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/shape.h"
#include "onnx.pb.h"

namespace engine::exporter::onnx {

namespace proto = tandem::onnx;

// A node's attributes by name, with ONNX' default where it has none. Does not own the node.
class NodeView {
public:
    explicit NodeView(const proto::NodeProto& node) : node_(&node) {}

    const std::string& op() const { return node_->op_type(); }
    // "conv1 (Conv)"; of a node without a name its output stands for it.
    std::string described() const;
    // Empty where the node leaves it out.
    std::string input(int index) const { return index < node_->input_size() ? node_->input(index) : std::string(); }
    int inputs() const { return node_->input_size(); }
    std::string output(int index) const { return index < node_->output_size() ? node_->output(index) : std::string(); }
    int outputs() const { return node_->output_size(); }

    bool has(std::string_view name) const { return find(name) != nullptr; }
    std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
    float number(std::string_view name, float otherwise) const;
    std::string text(std::string_view name, std::string_view otherwise) const;
    std::vector<std::int64_t> integers(std::string_view name, std::vector<std::int64_t> otherwise = {}) const;
    std::vector<float> numbers(std::string_view name) const;
    std::vector<std::string> texts(std::string_view name) const;
    const proto::TensorProto* tensor(std::string_view name) const;

private:
    const proto::AttributeProto* find(std::string_view name) const;

    const proto::NodeProto* node_;
};

// Throws Error(kInvalidArgument): "FILE: node NAME (OP): expected EXPECTED, got GOT".
[[noreturn]] void refuse(const std::string& file, const NodeView& node, const std::string& expected, const std::string& got);

struct FloatTensor {
    spec::Shape shape;
    std::vector<float> values;
};

// The constants of a graph: its initializers, Constant nodes, and what follows from these and from shapes by itself. Does not own the
// graph.
class Constants {
public:
    Constants(const proto::GraphProto& graph, std::string file);

    bool has(const std::string& name) const { return tensors_.contains(name) || numbers_.contains(name) || zeros_.contains(name); }
    // Nothing for a name that is none of them. Throws Error(kDataLoss, kInvalidArgument) for a tensor whose size is wrong or whose type is
    // none that is read; `node` is who asks.
    std::optional<FloatTensor> floats(const NodeView& node, const std::string& name) const;
    std::optional<std::vector<std::int64_t>> integers(const NodeView& node, const std::string& name) const;
    std::optional<float> scalar(const NodeView& node, const std::string& name) const;
    // All values are 0, of whatever shape.
    bool isZero(const NodeView& node, const std::string& name) const;

    void set(const std::string& name, std::vector<std::int64_t> values) { numbers_[name] = std::move(values); }
    // A node all of whose inputs are constants: its output is one, too. False for an op that is not followed.
    bool fold(const NodeView& node);

private:
    std::string file_;
    std::map<std::string, const proto::TensorProto*> tensors_;
    std::map<std::string, std::vector<std::int64_t>> numbers_;
    std::set<std::string> zeros_;
};

}  // namespace engine::exporter::onnx
