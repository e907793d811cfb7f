// Recurrent layers. ONNX' own operators take the input and multiply it themselves, so the product that the plan makes before the op is left
// out; they have no mask and know few functions. What they can't say is a Scan over the plan's products, whose body is one time.
#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "engine/export/onnx/op_emitters.h"
#include "engine/spec/error.h"

namespace engine::exporter::onnx {
namespace {

using plan::Activation;
using plan::Op;
using plan::RecurrentAttributes;
using plan::RecurrentCell;
using plan::TensorId;

struct NamedFunction {
    std::string name;
    std::optional<float> alpha{}, beta{};
};

// What ONNX' recurrent operators call it; nothing for one that they lack.
std::optional<NamedFunction> functionOf(Activation activation) {
    switch (activation) {
        case Activation::kTanh:
            return NamedFunction{"Tanh"};
        case Activation::kSigmoid:
            return NamedFunction{"Sigmoid"};
        case Activation::kRelu:
            return NamedFunction{"Relu"};
        case Activation::kSoftsign:
            return NamedFunction{"Softsign"};
        case Activation::kHardSigmoid:
            return NamedFunction{"HardSigmoid", 1.0F / 6, 0.5F};
        default:
            return std::nullopt;
    }
}

// The functions of a cell in ONNX' order, or none.
std::vector<NamedFunction> functionsOf(const RecurrentAttributes& a) {
    const auto own = functionOf(a.activation), gate = functionOf(a.recurrent_activation);
    if (!own || (a.cell != RecurrentCell::kSimple && !gate)) return {};
    if (a.cell == RecurrentCell::kSimple) return {*own};
    if (a.cell == RecurrentCell::kGru) return {*gate, *own};
    return {*gate, *own, *own};
}

// What multiplied the input: z = x W (+ b).
struct Product {
    TensorId x, kernel, bias = plan::kNoTensor;
};
Product productOf(const GraphWriter& writer, TensorId z) {
    const Op* op = writer.makerOf(z);
    TensorId bias = plan::kNoTensor;
    if (op != nullptr && op->kind == plan::OpKind::kBiasAdd) {
        bias = op->inputs[1];
        op = writer.makerOf(op->inputs[0]);
    }
    ENGINE_CHECK(op != nullptr && op->kind == plan::OpKind::kMatMul);
    return {op->inputs[0], op->inputs[1], bias};
}

// Keras' gates i, f, g, o as ONNX' i, o, f, g; those of the other cells stand in one order.
std::vector<std::size_t> gateOrder(RecurrentCell cell) {
    if (cell == RecurrentCell::kSimple) return {0};
    if (cell == RecurrentCell::kGru) return {0, 1, 2};
    return {0, 3, 1, 2};
}

// (rows, gates * units) as (1, gates * units, rows), the gates in ONNX' order.
std::string gateWeights(GraphWriter& writer, TensorId id, const RecurrentAttributes& a) {
    const std::span<const float> values = writer.weight(id);
    const auto units = static_cast<std::size_t>(a.units), columns = units * static_cast<std::size_t>(plan::gatesOf(a.cell));
    const std::size_t rows = values.size() / columns;
    std::vector<float> turned;
    turned.reserve(values.size());
    for (std::size_t gate : gateOrder(a.cell)) {
        for (std::size_t unit = 0; unit < units; ++unit) {
            for (std::size_t row = 0; row < rows; ++row) turned.push_back(values[row * columns + gate * units + unit]);
        }
    }
    return writer.nodes().initializer(std::string(writer.nameOf(id)),
                                      {1, static_cast<std::int64_t>(columns), static_cast<std::int64_t>(rows)}, turned);
}

// The bias of the input, then that of the state: (1, 2 * gates * units).
std::string gateBiases(GraphWriter& writer, TensorId id, const RecurrentAttributes& a) {
    const std::span<const float> values = writer.weight(id);
    const auto units = static_cast<std::size_t>(a.units), columns = units * static_cast<std::size_t>(plan::gatesOf(a.cell));
    std::vector<float> both;
    for (std::size_t part = 0; part < values.size() / columns; ++part) {
        for (std::size_t gate : gateOrder(a.cell)) {
            const auto from = values.begin() + static_cast<std::ptrdiff_t>(part * columns + gate * units);
            both.insert(both.end(), from, from + static_cast<std::ptrdiff_t>(units));
        }
    }
    both.resize(2 * columns, 0.0F);
    return writer.nodes().initializer(std::string(writer.nameOf(id)), {1, static_cast<std::int64_t>(2 * columns)}, both);
}

std::string turnedAround(NodeList& nodes, const std::string& value, std::int64_t axis) {
    constexpr std::int64_t kFromTheEnd = -1, kToTheStart = INT64_MIN;
    return nodes.add("Slice",
                     {value, nodes.integers({kFromTheEnd}), nodes.integers({kToTheStart}), nodes.integers({axis}), nodes.integers({-1})});
}

void addOperator(GraphWriter& writer, const Op& op, const RecurrentAttributes& a, const std::vector<NamedFunction>& functions) {
    NodeList& nodes = writer.nodes();
    const Product product = productOf(writer, op.inputs[0]);
    const TensorId bias = a.two_biases ? op.inputs[2] : product.bias;
    std::vector<std::string> inputs{writer.value(product.x, Layout::kTimes), gateWeights(writer, product.kernel, a),
                                    gateWeights(writer, op.inputs[1], a)};
    if (bias != plan::kNoTensor) inputs.push_back(gateBiases(writer, bias, a));

    std::vector<std::string> names;
    std::vector<float> alphas, betas;
    for (const NamedFunction& one : functions) {
        names.push_back(one.name);
        if (one.alpha) alphas.push_back(*one.alpha);
        if (one.beta) betas.push_back(*one.beta);
    }
    Attributes attributes{{"hidden_size", a.units}, {"activations", names}};
    if (!alphas.empty()) attributes.emplace_back("activation_alpha", alphas);
    if (!betas.empty()) attributes.emplace_back("activation_beta", betas);
    if (a.go_backwards) attributes.emplace_back("direction", std::string("reverse"));
    if (a.cell == RecurrentCell::kGru) attributes.emplace_back("linear_before_reset", std::int64_t{a.reset_after ? 1 : 0});
    const std::string_view op_type = a.cell == RecurrentCell::kSimple ? "RNN" : a.cell == RecurrentCell::kLstm ? "LSTM" : "GRU";

    if (!a.return_sequences) {
        const std::string last = nodes.newName("last");
        nodes.addTo(op_type, inputs, {"", last}, attributes);
        return writer.define(op.outputs[0], nodes.add("Squeeze", {last, nodes.integers({0})}));
    }
    const std::string all = nodes.newName("states");
    nodes.addTo(op_type, inputs, {all}, attributes);
    std::string states = nodes.add("Squeeze", {all, nodes.integers({1})});
    // The operator gives the states in the order of the times, Keras in the order in which they came to be.
    if (a.go_backwards) states = turnedAround(nodes, states, 0);
    writer.define(op.outputs[0], states, Layout::kTimes);
}

// One time of a Scan: values of its body.
struct Cell {
    NodeList& nodes;
    const RecurrentAttributes& a;
    std::size_t axes;  // of the cells of a state, behind its units

    // The product of a state with U, or their convolution.
    std::string product(const std::string& h, const std::string& kernel) const {
        if (!a.window) return nodes.add("MatMul", {h, kernel});
        std::vector<std::int64_t> sizes(a.window->end() - static_cast<std::ptrdiff_t>(axes), a.window->end()), pads;
        for (const std::int64_t size : sizes) pads.push_back((size - 1) / 2);
        for (const std::int64_t size : sizes) pads.push_back(size - 1 - (size - 1) / 2);
        return nodes.add("Conv", {h, kernel}, {{"kernel_shape", sizes}, {"pads", pads}});
    }
    std::string function(Activation activation, const std::string& x) const { return addActivation(nodes, {activation, {}}, x, 1); }
    std::string add(const std::string& x, const std::string& y) const { return nodes.add("Add", {x, y}); }
    std::string mul(const std::string& x, const std::string& y) const { return nodes.add("Mul", {x, y}); }
    // The columns of one gate.
    std::string gate(const std::string& x, std::int64_t index) const {
        return nodes.add("Slice", {x, nodes.integers({index * a.units}), nodes.integers({(index + 1) * a.units}), nodes.integers({1})});
    }
};

struct States {
    std::string h, c;
};

// The formulas of OpKind::kRecurrent. `kernel` is U; `state_bias` that of the product with the state, or empty.
States nextStates(const Cell& cell, const std::string& z, const States& before, const std::string& kernel, const std::string& state_bias) {
    const RecurrentAttributes& a = cell.a;
    NodeList& nodes = cell.nodes;
    std::string product = cell.product(before.h, kernel);
    if (!state_bias.empty()) product = cell.add(product, state_bias);
    if (a.cell == RecurrentCell::kSimple) return {cell.function(a.activation, cell.add(z, product)), {}};
    if (a.cell == RecurrentCell::kLstm) {
        const std::string all = cell.add(z, product);
        const std::string input = cell.function(a.recurrent_activation, cell.gate(all, 0));
        const std::string forget = cell.function(a.recurrent_activation, cell.gate(all, 1));
        const std::string candidate = cell.function(a.activation, cell.gate(all, 2));
        const std::string output = cell.function(a.recurrent_activation, cell.gate(all, 3));
        const std::string c = cell.add(cell.mul(forget, before.c), cell.mul(input, candidate));
        return {cell.mul(output, cell.function(a.activation, c)), c};
    }
    const std::string all = cell.add(z, product);
    const std::string update = cell.function(a.recurrent_activation, cell.gate(all, 0));
    const std::string reset = cell.function(a.recurrent_activation, cell.gate(all, 1));
    const std::string hidden =
        a.reset_after ? cell.mul(reset, cell.gate(product, 2)) : nodes.add("MatMul", {cell.mul(reset, before.h), cell.gate(kernel, 2)});
    const std::string candidate = cell.function(a.activation, cell.add(cell.gate(z, 2), hidden));
    const std::string rest = nodes.add("Sub", {nodes.constant(1.0F), update});
    return {cell.add(cell.mul(update, before.h), cell.mul(rest, candidate)), {}};
}

// The axes of the cells of a state: none without a window.
spec::Shape cellsOf(const GraphWriter& writer, const Op& op) {
    const spec::Shape& products = writer.shape(op.inputs[0]);
    return {products.begin() + 2, products.end() - 1};
}

// Units and channels go before the axes of the cells within a loop whose product is a convolution. `first`: axes before them.
std::string channelsFirst(NodeList& nodes, const std::string& value, std::size_t first, std::size_t cells) {
    std::vector<std::int64_t> axes(first + cells + 1);
    std::iota(axes.begin(), axes.end(), std::int64_t{0});
    std::rotate(axes.begin() + static_cast<std::ptrdiff_t>(first), axes.end() - 1, axes.end());
    return nodes.add("Transpose", {value}, {{"perm", axes}});
}

std::string channelsLast(NodeList& nodes, const std::string& value, std::size_t first, std::size_t cells) {
    std::vector<std::int64_t> axes(first + cells + 1);
    std::iota(axes.begin(), axes.end(), std::int64_t{0});
    std::rotate(axes.begin() + static_cast<std::ptrdiff_t>(first), axes.begin() + static_cast<std::ptrdiff_t>(first) + 1, axes.end());
    return nodes.add("Transpose", {value}, {{"perm", axes}});
}

// One time: the states before, the products and whether the time counts -> the states after and what is put out.
proto::GraphProto scanBody(GraphWriter& writer, const Op& op, const RecurrentAttributes& a, const std::string& kernel,
                           const std::string& state_bias) {
    proto::GraphProto body;
    NodeList nodes(body, writer.nodes().names());
    nodes.setPrefix(op.layer + "/step");
    const bool is_lstm = a.cell == RecurrentCell::kLstm;
    const spec::Shape cells = cellsOf(writer, op);
    spec::Shape state{-1, a.units}, products{-1, a.units * plan::gatesOf(a.cell)};
    state.insert(state.end(), cells.begin(), cells.end());
    products.insert(products.end(), cells.begin(), cells.end());
    const auto enter = [&](std::string_view name, proto::TensorProto::DataType type, const spec::Shape& shape) {
        const std::string taken = nodes.newName(name);
        describe(*body.add_input(), taken, type, shape);
        return taken;
    };
    States before{.h = enter("h", proto::TensorProto::FLOAT, state), .c = {}};
    if (is_lstm) before.c = enter("c", proto::TensorProto::FLOAT, state);
    const std::string z = enter("z", proto::TensorProto::FLOAT, products);
    std::string counts;
    std::vector<std::int64_t> of_state(cells.size() + 1);
    std::iota(of_state.begin(), of_state.end(), std::int64_t{1});
    if (a.masked) counts = nodes.add("Unsqueeze", {enter("counts", proto::TensorProto::BOOL, {-1}), nodes.integers(of_state)});

    States next = nextStates({nodes, a, cells.size()}, z, before, kernel, state_bias);
    std::string out = next.h;
    if (a.masked) {
        out = nodes.add("Where", {counts, next.h, a.zero_output_for_mask ? nodes.constant(0.0F) : before.h});
        next.h = nodes.add("Where", {counts, next.h, before.h});
        if (is_lstm) next.c = nodes.add("Where", {counts, next.c, before.c});
    }
    // A value may leave a body once under one name.
    const auto leave = [&](const std::string& value) {
        describe(*body.add_output(), nodes.add("Identity", {value}), proto::TensorProto::FLOAT, state);
    };
    leave(next.h);
    if (is_lstm) leave(next.c);
    leave(out);
    body.set_name(op.layer + "/step");
    return body;
}

void addScan(GraphWriter& writer, const Op& op, const RecurrentAttributes& a) {
    NodeList& nodes = writer.nodes();
    std::string z = writer.value(op.inputs[0]);
    const std::int64_t columns = a.units * plan::gatesOf(a.cell);
    const spec::Shape cells = cellsOf(writer, op);
    std::string kernel;
    if (a.window) {
        z = channelsFirst(nodes, z, 2, cells.size());
        const spec::Shape& from = writer.shape(op.inputs[1]);
        std::vector<std::size_t> axes{from.size() - 1, from.size() - 2};
        for (std::size_t i = 0; i + 2 < from.size(); ++i) axes.push_back(i);
        spec::Shape shape;
        for (const std::size_t axis : axes) shape.push_back(from[axis]);
        kernel = writer.transposed(op.inputs[1], from, axes, shape);
    } else {
        kernel = writer.initializer(op.inputs[1], writer.shape(op.inputs[1]));
    }
    std::string state_bias;
    if (a.two_biases) {
        const std::span<const float> both = writer.weight(op.inputs[2]);
        const auto half = static_cast<std::size_t>(columns);
        const std::string name(writer.nameOf(op.inputs[2]));
        z = nodes.add("Add", {z, nodes.initializer(name, {columns}, both.first(half))});
        state_bias = nodes.initializer(name, {columns}, both.subspan(half, half));
    }
    // Zeros of (N, units), and the cells' axes.
    const std::string samples = nodes.add("Gather", {nodes.add("Shape", {z}), nodes.integers({0})});
    std::vector<std::int64_t> of_state{a.units};
    of_state.insert(of_state.end(), cells.begin(), cells.end());
    const std::string zeros =
        nodes.add("ConstantOfShape", {nodes.add("Concat", {samples, nodes.integers(of_state)}, {{"axis", std::int64_t{0}}})});

    const bool is_lstm = a.cell == RecurrentCell::kLstm;
    std::vector<std::string> inputs{zeros};
    if (is_lstm) inputs.push_back(zeros);
    inputs.push_back(z);
    std::vector<std::int64_t> axes{1}, directions{a.go_backwards ? 1 : 0};
    if (a.masked) {
        inputs.push_back(writer.value(op.inputs.back()));
        axes.push_back(1);
        directions.push_back(directions.front());
    }
    std::vector<std::string> outputs{nodes.newName("last")};
    if (is_lstm) outputs.push_back(nodes.newName("last_c"));
    outputs.push_back(nodes.newName("states"));
    nodes.addTo("Scan", inputs, outputs,
                {{"body", scanBody(writer, op, a, kernel, state_bias)},
                 {"num_scan_inputs", static_cast<std::int64_t>(axes.size())},
                 {"scan_input_axes", axes},
                 {"scan_input_directions", directions},
                 {"scan_output_axes", std::vector<std::int64_t>{1}}});
    const auto define = [&](const std::string& value, std::size_t first) {
        writer.define(op.outputs[0], a.window ? channelsLast(nodes, value, first, cells.size()) : value);
    };
    if (a.return_sequences) return define(outputs.back(), 2);
    if (!a.zero_output_for_mask) return define(outputs.front(), 1);
    // The last output, which is zero where the last time does not count.
    define(nodes.add("Gather", {outputs.back(), nodes.integer(-1)}, {{"axis", std::int64_t{1}}}), 1);
}

}  // namespace

void emitRecurrent(GraphWriter& writer, const Op& op) {
    const auto& a = std::get<RecurrentAttributes>(op.attributes);
    const std::vector<NamedFunction> functions = functionsOf(a);
    if (a.masked || a.window || functions.empty()) return addScan(writer, op, a);
    addOperator(writer, op, a, functions);
}

void emitMerge(GraphWriter& writer, const Op& op) {
    const auto& a = std::get<plan::MergeAttributes>(op.attributes);
    NodeList& nodes = writer.nodes();
    const Layout layout = writer.layoutOf(op.inputs[0]);
    const std::string first = writer.value(op.inputs[0], layout);
    std::string second = writer.value(op.inputs[1], layout);
    if (a.turned) second = turnedAround(nodes, second, layout == Layout::kTimes ? 0 : 1);
    const auto last = static_cast<std::int64_t>(writer.rank(op.inputs[0])) - 1;
    std::string merged;
    switch (a.mode) {
        case plan::MergeMode::kConcat:
            merged = nodes.add("Concat", {first, second}, {{"axis", last}});
            break;
        case plan::MergeMode::kSum:
            merged = nodes.add("Add", {first, second});
            break;
        case plan::MergeMode::kAverage:
            merged = nodes.add("Mul", {nodes.add("Add", {first, second}), nodes.constant(0.5F)});
            break;
        case plan::MergeMode::kMultiply:
            merged = nodes.add("Mul", {first, second});
            break;
    }
    writer.define(op.outputs[0], merged, layout);
}

}  // namespace engine::exporter::onnx
