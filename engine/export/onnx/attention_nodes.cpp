// A sequence's attention to itself, in the heads' own axes: (N, heads, T, size).
#include <optional>
#include <vector>

#include "engine/export/onnx/op_emitters.h"

namespace engine::exporter::onnx {
namespace {

using plan::AttentionAttributes;
using plan::Op;
using plan::TensorId;

// (N, T, heads * size) with the heads as an axis of their own, the axes in this order of (batch, time, head, size).
std::string byHead(GraphWriter& writer, TensorId id, std::int64_t heads, const std::vector<std::int64_t>& order) {
    const spec::Shape& shape = writer.shape(id);
    NodeList& nodes = writer.nodes();
    const std::string apart = nodes.add("Reshape", {writer.value(id), nodes.integers({-1, shape[1], heads, shape[2] / heads})});
    return nodes.add("Transpose", {apart}, {{"perm", order}});
}

// The mask of one kind, where there is one, as (N or 1, 1, T or 1, T or 1).
std::vector<std::string> conditions(GraphWriter& writer, const Op& op, const AttentionAttributes& attention, std::int64_t time) {
    NodeList& nodes = writer.nodes();
    std::vector<std::string> all;
    if (attention.masked) {
        const std::string mask = writer.value(op.inputs.back());
        all.push_back(nodes.add("Unsqueeze", {mask, nodes.integers({1, 3})}));
        all.push_back(nodes.add("Unsqueeze", {mask, nodes.integers({1, 2})}));
    }
    if (attention.causal) {
        std::vector<float> seen(static_cast<std::size_t>(time * time));
        for (std::int64_t query = 0; query < time; ++query) {
            for (std::int64_t key = 0; key <= query; ++key) seen[static_cast<std::size_t>(query * time + key)] = 1;
        }
        all.push_back(nodes.add("Cast", {nodes.constant({1, 1, time, time}, seen)}, {{"to", std::int64_t{proto::TensorProto::BOOL}}}));
    }
    return all;
}

}  // namespace

void emitAttentionWeights(GraphWriter& writer, const Op& op) {
    const auto& attention = std::get<AttentionAttributes>(op.attributes);
    const std::string queries = byHead(writer, op.inputs[0], attention.heads, {0, 2, 1, 3});
    const std::string keys = byHead(writer, op.inputs[1], attention.heads, {0, 2, 3, 1});
    NodeList& nodes = writer.nodes();
    std::string scores = nodes.add("Mul", {nodes.add("MatMul", {queries, keys}), nodes.constant(static_cast<float>(attention.scale))});
    std::optional<std::string> seen;
    for (const std::string& one : conditions(writer, op, attention, writer.shape(op.inputs[0])[1])) {
        seen = seen ? nodes.add("And", {*seen, one}) : one;
    }
    constexpr float kNothing = -3e38F;
    if (seen) scores = nodes.add("Where", {*seen, scores, nodes.constant(kNothing)});
    writer.define(op.outputs[0], nodes.add("Softmax", {scores}, {{"axis", std::int64_t{-1}}}));
}

void emitAttentionValues(GraphWriter& writer, const Op& op) {
    const auto& attention = std::get<AttentionAttributes>(op.attributes);
    const std::string values = byHead(writer, op.inputs[1], attention.heads, {0, 2, 1, 3});
    NodeList& nodes = writer.nodes();
    const std::string sums = nodes.add("MatMul", {writer.value(op.inputs[0]), values});
    const std::string side_by_side = nodes.add("Transpose", {sums}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
    writer.define(op.outputs[0], nodes.add("Reshape", {side_by_side, nodes.integers(writer.openShape(op.outputs[0]))}));
}

}  // namespace engine::exporter::onnx
