#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "engine/export/onnx/op_emitters.h"

namespace engine::exporter::onnx {
namespace {

using plan::BatchNormAttributes;
using plan::GroupNormAttributes;
using plan::Op;
using plan::TensorId;

constexpr std::int64_t kKeepsAxes = 1;
constexpr int kTileLevels = 256;  // of kAdaptive
constexpr float kBytes = 255;     // the last of them

// gamma, beta, mean and variance as the op has them, with 1 and 0 for those that it lacks.
struct Statistics {
    std::vector<float> gamma, beta, mean, variance;
};

Statistics statisticsOf(const GraphWriter& writer, const Op& op, const BatchNormAttributes& a) {
    const auto channels = static_cast<std::size_t>(a.channels);
    std::size_t next = 1;
    const auto take = [&] {
        const std::span<const float> values = writer.weight(op.inputs[next++]);
        return std::vector<float>(values.begin(), values.end());
    };
    Statistics s;
    s.gamma = a.scale ? take() : std::vector<float>(channels, 1.0F);
    s.beta = a.center ? take() : std::vector<float>(channels, 0.0F);
    s.mean = take();
    s.variance = take();
    return s;
}

// The axis along which the channels lie: the axes behind it hold `inner` values.
std::size_t channelAxis(const spec::Shape& shape, std::int64_t inner) {
    std::size_t axis = shape.size() - 1;
    for (std::int64_t behind = 1; axis > 1 && behind < inner; --axis) behind *= shape[axis];
    return axis;
}

std::string meanOf(NodeList& nodes, const std::string& x, const std::vector<std::int64_t>& axes) {
    return nodes.add("ReduceMean", {x}, {{"axes", axes}, {"keepdims", kKeepsAxes}});
}

// gamma and beta of the last axes, as far as the op has them.
std::string scaled(GraphWriter& writer, const Op& op, const GroupNormAttributes& a, std::string x, const spec::Shape& shape) {
    std::size_t next = 1;
    if (a.scale) x = writer.nodes().add("Mul", {x, writer.initializer(op.inputs[next++], shape)});
    if (a.center) x = writer.nodes().add("Add", {x, writer.initializer(op.inputs[next], shape)});
    return x;
}

// The last axes of x that hold `width` values.
spec::Shape lastAxes(const spec::Shape& shape, std::int64_t width) {
    spec::Shape last;
    for (std::size_t i = shape.size(); i-- > 1 && width > 1;) {
        last.insert(last.begin(), shape[i]);
        width /= shape[i];
    }
    if (last.empty()) last.push_back(shape.back());
    return last;
}

std::vector<std::int64_t> axesOf(std::size_t rank, std::size_t count) {
    std::vector<std::int64_t> axes;
    for (std::size_t i = rank - count; i < rank; ++i) axes.push_back(static_cast<std::int64_t>(i));
    return axes;
}

}  // namespace

void emitBatchNorm(GraphWriter& writer, const Op& op) {
    const auto& a = std::get<BatchNormAttributes>(op.attributes);
    const TensorId x = op.inputs[0], y = op.outputs[0];
    const std::size_t rank = writer.rank(x), axis = channelAxis(writer.shape(x), a.inner);
    const Layout at = writer.layoutOf(x);
    const Layout layout = axis + 1 == rank ? at : Layout::kLast;
    const Statistics s = statisticsOf(writer, op, a);
    NodeList& nodes = writer.nodes();
    if ((layout == Layout::kFirst && rank > 2) || (layout == Layout::kLast && axis == 1)) {
        const spec::Shape channels{a.channels};
        writer.define(y,
                      nodes.add("BatchNormalization",
                                {writer.value(x, layout), nodes.initializer(op.layer + "/gamma", channels, s.gamma),
                                 nodes.initializer(op.layer + "/beta", channels, s.beta),
                                 nodes.initializer(op.layer + "/moving_mean", channels, s.mean),
                                 nodes.initializer(op.layer + "/moving_variance", channels, s.variance)},
                                {{"epsilon", static_cast<float>(a.epsilon)}}),
                      layout);
        return;
    }
    // BatchNormalization takes the channels after the batch. Where they lie elsewhere, a product and a sum save two Transposes.
    std::vector<float> scale, offset;
    for (std::size_t c = 0; c < s.gamma.size(); ++c) {
        const double factor = static_cast<double>(s.gamma[c]) / std::sqrt(static_cast<double>(s.variance[c]) + a.epsilon);
        scale.push_back(static_cast<float>(factor));
        offset.push_back(static_cast<float>(static_cast<double>(s.beta[c]) - factor * s.mean[c]));
    }
    spec::Shape shape{a.channels};
    shape.resize(rank - axis, 1);
    const std::string product = nodes.add("Mul", {writer.value(x, layout), nodes.initializer(op.layer + "/scale", shape, scale)});
    writer.define(y, nodes.add("Add", {product, nodes.initializer(op.layer + "/offset", shape, offset)}), layout);
}

void emitGroupNorm(GraphWriter& writer, const Op& op) {
    const auto& a = std::get<GroupNormAttributes>(op.attributes);
    const TensorId x = op.inputs[0], y = op.outputs[0];
    NodeList& nodes = writer.nodes();
    const std::string value = writer.value(x);
    const std::string epsilon = nodes.constant(static_cast<float>(a.epsilon));
    if (a.positions == 1 && a.groups == 1) {
        const spec::Shape last = lastAxes(writer.shape(x), a.width);
        const std::vector<std::int64_t> axes = axesOf(writer.rank(x), last.size());
        if (a.subtracts_mean) {
            const std::vector<float> ones(static_cast<std::size_t>(a.width), 1.0F);
            std::vector<std::string> inputs{
                value, a.scale ? writer.initializer(op.inputs[1], last) : nodes.initializer(op.layer + "/gamma", last, ones)};
            if (a.center) inputs.push_back(writer.initializer(op.inputs[a.scale ? 2 : 1], last));
            return writer.define(
                y, nodes.add("LayerNormalization", inputs, {{"axis", axes.front()}, {"epsilon", static_cast<float>(a.epsilon)}}));
        }
        const std::string squares = meanOf(nodes, nodes.add("Mul", {value, value}), axes);
        const std::string root = nodes.add("Sqrt", {nodes.add("Add", {squares, epsilon})});
        return writer.define(y, scaled(writer, op, a, nodes.add("Div", {value, root}), last));
    }
    const std::string groups = nodes.add("Reshape", {value, nodes.integers({-1, a.positions, a.groups, a.width})});
    const std::string centered = nodes.add("Sub", {groups, meanOf(nodes, groups, {1, 3})});
    const std::string variance = meanOf(nodes, nodes.add("Mul", {centered, centered}), {1, 3});
    const std::string root = nodes.add("Sqrt", {nodes.add("Add", {variance, epsilon})});
    const std::string normal = nodes.add("Reshape", {nodes.add("Div", {centered, root}), nodes.integers(writer.openShape(x))});
    writer.define(y, scaled(writer, op, a, normal, {a.groups * a.width}));
}

void emitUnitNorm(GraphWriter& writer, const Op& op) {
    const auto& a = std::get<GroupNormAttributes>(op.attributes);
    const TensorId x = op.inputs[0];
    NodeList& nodes = writer.nodes();
    const std::vector<std::int64_t> axes = axesOf(writer.rank(x), lastAxes(writer.shape(x), a.width).size());
    const std::string length = nodes.add("ReduceL2", {writer.value(x)}, {{"axes", axes}, {"keepdims", kKeepsAxes}});
    const std::string least = nodes.constant(static_cast<float>(1 / plan::kMostUnitFactor));
    writer.define(op.outputs[0], nodes.add("Div", {writer.value(x), nodes.add("Max", {length, least})}));
}

void emitStandardize(GraphWriter& writer, const Op& op) {
    const auto& s = std::get<plan::Standardization>(op.attributes);
    const TensorId x = op.inputs[0];
    const spec::Shape& shape = writer.shape(x);
    const bool has_inputs = op.inputs.size() > 1;
    const std::span<const float> mean = has_inputs ? writer.weight(op.inputs[1]) : std::span<const float>(s.mean);
    const std::span<const float> variance = has_inputs ? writer.weight(op.inputs[2]) : std::span<const float>(s.variance);
    std::vector<float> deviation;
    for (const float value : variance) deviation.push_back(std::max(std::sqrt(value), plan::kLeastDeviation));
    // The axes of the channels; those in front and behind have one place each.
    spec::Shape sizes(shape.size(), 1);
    std::int64_t behind = 1;
    std::size_t axis = shape.size();
    while (axis > 1 && behind < s.inner) behind *= shape[--axis];
    for (std::int64_t channels = 1; axis > 1 && channels < s.channels; channels *= shape[axis]) {
        --axis;
        sizes[axis] = shape[axis];
    }
    NodeList& nodes = writer.nodes();
    const std::string means = nodes.initializer(op.layer + "/mean", sizes, mean);
    const std::string deviations = nodes.initializer(op.layer + "/deviation", sizes, deviation);
    const std::string value = writer.value(x);
    if (s.inverts) return writer.define(op.outputs[0], nodes.add("Add", {nodes.add("Mul", {value, deviations}), means}));
    writer.define(op.outputs[0], nodes.add("Div", {nodes.add("Sub", {value, means}), deviations}));
}

namespace {

// Whole numbers from 0 to 255 of values, as their places in the range; the rest of each is cut off.
std::string tileLevels(NodeList& nodes, std::string value, const plan::ImageLevels& levels) {
    const auto low = static_cast<float>(levels.low), high = static_cast<float>(levels.high);
    if (low != 0 || high != kBytes) {
        value = nodes.add("Div", {nodes.add("Sub", {value, nodes.constant(low)}), nodes.constant(high - low)});
        value = nodes.add("Mul", {value, nodes.constant(kBytes)});
    }
    value = nodes.add("Clip", {value, nodes.constant(0), nodes.constant(kBytes)});
    return nodes.add("Cast", {value}, {{"to", std::int64_t{proto::TensorProto::INT64}}});
}

// The tables of all tiles, (N, C, tiles * 256), of the levels of an image (N, C, H, W).
std::string tileTables(NodeList& nodes, const std::string& level, const plan::ImageLevels& levels, const spec::Shape& shape) {
    const std::int64_t rows = levels.tiles_h, columns = levels.tiles_w, tile_h = (shape[1] + rows - 1) / rows,
                       tile_w = (shape[2] + columns - 1) / columns, channels = shape[3];
    const auto mirrored = [](std::int64_t cells, std::int64_t size) {
        std::vector<std::int64_t> places;
        for (std::int64_t i = 0; i < cells; ++i) places.push_back(i < size ? i : 2 * size - 1 - i);
        return places;
    };
    std::string value = level;
    value = nodes.add("Gather", {value, nodes.integers(mirrored(rows * tile_h, shape[1]))}, {{"axis", std::int64_t{2}}});
    value = nodes.add("Gather", {value, nodes.integers(mirrored(columns * tile_w, shape[2]))}, {{"axis", std::int64_t{3}}});
    value = nodes.add("Reshape", {value, nodes.integers({-1, channels, rows, tile_h, columns, tile_w})});
    value = nodes.add("Transpose", {value}, {{"perm", std::vector<std::int64_t>{0, 1, 2, 4, 3, 5}}});
    value = nodes.add("Reshape", {value, nodes.integers({-1, channels, rows * columns, tile_h * tile_w})});
    const std::vector<float> off_and_on{0, 1};
    value = nodes.add("OneHot", {value, nodes.integer(kTileLevels), nodes.constant({2}, off_and_on)});
    const auto sumOf = [&](const std::string& x, std::int64_t axis, std::int64_t keeps) {
        return nodes.add("ReduceSum", {x, nodes.integers({axis})}, {{"keepdims", keeps}});
    };
    value = sumOf(value, 3, 0);
    const auto all = static_cast<double>(tile_h * tile_w);
    if (levels.limit > 0) {
        const std::string held = nodes.add("Min", {value, nodes.constant(static_cast<float>(levels.limit * all / kTileLevels))});
        const std::string excess = sumOf(nodes.add("Sub", {value, held}), 3, kKeepsAxes);
        value = nodes.add("Add", {held, nodes.add("Div", {excess, nodes.constant(kTileLevels)})});
    }
    value = nodes.add("CumSum", {value, nodes.integer(3)});
    const std::string least = nodes.add("Gather", {value, nodes.integers({0})}, {{"axis", std::int64_t{3}}});
    const std::string rest = nodes.add("Sub", {nodes.constant(static_cast<float>(all)), least});
    const std::string divisor = nodes.add("Where", {nodes.add("Equal", {rest, nodes.constant(0)}), nodes.constant(1), rest});
    value = nodes.add("Div", {nodes.add("Mul", {nodes.add("Sub", {value, least}), nodes.constant(kBytes)}), divisor});
    value = nodes.add("Clip", {value, nodes.constant(0), nodes.constant(kBytes)});
    return nodes.add("Reshape", {value, nodes.integers({-1, channels, rows * columns * kTileLevels})});
}

// The tiles before and behind each cell of an axis, and how much of the second one it has.
struct TileNeighbours {
    std::vector<std::int64_t> first, second;
    std::vector<float> second_weight;

    TileNeighbours(std::int64_t size, std::int64_t tiles) {
        const auto cells = static_cast<float>((size + tiles - 1) / tiles);
        for (std::int64_t at = 0; at < size; ++at) {
            const float place = (static_cast<float>(at) - cells / 2) / cells + 1, below = std::floor(place);
            const auto behind = static_cast<std::int64_t>(below);
            first.push_back(std::clamp<std::int64_t>(behind - 1, 0, tiles - 1));
            second.push_back(std::clamp<std::int64_t>(behind, 0, tiles - 1));
            second_weight.push_back(place - below);
        }
    }
};

// Each value by the tables of the four tiles around it.
void emitTiles(GraphWriter& writer, const Op& op, const plan::ImageLevels& levels) {
    const spec::Shape& shape = writer.shape(op.inputs[0]);
    const std::int64_t height = shape[1], width = shape[2], channels = shape[3];
    NodeList& nodes = writer.nodes();
    const std::string level = tileLevels(nodes, writer.value(op.inputs[0], Layout::kFirst), levels);
    const std::string tables = tileTables(nodes, level, levels, shape);
    const std::string flat = nodes.add("Reshape", {level, nodes.integers({-1, channels, height * width})});
    const TileNeighbours down(height, levels.tiles_h), right(width, levels.tiles_w);
    const auto lookedUp = [&](const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& columns) {
        std::vector<std::int64_t> begins;
        for (const std::int64_t row : rows) {
            for (const std::int64_t column : columns) begins.push_back((row * levels.tiles_w + column) * kTileLevels);
        }
        return nodes.add("GatherElements", {tables, nodes.add("Add", {flat, nodes.integers(begins)})}, {{"axis", std::int64_t{2}}});
    };
    // Of the second one by row or by column of each cell.
    const auto mixed = [&](const std::string& first, const std::string& second, bool by_rows) {
        std::vector<float> weights, others;
        for (std::int64_t cell = 0; cell < height * width; ++cell) {
            weights.push_back(by_rows ? down.second_weight[static_cast<std::size_t>(cell / width)]
                                      : right.second_weight[static_cast<std::size_t>(cell % width)]);
            others.push_back(1 - weights.back());
        }
        const auto part = [&](const std::string& value, const std::vector<float>& of) {
            return nodes.add("Mul", {value, nodes.constant({height * width}, of)});
        };
        return nodes.add("Add", {part(first, others), part(second, weights)});
    };
    const std::string upper = mixed(lookedUp(down.first, right.first), lookedUp(down.first, right.second), false);
    const std::string lower = mixed(lookedUp(down.second, right.first), lookedUp(down.second, right.second), false);
    std::string value = mixed(upper, lower, true);
    const auto low = static_cast<float>(levels.low), high = static_cast<float>(levels.high);
    if (low != 0 || high != kBytes) {
        value = nodes.add("Mul", {nodes.add("Div", {value, nodes.constant(kBytes)}), nodes.constant(high - low)});
        value = nodes.add("Add", {value, nodes.constant(low)});
    }
    writer.define(op.outputs[0], nodes.add("Reshape", {value, nodes.integers({-1, channels, height, width})}), Layout::kFirst);
}

}  // namespace

// A stretched channel of one value has no number in the place of the stretched one, and stays.
void emitImageLevels(GraphWriter& writer, const Op& op) {
    const auto& levels = std::get<plan::ImageLevels>(op.attributes);
    if (levels.map == plan::ImageLevels::Map::kAdaptive) return emitTiles(writer, op, levels);
    const TensorId x = op.inputs[0];
    const Layout layout = writer.layoutOf(x) == Layout::kFirst ? Layout::kFirst : Layout::kLast;
    const std::vector<std::int64_t> axes = layout == Layout::kFirst ? std::vector<std::int64_t>{2, 3} : std::vector<std::int64_t>{1, 2};
    const auto low = static_cast<float>(levels.low), high = static_cast<float>(levels.high);
    NodeList& nodes = writer.nodes();
    const std::string value = writer.value(x, layout), start = nodes.constant(low), range = nodes.constant(high - low);
    const auto extreme = [&](const char* kind) { return nodes.add(kind, {value}, {{"axes", axes}, {"keepdims", kKeepsAxes}}); };
    const std::string least = extreme("ReduceMin"), most = extreme("ReduceMax");
    const std::string part = nodes.add("Div", {nodes.add("Sub", {value, least}), nodes.add("Sub", {most, least})});
    const std::string stretched = nodes.add("Add", {nodes.add("Mul", {part, range}), start});
    writer.define(op.outputs[0], nodes.add("Where", {nodes.add("IsNaN", {part}), value, stretched}), layout);
}

}  // namespace engine::exporter::onnx
