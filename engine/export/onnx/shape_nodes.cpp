// What moves, pads, resizes or looks up values, and masks, which are booleans in ONNX.
#include <algorithm>
#include <numeric>
#include <vector>

#include "engine/export/onnx/op_emitters.h"
#include "engine/spec/error.h"

namespace engine::exporter::onnx {
namespace {

using plan::Op;
using plan::TensorId;

// The mask with axes of one for those that the value has beside.
std::string maskFor(GraphWriter& writer, TensorId mask, TensorId x) {
    std::vector<std::int64_t> axes;
    for (std::size_t i = writer.rank(mask); i < writer.rank(x); ++i) axes.push_back(static_cast<std::int64_t>(i));
    const std::string value = writer.value(mask);
    return axes.empty() ? value : writer.nodes().add("Unsqueeze", {value, writer.nodes().integers(axes)});
}

std::string toFloat(NodeList& nodes, const std::string& value) {
    return nodes.add("Cast", {value}, {{"to", std::int64_t{proto::TensorProto::FLOAT}}});
}

// A kernel for each cell of the window, which sees that cell and no other.
std::string cellKernels(NodeList& nodes, const plan::Window2D& w) {
    const std::int64_t cells = std::int64_t{w.kernel_h} * w.kernel_w;
    std::vector<float> kernels(static_cast<std::size_t>(cells * cells), 0.0F);
    for (std::int64_t i = 0; i < cells; ++i) kernels[static_cast<std::size_t>(i * cells + i)] = 1;
    return nodes.constant({cells, 1, w.kernel_h, w.kernel_w}, kernels);
}

Attributes windowAttributes(const plan::Window2D& w) {
    return {{"kernel_shape", std::vector<std::int64_t>{w.kernel_h, w.kernel_w}},
            {"strides", std::vector<std::int64_t>{w.stride_h, w.stride_w}},
            {"dilations", std::vector<std::int64_t>{w.dilation_h, w.dilation_w}}};
}

}  // namespace

// Each channel is an image of its own; the cells of a window become the channels of a convolution.
void emitPatches(GraphWriter& writer, const Op& op) {
    const auto& w = std::get<plan::Window2D>(op.attributes);
    const spec::Shape &x = writer.shape(op.inputs[0]), &y = writer.shape(op.outputs[0]);
    const std::int64_t cells = std::int64_t{w.kernel_h} * w.kernel_w, columns = y[2] / cells;
    NodeList& nodes = writer.nodes();
    Attributes attributes = windowAttributes(w);
    attributes.emplace_back("pads", std::vector<std::int64_t>{w.pad_top, w.pad_left, w.pad_bottom, w.pad_right});
    std::string value = nodes.add("Reshape", {writer.value(op.inputs[0], Layout::kFirst), nodes.integers({-1, 1, x[1], x[2]})});
    value = nodes.add("Conv", {value, cellKernels(nodes, w)}, attributes);
    value = nodes.add("Reshape", {value, nodes.integers({-1, x[3], cells, y[1], columns})});
    value = nodes.add("Transpose", {value}, {{"perm", std::vector<std::int64_t>{0, 3, 4, 2, 1}}});
    writer.define(op.outputs[0], nodes.add("Reshape", {value, nodes.integers(writer.openShape(op.outputs[0]))}));
}

// The way back of the same convolution gives all that the windows reach; the image is a part of it, with zeros where nothing reaches.
void emitPatchesBack(GraphWriter& writer, const Op& op) {
    const auto& w = std::get<plan::Window2D>(op.attributes);
    const spec::Shape &x = writer.shape(op.inputs[0]), &y = writer.shape(op.outputs[0]);
    const std::int64_t cells = std::int64_t{w.kernel_h} * w.kernel_w, columns = x[2] / cells;
    NodeList& nodes = writer.nodes();
    std::string value = nodes.add("Reshape", {writer.value(op.inputs[0]), nodes.integers({-1, x[1], columns, cells, x[3]})});
    value = nodes.add("Transpose", {value}, {{"perm", std::vector<std::int64_t>{0, 4, 3, 1, 2}}});
    value = nodes.add("Reshape", {value, nodes.integers({-1, cells, x[1], columns})});
    value = nodes.add("ConvTranspose", {value, cellKernels(nodes, w)}, windowAttributes(w));
    const std::int64_t rows_reached = (x[1] - 1) * w.stride_h + (w.kernel_h - 1) * w.dilation_h + 1,
                       columns_reached = (columns - 1) * w.stride_w + (w.kernel_w - 1) * w.dilation_w + 1;
    const std::int64_t more_rows = std::max<std::int64_t>(w.pad_top + y[1] - rows_reached, 0),
                       more_columns = std::max<std::int64_t>(w.pad_left + y[2] - columns_reached, 0);
    if (more_rows > 0 || more_columns > 0) value = nodes.add("Pad", {value, nodes.integers({0, 0, 0, 0, 0, 0, more_rows, more_columns})});
    value = nodes.add("Slice", {value, nodes.integers({w.pad_top, w.pad_left}), nodes.integers({w.pad_top + y[1], w.pad_left + y[2]}),
                                nodes.integers({2, 3})});
    writer.define(op.outputs[0], nodes.add("Reshape", {value, nodes.integers({-1, y[3], y[1], y[2]})}), Layout::kFirst);
}

void emitReshape(GraphWriter& writer, const Op& op) {
    const TensorId x = op.inputs[0], y = op.outputs[0];
    if (writer.shape(x) == writer.shape(y)) return writer.define(y, writer.value(x, writer.layoutOf(x)), writer.layoutOf(x));
    writer.define(y, writer.nodes().add("Reshape", {writer.value(x), writer.nodes().integers(writer.openShape(y))}));
}

void emitTranspose(GraphWriter& writer, const Op& op) {
    std::vector<std::int64_t> axes{0};
    for (int axis : std::get<plan::Permutation>(op.attributes).axes) axes.push_back(axis + 1);
    writer.define(op.outputs[0], writer.nodes().add("Transpose", {writer.value(op.inputs[0])}, {{"perm", axes}}));
}

void emitPad(GraphWriter& writer, const Op& op) {
    const auto& p = std::get<plan::Pads2D>(op.attributes);
    const TensorId x = op.inputs[0];
    const std::size_t rank = writer.rank(x);
    const Layout layout = writer.layoutOf(x) == Layout::kFirst ? Layout::kFirst : Layout::kLast;
    NodeList& nodes = writer.nodes();
    // Rows and columns, or columns alone.
    const std::vector<std::int64_t> begin = rank == 3 ? std::vector<std::int64_t>{p.left} : std::vector<std::int64_t>{p.top, p.left};
    const std::vector<std::int64_t> end = rank == 3 ? std::vector<std::int64_t>{p.right} : std::vector<std::int64_t>{p.bottom, p.right};
    const auto first = static_cast<std::ptrdiff_t>(layout == Layout::kFirst ? 2 : 1);
    std::string value = writer.value(x, layout);
    std::vector<std::int64_t> added(2 * rank, 0), starts, ends, axes;
    for (std::size_t i = 0; i < begin.size(); ++i) {
        const std::size_t axis = static_cast<std::size_t>(first) + i;
        added[axis] = std::max<std::int64_t>(begin[i], 0);
        added[rank + axis] = std::max<std::int64_t>(end[i], 0);
        if (begin[i] >= 0 && end[i] >= 0) continue;
        starts.push_back(std::max<std::int64_t>(-begin[i], 0));
        ends.push_back(writer.shape(x)[i + 1] - std::max<std::int64_t>(-end[i], 0));
        axes.push_back(static_cast<std::int64_t>(axis));
    }
    if (!axes.empty()) value = nodes.add("Slice", {value, nodes.integers(starts), nodes.integers(ends), nodes.integers(axes)});
    if (std::any_of(added.begin(), added.end(), [](std::int64_t n) { return n > 0; })) {
        value = nodes.add("Pad", {value, nodes.integers(added)});
    }
    writer.define(op.outputs[0], value, layout);
}

void emitUpsample(GraphWriter& writer, const Op& op) {
    const auto& resize = std::get<plan::Resize2D>(op.attributes);
    const TensorId x = op.inputs[0], y = op.outputs[0];
    NodeList& nodes = writer.nodes();
    if (writer.rank(x) == 2) {  // RepeatVector
        const std::string row = nodes.add("Unsqueeze", {writer.value(x), nodes.integers({1})});
        return writer.define(y, nodes.add("Tile", {row, nodes.integers({1, resize.columns, 1})}));
    }
    std::vector<float> scales{1, 1};
    if (writer.rank(x) == 4) scales.push_back(static_cast<float>(resize.rows));
    scales.push_back(static_cast<float>(resize.columns));
    const std::string factors = nodes.constant({static_cast<std::int64_t>(scales.size())}, scales);
    Attributes attributes{{"mode", std::string("nearest")},
                          {"coordinate_transformation_mode", std::string("asymmetric")},
                          {"nearest_mode", std::string("floor")}};
    if (resize.interpolation == plan::Interpolation::kBilinear) {
        attributes = {{"mode", std::string("linear")}, {"coordinate_transformation_mode", std::string("half_pixel")}};
    }
    writer.define(y, nodes.add("Resize", {writer.value(x, Layout::kFirst), "", factors}, attributes), Layout::kFirst);
}

void emitResample(GraphWriter& writer, const Op& op) {
    const auto& part = std::get<plan::Resample2D>(op.attributes);
    const TensorId x = op.inputs[0], y = op.outputs[0];
    const std::int64_t height = writer.shape(x)[1], width = writer.shape(x)[2], rows = writer.shape(y)[1], columns = writer.shape(y)[2];
    NodeList& nodes = writer.nodes();
    std::string value = writer.value(x, Layout::kFirst);
    const std::int64_t above = std::max<std::int64_t>(-part.top, 0), left = std::max<std::int64_t>(-part.left, 0);
    if (above > 0 || left > 0) {  // as many behind
        value = nodes.add(
            "Pad", {value, nodes.integers({0, 0, above, left, 0, 0, above, left}), nodes.constant(static_cast<float>(part.fill_value))});
    }
    if (part.rows < height || part.columns < width) {
        value = nodes.add("Slice", {value, nodes.integers({part.top, part.left}),
                                    nodes.integers({part.top + part.rows, part.left + part.columns}), nodes.integers({2, 3})});
    }
    if (part.rows != rows || part.columns != columns) {
        const std::string kept = nodes.add("Slice", {nodes.add("Shape", {value}), nodes.integers({0}), nodes.integers({2})});
        const std::string sizes = nodes.add("Concat", {kept, nodes.integers({rows, columns})}, {{"axis", std::int64_t{0}}});
        Attributes attributes{{"mode", std::string("linear")}, {"coordinate_transformation_mode", std::string("half_pixel")}};
        if (part.interpolation == plan::Interpolation::kNearest) {
            attributes = {{"mode", std::string("nearest")},
                          {"coordinate_transformation_mode", std::string("half_pixel")},
                          {"nearest_mode", std::string("round_prefer_ceil")}};
        }
        value = nodes.add("Resize", {value, "", "", sizes}, attributes);
    }
    writer.define(y, value, Layout::kFirst);
}

void emitAffine(GraphWriter& writer, const Op& op) {
    const auto& a = std::get<plan::Affine>(op.attributes);
    const Layout layout = writer.layoutOf(op.inputs[0]);
    NodeList& nodes = writer.nodes();
    std::string value = writer.value(op.inputs[0], layout);
    if (a.scale != 1) value = nodes.add("Mul", {value, nodes.constant(static_cast<float>(a.scale))});
    if (a.offset != 0) value = nodes.add("Add", {value, nodes.constant(static_cast<float>(a.offset))});
    writer.define(op.outputs[0], value, layout);
}

namespace {

constexpr std::int64_t kLastAxis = -1;

std::string inFloat(NodeList& nodes, const std::string& value) {
    return nodes.add("Cast", {value}, {{"to", std::int64_t{proto::TensorProto::FLOAT}}});
}
// Without what values have behind the point, as floats.
std::string wholeOf(NodeList& nodes, const std::string& value) {
    return inFloat(nodes, nodes.add("Cast", {value}, {{"to", std::int64_t{proto::TensorProto::INT64}}}));
}

}  // namespace

// Each value meets all of the table along an axis of its own.
void emitIndex(GraphWriter& writer, const Op& op) {
    const auto& table = std::get<plan::Indexing>(op.attributes);
    NodeList& nodes = writer.nodes();
    const std::string x = writer.value(op.inputs[0]), axis = nodes.integers({kLastAxis});
    if (table.hash) {
        throw Error(ErrorCode::kUnimplemented, op.layer + ": expected an op that ONNX can be told, got Index by a hash");
    }
    const auto size = static_cast<std::int64_t>(table.values.size());
    const auto numbers = [&](std::size_t input, const std::vector<float>& given) {
        return op.inputs.size() > input ? writer.initializer(op.inputs[input], writer.shape(op.inputs[input]))
                                        : nodes.constant({size}, given);
    };
    const std::string values = numbers(1, table.values);
    const auto sum = [&](const std::string& of) { return nodes.add("ReduceSum", {of, axis}, {{"keepdims", std::int64_t{0}}}); };
    if (table.places.empty() && op.inputs.size() < 3) {
        const std::string above = nodes.add("GreaterOrEqual", {nodes.add("Unsqueeze", {inFloat(nodes, x), axis}), values});
        return writer.define(op.outputs[0], sum(inFloat(nodes, above)));
    }
    const std::string whole = wholeOf(nodes, x);
    const std::string same = inFloat(nodes, nodes.add("Equal", {nodes.add("Unsqueeze", {whole, axis}), values}));
    const std::string there = sum(nodes.add("Mul", {same, numbers(2, table.places)}));
    const std::string missing = nodes.add("Sub", {nodes.constant(1.0F), sum(same)});
    // Where other values have no place, -1 is none of an Embedding's: no operator of ONNX ends a run.
    std::string other = nodes.constant(table.others > 0 ? table.otherwise : -1.0F);
    if (table.others > 1) {
        const std::string times = nodes.add("Floor", {nodes.add("Div", {whole, nodes.constant(table.others)})});
        const std::string rest = nodes.add("Sub", {whole, nodes.add("Mul", {times, nodes.constant(table.others)})});
        other = nodes.add("Add", {other, rest});
    }
    writer.define(op.outputs[0], nodes.add("Add", {there, nodes.add("Mul", {missing, other})}));
}

void emitEncode(GraphWriter& writer, const Op& op) {
    const auto& encoding = std::get<plan::Encoding>(op.attributes);
    NodeList& nodes = writer.nodes();
    std::vector<float> ids(static_cast<std::size_t>(encoding.depth));
    std::iota(ids.begin(), ids.end(), 0.0F);
    // Rows of ids, each of which meets all that there may be.
    const std::string rows = nodes.add("Reshape", {wholeOf(nodes, writer.value(op.inputs[0])), nodes.integers({-1, encoding.ids, 1})});
    const std::string same = inFloat(nodes, nodes.add("Equal", {rows, nodes.constant({encoding.depth}, ids)}));
    std::string sums = nodes.add("ReduceSum", {same, nodes.integers({1})}, {{"keepdims", std::int64_t{0}}});
    if (!encoding.counts) sums = nodes.add("Min", {sums, nodes.constant(1.0F)});
    if (op.inputs.size() > 1) sums = nodes.add("Mul", {sums, writer.initializer(op.inputs[1], writer.shape(op.inputs[1]))});
    writer.define(op.outputs[0], nodes.add("Reshape", {sums, nodes.integers(writer.openShape(op.outputs[0]))}));
}

void emitEmbedding(GraphWriter& writer, const Op& op) {
    NodeList& nodes = writer.nodes();
    const std::string ids = nodes.add("Cast", {writer.value(op.inputs[0])}, {{"to", std::int64_t{proto::TensorProto::INT64}}});
    writer.define(op.outputs[0], nodes.add("Gather", {writer.initializer(op.inputs[1], writer.shape(op.inputs[1])), ids}));
}

void emitMask(GraphWriter& writer, const Op& op) {
    const TensorId x = op.inputs[0], mask = op.outputs[0];
    NodeList& nodes = writer.nodes();
    const std::string left_out = nodes.constant(std::get<plan::MaskAttributes>(op.attributes).value);
    std::string counts = nodes.add("Not", {nodes.add("Equal", {writer.value(x), left_out})});
    std::vector<std::int64_t> axes;
    for (std::size_t i = writer.rank(mask); i < writer.rank(x); ++i) axes.push_back(static_cast<std::int64_t>(i));
    if (!axes.empty()) {
        const std::string any = nodes.add("ReduceMax", {toFloat(nodes, counts)}, {{"axes", axes}, {"keepdims", std::int64_t{0}}});
        counts = nodes.add("Cast", {any}, {{"to", std::int64_t{proto::TensorProto::BOOL}}});
    }
    writer.define(mask, counts);
}

void emitApplyMask(GraphWriter& writer, const Op& op) {
    NodeList& nodes = writer.nodes();
    const std::string mask = maskFor(writer, op.inputs[1], op.inputs[0]);
    writer.define(op.outputs[0], nodes.add("Where", {mask, writer.value(op.inputs[0]), nodes.constant(0.0F)}));
}

void emitMaskedMean(GraphWriter& writer, const Op& op) {
    NodeList& nodes = writer.nodes();
    const std::string mask = maskFor(writer, op.inputs[1], op.inputs[0]);
    const std::string counted = nodes.add("Where", {mask, writer.value(op.inputs[0]), nodes.constant(0.0F)});
    const std::int64_t keeps_axis = writer.rank(op.outputs[0]) == writer.rank(op.inputs[0]) ? 1 : 0;
    const auto sum = [&](const std::string& value) {
        return nodes.add("ReduceSum", {value, nodes.integers({1})}, {{"keepdims", keeps_axis}});
    };
    writer.define(op.outputs[0], nodes.add("Div", {sum(counted), sum(toFloat(nodes, mask))}));
}

}  // namespace engine::exporter::onnx
