#include "engine/export/onnx/onnx_file.h"

#include "engine/export/index/name_index.h"
#include "engine/export/onnx/graph_writer.h"
#include "engine/export/onnx/op_emitters.h"
#include "engine/plan/lower.h"
#include "engine/plan/op_table.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"

namespace engine::exporter {
namespace {

using onnx::proto::GraphProto;
using onnx::proto::TensorProto;

constexpr const char* kInput = "input";
constexpr const char* kOutput = "output";

// The type of the model's input in the file: a program that has its numbers in that type gives them as they are.
TensorProto::DataType typeOf(const std::string& dtype) {
    if (dtype == "uint8") return TensorProto::UINT8;
    if (dtype == "int32") return TensorProto::INT32;
    if (dtype == "int64") return TensorProto::INT64;
    return TensorProto::FLOAT;
}

plan::Plan predictionOf(const spec::ModelSpec& model) {
    plan::LowerOptions options;
    options.batch = 1;
    options.training = false;
    return plan::lowerLayers(model, options);
}

void checkWeights(const plan::Plan& plan, std::span<const VariableView> weights) {
    const NameIndex<VariableView> by_name(weights);
    for (const plan::TensorDesc& tensor : plan.tensors) {
        if (!plan::isVariable(tensor)) continue;
        const VariableView* found = by_name.find(tensor.name);
        if (found == nullptr || found->values.size() != static_cast<std::size_t>(plan::elementCount(tensor))) {
            throw Error(ErrorCode::kInvalidArgument, tensor.name + ": expected " + std::to_string(plan::elementCount(tensor)) +
                                                         " values, got " + std::to_string(found == nullptr ? 0 : found->values.size()));
        }
    }
}

// The last value gets the output's name, in the node that makes it and wherever it is read.
void nameOutput(onnx::NodeList& nodes, const std::string& value) {
    bool is_made = false;
    for (onnx::proto::NodeProto& node : *nodes.graph().mutable_node()) {
        for (std::string& name : *node.mutable_input()) {
            if (name == value && name != kInput) name = kOutput;
        }
        for (std::string& name : *node.mutable_output()) {
            if (name != value) continue;
            name = kOutput;
            is_made = true;
        }
    }
    if (!is_made) nodes.addTo("Identity", {value}, {kOutput});  // a model whose layers change nothing
}

spec::Shape withBatch(spec::Shape shape, std::optional<std::int64_t> batch) {
    shape.front() = batch.value_or(-1);
    return shape;
}

}  // namespace

bool isOnnxFileName(const std::filesystem::path& file) {
    return file.extension() == ".onnx";
}

std::string onnxBytes(const spec::ModelSpec& model, std::span<const VariableView> weights, std::optional<std::int64_t> batch) {
    const plan::Plan plan = predictionOf(model);
    checkWeights(plan, weights);
    onnx::proto::ModelProto file;
    file.set_ir_version(onnx::kIrVersion);
    file.set_producer_name("Tandem");
    onnx::proto::OperatorSetIdProto& opset = *file.add_opset_import();
    opset.set_domain("");
    opset.set_version(onnx::kOpset);
    GraphProto& graph = *file.mutable_graph();
    graph.set_name(model.name.empty() ? "sequential" : model.name);

    if (const spec::LayerSpec* texts = spec::textLayer(model)) {
        throw Error(ErrorCode::kUnimplemented, texts->name + ": expected an op that ONNX can be told, got " + texts->class_name);
    }
    onnx::GraphWriter writer(plan, weights, graph);
    onnx::NodeList& nodes = writer.nodes();
    const TensorProto::DataType type = typeOf(model.input_dtype);
    nodes.names().take(kInput);
    nodes.names().take(kOutput);
    nodes.setPrefix(kInput);
    onnx::describe(*graph.add_input(), kInput, type, withBatch(writer.shape(plan.input), batch));
    const bool is_float = type == TensorProto::FLOAT;
    writer.define(plan.input, is_float ? kInput : nodes.add("Cast", {kInput}, {{"to", std::int64_t{TensorProto::FLOAT}}}));
    for (const plan::Op& op : plan.ops) {
        const onnx::OpEmitter emitter = onnx::findOpEmitter(op.kind);
        if (emitter == nullptr) {
            throw Error(ErrorCode::kUnimplemented,
                        op.layer + ": expected an op that ONNX can be told, got " + std::string(plan::toString(op.kind)));
        }
        writer.beginOp(op);
        emitter(writer, op);
    }
    nameOutput(nodes, writer.value(plan.output));
    onnx::describe(*graph.add_output(), kOutput, TensorProto::FLOAT, withBatch(writer.shape(plan.output), batch));
    onnx::dropUnread(graph);

    constexpr std::size_t kMostBytes = (std::size_t{1} << 31) - 1;
    if (file.ByteSizeLong() > kMostBytes) {
        throw Error(ErrorCode::kInvalidArgument, model.name +
                                                     ": expected at most 2147483647 bytes, which is what an ONNX file holds, got " +
                                                     std::to_string(file.ByteSizeLong()));
    }
    return file.SerializeAsString();
}

}  // namespace engine::exporter
