#include "engine/export/onnx/node_list.h"

#include <set>

namespace engine::exporter::onnx {
namespace {

struct AttributeWriter {
    proto::AttributeProto& attribute;

    void operator()(std::int64_t value) const {
        attribute.set_type(proto::AttributeProto::INT);
        attribute.set_i(value);
    }
    void operator()(float value) const {
        attribute.set_type(proto::AttributeProto::FLOAT);
        attribute.set_f(value);
    }
    void operator()(const std::string& value) const {
        attribute.set_type(proto::AttributeProto::STRING);
        attribute.set_s(value);
    }
    void operator()(const std::vector<std::int64_t>& values) const {
        attribute.set_type(proto::AttributeProto::INTS);
        attribute.mutable_ints()->Assign(values.begin(), values.end());
    }
    void operator()(const std::vector<float>& values) const {
        attribute.set_type(proto::AttributeProto::FLOATS);
        attribute.mutable_floats()->Assign(values.begin(), values.end());
    }
    void operator()(const std::vector<std::string>& values) const {
        attribute.set_type(proto::AttributeProto::STRINGS);
        for (const std::string& value : values) attribute.add_strings(value);
    }
    void operator()(const proto::GraphProto& graph) const {
        attribute.set_type(proto::AttributeProto::GRAPH);
        *attribute.mutable_g() = graph;
    }
};

template <typename T>
void fill(proto::TensorProto& tensor, const std::string& name, proto::TensorProto::DataType type, const spec::Shape& shape,
          std::span<const T> values) {
    tensor.set_name(name);
    tensor.set_data_type(type);
    for (std::int64_t size : shape) tensor.add_dims(size);
    // ONNX wants little-endian, which every processor that this is built for has.
    tensor.set_raw_data(values.data(), values.size_bytes());
}

void readNames(const proto::GraphProto& graph, std::set<std::string>& names) {
    for (const proto::NodeProto& node : graph.node()) {
        names.insert(node.input().begin(), node.input().end());
        for (const proto::AttributeProto& attribute : node.attribute()) {
            if (attribute.has_g()) readNames(attribute.g(), names);
        }
    }
    for (const proto::ValueInfoProto& output : graph.output()) names.insert(output.name());
}

}  // namespace

std::string Names::take(const std::string& wanted) {
    const int before = taken_[wanted]++;
    return before == 0 ? wanted : take(wanted + "_" + std::to_string(before));
}

std::string NodeList::add(std::string_view op_type, const std::vector<std::string>& inputs, const Attributes& attributes) {
    std::string output = newName(op_type);
    addTo(op_type, inputs, {output}, attributes);
    return output;
}

void NodeList::addTo(std::string_view op_type, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                     const Attributes& attributes) {
    proto::NodeProto& node = *graph_.add_node();
    node.set_op_type(std::string(op_type));
    for (const std::string& input : inputs) node.add_input(input);
    for (const std::string& output : outputs) node.add_output(output);
    for (const auto& [name, value] : attributes) {
        proto::AttributeProto& attribute = *node.add_attribute();
        attribute.set_name(std::string(name));
        std::visit(AttributeWriter{attribute}, value);
    }
    // Outputs are named after their layer, and so is the node.
    for (const std::string& output : outputs) {
        if (!output.empty() && !node.has_name()) node.set_name(output);
    }
}

std::string NodeList::constant(const spec::Shape& shape, std::span<const float> values) {
    return initializer(prefix_ + ":constant", shape, values);
}

std::string NodeList::integers(const std::vector<std::int64_t>& values) {
    const std::string name = newName("sizes");
    fill(*graph_.add_initializer(), name, proto::TensorProto::INT64, {static_cast<std::int64_t>(values.size())},
         std::span<const std::int64_t>(values));
    return name;
}

std::string NodeList::integer(std::int64_t value) {
    const std::string name = newName("size");
    fill(*graph_.add_initializer(), name, proto::TensorProto::INT64, {}, std::span<const std::int64_t>(&value, 1));
    return name;
}

std::string NodeList::initializer(const std::string& wanted_name, const spec::Shape& shape, std::span<const float> values) {
    const std::string name = names_.take(wanted_name);
    fill(*graph_.add_initializer(), name, proto::TensorProto::FLOAT, shape, values);
    return name;
}

void describe(proto::ValueInfoProto& value, const std::string& name, proto::TensorProto::DataType type, const spec::Shape& shape) {
    value.set_name(name);
    proto::TypeProto::Tensor& tensor = *value.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(type);
    proto::TensorShapeProto& sizes = *tensor.mutable_shape();
    for (std::int64_t size : shape) {
        proto::TensorShapeProto::Dimension& one = *sizes.add_dim();
        if (size < 0) {
            one.set_dim_param("batch");
        } else {
            one.set_dim_value(size);
        }
    }
}

void dropUnread(proto::GraphProto& graph) {
    // Nodes are in order: what the last reads stands before it.
    std::set<std::string> read;
    for (const proto::ValueInfoProto& output : graph.output()) read.insert(output.name());
    std::vector<bool> kept(static_cast<std::size_t>(graph.node_size()));
    for (int i = graph.node_size(); i-- > 0;) {
        const proto::NodeProto& node = graph.node(i);
        bool is_read = false;
        for (const std::string& output : node.output()) is_read = is_read || read.contains(output);
        if (!is_read) continue;
        kept[static_cast<std::size_t>(i)] = true;
        read.insert(node.input().begin(), node.input().end());
        for (const proto::AttributeProto& attribute : node.attribute()) {
            if (attribute.has_g()) readNames(attribute.g(), read);
        }
    }
    const auto drop = [](auto& list, const auto& stays) {
        int to = 0;
        for (int i = 0; i < list.size(); ++i) {
            if (stays(i)) list.SwapElements(to++, i);
        }
        list.DeleteSubrange(to, list.size() - to);
    };
    drop(*graph.mutable_node(), [&](int i) { return kept[static_cast<std::size_t>(i)]; });
    drop(*graph.mutable_initializer(), [&](int i) { return read.contains(graph.initializer(i).name()); });
}

}  // namespace engine::exporter::onnx
