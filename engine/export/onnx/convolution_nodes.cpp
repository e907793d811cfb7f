// Convolutions, poolings and products. Sequences are one-dimensional in ONNX, images two-dimensional; the plan's windows have two sizes for
// both, of which a sequence has the columns.
#include <vector>

#include "engine/export/onnx/op_emitters.h"

namespace engine::exporter::onnx {
namespace {

using plan::Op;
using plan::TensorId;
using plan::Window2D;

std::vector<std::int64_t> ofAxes(bool is_sequence, std::int64_t rows, std::int64_t columns) {
    return is_sequence ? std::vector{columns} : std::vector{rows, columns};
}

std::vector<std::int64_t> padsOf(bool is_sequence, const Window2D& w) {
    if (is_sequence) return {w.pad_left, w.pad_right};
    return {w.pad_top, w.pad_left, w.pad_bottom, w.pad_right};
}

Attributes windowAttributes(bool is_sequence, const Window2D& w) {
    return {{"kernel_shape", ofAxes(is_sequence, w.kernel_h, w.kernel_w)},
            {"strides", ofAxes(is_sequence, w.stride_h, w.stride_w)},
            {"pads", padsOf(is_sequence, w)}};
}

Attributes convolutionAttributes(bool is_sequence, const Window2D& w) {
    Attributes attributes = windowAttributes(is_sequence, w);
    attributes.emplace_back("dilations", ofAxes(is_sequence, w.dilation_h, w.dilation_w));
    attributes.emplace_back("group", std::int64_t{w.groups});
    return attributes;
}

bool isSequence(const GraphWriter& writer, TensorId id) {
    return writer.rank(id) == 3;
}

// (kh, kw, a, b) as (b, a, kh, kw), of a sequence without kh.
std::string kernelFirst(GraphWriter& writer, TensorId kernel, const spec::Shape& from, bool is_sequence) {
    spec::Shape shape{from[3], from[2], from[0], from[1]};
    if (is_sequence) shape.erase(shape.begin() + 2);
    return writer.transposed(kernel, from, {3, 2, 0, 1}, shape);
}

// Adds a Conv with the bias of the op behind it, or without (kNoTensor).
void addConvolution(GraphWriter& writer, const Op& op, TensorId bias, TensorId y) {
    const Window2D& window = plan::windowOf(op);
    const bool is_sequence = isSequence(writer, y);
    const spec::Shape kernel = plan::kernelShape(window, writer.shape(op.inputs[0]).back(), writer.shape(y).back());
    std::vector<std::string> inputs{writer.value(op.inputs[0], Layout::kFirst), kernelFirst(writer, op.inputs[1], kernel, is_sequence)};
    if (bias != plan::kNoTensor) inputs.push_back(writer.initializer(bias, writer.shape(bias)));
    writer.define(y, writer.nodes().add("Conv", inputs, convolutionAttributes(is_sequence, window)), Layout::kFirst);
}

// How many cells the output has beyond those that `n` windows reach, each `stride` after the one before; what is cut at either side is in
// the window's pads.
std::int64_t paddingBeyond(std::int64_t n, int stride, int kernel, int dilation, int begin, int end, std::int64_t output) {
    return output - ((n - 1) * stride + (kernel - 1) * dilation + 1 - begin - end);
}

void addConvolutionTranspose(GraphWriter& writer, const Op& op, TensorId bias, TensorId y) {
    const Window2D& w = plan::windowOf(op);
    const bool is_sequence = isSequence(writer, y);
    const spec::Shape input = plan::imageShape(writer.shape(op.inputs[0])), output = plan::imageShape(writer.shape(y));
    const spec::Shape kernel = plan::kernelShape(w, output.back(), input.back());
    std::vector<std::string> inputs{writer.value(op.inputs[0], Layout::kFirst), kernelFirst(writer, op.inputs[1], kernel, is_sequence)};
    if (bias != plan::kNoTensor) inputs.push_back(writer.initializer(bias, writer.shape(bias)));
    Attributes attributes = convolutionAttributes(is_sequence, w);
    attributes.emplace_back(
        "output_padding",
        ofAxes(is_sequence, paddingBeyond(input[1], w.stride_h, w.kernel_h, w.dilation_h, w.pad_top, w.pad_bottom, output[1]),
               paddingBeyond(input[2], w.stride_w, w.kernel_w, w.dilation_w, w.pad_left, w.pad_right, output[2])));
    writer.define(y, writer.nodes().add("ConvTranspose", inputs, attributes), Layout::kFirst);
}

// The mean or maximum over a whole image; its output has no rows and columns.
void addReduction(GraphWriter& writer, const Op& op, std::string_view op_type) {
    const TensorId x = op.inputs[0];
    const Layout layout = writer.layoutOf(x);
    const std::int64_t first = layout == Layout::kFirst ? 2 : 1;
    std::vector<std::int64_t> axes;
    for (std::size_t i = 0; i + 2 < writer.rank(x); ++i) axes.push_back(first + static_cast<std::int64_t>(i));
    const Layout taken = layout == Layout::kTimes ? Layout::kLast : layout;
    writer.define(op.outputs[0], writer.nodes().add(op_type, {writer.value(x, taken)}, {{"axes", axes}, {"keepdims", std::int64_t{0}}}));
}

// Each axis by itself: every window's cells are laid beside each other, as many as the largest one has, and become their maximum or their
// mean. A smaller window has its last cell again, which counts for the maximum alone.
void addAdaptivePool(GraphWriter& writer, const Op& op, bool takes_mean) {
    NodeList& nodes = writer.nodes();
    std::vector<std::int64_t> shape = writer.openShape(op.inputs[0]);
    const std::vector<std::int64_t> result = writer.openShape(op.outputs[0]);
    std::string value = writer.value(op.inputs[0]);
    for (std::size_t axis = 1; axis + 1 < shape.size(); ++axis) {
        const std::int64_t size = shape[axis], count = result[axis];
        if (size == count) continue;
        std::int64_t most = 1;
        for (std::int64_t i = 0; i < count; ++i) {
            const plan::CellRange cells = plan::adaptiveCells(i, count, size);
            most = std::max(most, cells.end - cells.begin);
        }
        std::vector<std::int64_t> indices;
        std::vector<float> shares;
        for (std::int64_t i = 0; i < count; ++i) {
            const plan::CellRange cells = plan::adaptiveCells(i, count, size);
            for (std::int64_t cell = cells.begin; cell < cells.begin + most; ++cell) {
                indices.push_back(std::min(cell, cells.end - 1));
                shares.push_back(cell < cells.end ? 1.0F / static_cast<float>(cells.end - cells.begin) : 0.0F);
            }
        }
        value = nodes.add("Gather", {value, nodes.integers(indices)}, {{"axis", static_cast<std::int64_t>(axis)}});
        shape[axis] = count;
        std::vector<std::int64_t> beside = shape;
        beside.insert(beside.begin() + static_cast<std::ptrdiff_t>(axis) + 1, most);
        value = nodes.add("Reshape", {value, nodes.integers(beside)});
        const auto of_cells = static_cast<std::int64_t>(axis) + 1;
        if (takes_mean) {
            spec::Shape along(beside.size() - axis, 1);
            along[0] = count;
            along[1] = most;
            value = nodes.add("Mul", {value, nodes.constant(along, shares)});
            value = nodes.add("ReduceSum", {value, nodes.integers({of_cells})}, {{"keepdims", std::int64_t{0}}});
        } else {
            value = nodes.add("ReduceMax", {value}, {{"axes", std::vector<std::int64_t>{of_cells}}, {"keepdims", std::int64_t{0}}});
        }
    }
    writer.define(op.outputs[0], value);
}

void addPool(GraphWriter& writer, const Op& op, std::string_view op_type) {
    const auto& window = std::get<Window2D>(op.attributes);
    if (window.is_adaptive) return addAdaptivePool(writer, op, op_type == "AveragePool");
    const Attributes attributes = windowAttributes(isSequence(writer, op.inputs[0]), window);
    writer.define(op.outputs[0], writer.nodes().add(op_type, {writer.value(op.inputs[0], Layout::kFirst)}, attributes), Layout::kFirst);
}

// The weight of a product with x.
std::string matrix(GraphWriter& writer, TensorId weight, TensorId x) {
    return writer.initializer(weight, plan::matrixShape(writer.shape(weight), writer.shape(x).back()));
}

}  // namespace

void emitConvolution(GraphWriter& writer, const Op& op) {
    addConvolution(writer, op, plan::kNoTensor, op.outputs[0]);
}

void emitConvolutionTranspose(GraphWriter& writer, const Op& op) {
    addConvolutionTranspose(writer, op, plan::kNoTensor, op.outputs[0]);
}

void emitMaxPool(GraphWriter& writer, const Op& op) {
    writer.rank(op.outputs[0]) == 2 ? addReduction(writer, op, "ReduceMax") : addPool(writer, op, "MaxPool");
}

void emitAveragePool(GraphWriter& writer, const Op& op) {
    writer.rank(op.outputs[0]) == 2 ? addReduction(writer, op, "ReduceMean") : addPool(writer, op, "AveragePool");
}

void emitMatMul(GraphWriter& writer, const Op& op) {
    const TensorId x = op.inputs[0], kernel = op.inputs[1];
    const Layout layout = writer.layoutOf(x) == Layout::kTimes ? Layout::kTimes : Layout::kLast;
    writer.define(op.outputs[0], writer.nodes().add("MatMul", {writer.value(x, layout), matrix(writer, kernel, x)}), layout);
}

// A product that nothing else reads takes its bias along: the node without is then read by nobody and left out in the end.
void emitBiasAdd(GraphWriter& writer, const Op& op) {
    const TensorId x = op.inputs[0], bias = op.inputs[1], y = op.outputs[0];
    const Op* product = writer.hasOneReader(x) ? writer.makerOf(x) : nullptr;
    if (product != nullptr && product->kind == plan::OpKind::kConv2D) return addConvolution(writer, *product, bias, y);
    if (product != nullptr && product->kind == plan::OpKind::kConv2DBackInput) return addConvolutionTranspose(writer, *product, bias, y);
    if (product != nullptr && product->kind == plan::OpKind::kMatMul && writer.rank(x) == 2) {
        const TensorId kernel = product->inputs[1];
        return writer.define(y, writer.nodes().add("Gemm", {writer.value(product->inputs[0]), matrix(writer, kernel, product->inputs[0]),
                                                            writer.initializer(bias, {writer.shape(x).back()})}));
    }
    const Layout layout = writer.layoutOf(x);
    const spec::Shape shape = writer.alongChannels(writer.shape(x).back(), writer.rank(x), layout);
    writer.define(y, writer.nodes().add("Add", {writer.value(x, layout), writer.initializer(bias, shape)}), layout);
}

}  // namespace engine::exporter::onnx
