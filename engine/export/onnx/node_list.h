// Nodes and constants of one ONNX graph, the model's own or the body of a loop in it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/spec/shape.h"
#include "onnx.pb.h"

namespace engine::exporter::onnx {

namespace proto = tandem::onnx;

using AttributeValue = std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>, std::vector<float>,
                                    std::vector<std::string>, proto::GraphProto>;
using Attributes = std::vector<std::pair<std::string_view, AttributeValue>>;

// Names that are taken, of a graph and of the graphs within it: every value has one of its own.
class Names {
public:
    std::string take(const std::string& wanted);  // "conv2d:out", "conv2d:out_1"

private:
    std::map<std::string, int> taken_;
};

// Writes into `graph`; both arguments outlive it. Values are named by strings; an empty name stands for an input that is left out.
class NodeList {
public:
    NodeList(proto::GraphProto& graph, Names& names) : graph_(graph), names_(names) {}

    // What new names begin with: the layer's.
    void setPrefix(std::string prefix) { prefix_ = std::move(prefix); }

    std::string newName(std::string_view suffix) { return names_.take(prefix_ + ":" + std::string(suffix)); }
    // Adds a node and returns the name of its output.
    std::string add(std::string_view op_type, const std::vector<std::string>& inputs, const Attributes& attributes = {});
    // The same of a node with these outputs.
    void addTo(std::string_view op_type, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
               const Attributes& attributes = {});

    // Initializers. Scalars have the shape ().
    std::string constant(float value) { return constant({}, {&value, 1}); }
    std::string constant(const spec::Shape& shape, std::span<const float> values);
    std::string integers(const std::vector<std::int64_t>& values);  // one-dimensional
    std::string integer(std::int64_t value);                        // a scalar
    std::string initializer(const std::string& wanted_name, const spec::Shape& shape, std::span<const float> values);

    proto::GraphProto& graph() { return graph_; }
    Names& names() { return names_; }

private:
    proto::GraphProto& graph_;
    Names& names_;
    std::string prefix_;
};

// A float32 input or output of a graph; sizes below 0 are named "batch" or left open.
void describe(proto::ValueInfoProto& value, const std::string& name, proto::TensorProto::DataType type, const spec::Shape& shape);

// Takes away nodes and initializers that nothing reads.
void dropUnread(proto::GraphProto& graph);

}  // namespace engine::exporter::onnx
