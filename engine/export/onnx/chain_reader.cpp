#include "engine/export/onnx/chain_reader.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "engine/export/onnx/graph_writer.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/error.h"

namespace engine::exporter::onnx {
namespace {

constexpr int kMostNodes = 20'000, kMostOfFormula = 24;

std::vector<int> identityOf(std::size_t rank) {
    std::vector<int> axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

std::vector<int> orderOf(Layout layout, std::size_t rank) {
    const std::vector<std::int64_t> axes = permutation(layout, rank);
    return {axes.begin(), axes.end()};
}

bool isElementwise(const std::string& class_name) {
    static const std::set<std::string> kClasses{"Activation", "ReLU", "LeakyReLU", "ELU", "Dropout", "Rescaling"};
    return kClasses.contains(class_name);
}

// Without the axes of one value, those of the file's order stand in Keras' order.
bool keepsOrder(const std::vector<int>& layout, const spec::Shape& shape) {
    int last = -1;
    for (int axis : layout) {
        if (axis <= 0 || shape[static_cast<std::size_t>(axis) - 1] == 1) continue;
        if (axis < last) return false;
        last = axis;
    }
    return true;
}

}  // namespace

ChainReader::ChainReader(const proto::GraphProto& graph, std::string file)
    : graph_(graph), file_(std::move(file)), constants_(graph, file_) {}

void ChainReader::enter(const proto::GraphProto& graph) {
    const auto wrong = [&](const std::string& expected, const std::string& got) {
        throw Error(ErrorCode::kInvalidArgument, file_ + ": expected " + expected + ", got " + got);
    };
    if (graph.node_size() > kMostNodes) wrong("at most " + std::to_string(kMostNodes) + " nodes", std::to_string(graph.node_size()));
    std::vector<const proto::ValueInfoProto*> inputs;
    for (const proto::ValueInfoProto& input : graph.input()) {
        if (!constants_.has(input.name())) inputs.push_back(&input);
    }
    if (inputs.size() != 1) wrong("a graph with one input", std::to_string(inputs.size()));
    if (graph.output_size() != 1) wrong("a graph with one output", std::to_string(graph.output_size()));
    current_ = inputs.front()->name();
    output_ = graph.output(0).name();
    const proto::TypeProto::Tensor& tensor = inputs.front()->type().tensor_type();
    constexpr int kMostAxes = 6;
    if (!tensor.has_shape() || tensor.shape().dim_size() < 2 || tensor.shape().dim_size() > kMostAxes) {
        wrong(current_ + " with 2 to 6 axes", std::to_string(tensor.shape().dim_size()));
    }
    for (const proto::TensorShapeProto::Dimension& dim : tensor.shape().dim()) {
        input_sizes_.push_back(dim.has_dim_value() && dim.dim_value() > 0 ? dim.dim_value() : kBatch);
    }
    switch (tensor.elem_type()) {
        case proto::TensorProto::UINT8:
            model_.input_dtype = "uint8";
            break;
        case proto::TensorProto::INT32:
        case proto::TensorProto::INT64:
            model_.input_dtype = "int32";
            break;
        case proto::TensorProto::FLOAT:
        case proto::TensorProto::DOUBLE:
            break;
        default:
            wrong(current_ + " of float32, float64, uint8, int32 or int64", "type " + std::to_string(tensor.elem_type()));
    }
    layout_ = identityOf(input_sizes_.size());
    for (int i = 0; i < graph.node_size(); ++i) {
        for (const std::string& input : graph.node(i).input()) readers_[input].push_back(i);
    }
}

// Says which axis of the input is which of Keras'.
void ChainReader::begin(const std::vector<int>& layout) {
    if (!is_undecided_) return;
    is_undecided_ = false;
    has_channels_first_ = layout.size() > 2 && layout == orderOf(Layout::kFirst, layout.size());
    layout_ = layout;
    shape_.assign(layout.size() - 1, 0);
    for (std::size_t i = 0; i < layout.size(); ++i) {
        const std::int64_t size = input_sizes_[i];
        if (layout[i] == 0) {
            fixed_batch_ = std::max<std::int64_t>(size, 0);
            continue;
        }
        if (size < 0) {
            throw Error(ErrorCode::kInvalidArgument, file_ + ": expected the input's size along axis " + std::to_string(i) +
                                                         ", got none: only the number of samples may be open");
        }
        shape_[static_cast<std::size_t>(layout[i]) - 1] = size;
    }
    model_.input_shape = shape_;
}

std::vector<std::int64_t> ChainReader::sizes() const {
    if (is_undecided_) return input_sizes_;
    std::vector<std::int64_t> sizes;
    for (int axis : layout_) {
        sizes.push_back(axis < 0 ? 1 : axis == 0 ? (fixed_batch_ > 0 ? fixed_batch_ : kBatch) : shape_[static_cast<std::size_t>(axis) - 1]);
    }
    return sizes;
}

std::size_t ChainReader::axisOf(const NodeView& node, std::int64_t axis) const {
    const auto rank = static_cast<std::int64_t>(layout_.size());
    if (axis < -rank || axis >= rank) fail(node, "an axis of " + std::to_string(rank), std::to_string(axis));
    return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

int ChainReader::kerasAxis(const NodeView& node, std::int64_t axis) {
    const std::size_t found = axisOf(node, axis);
    begin(identityOf(layout_.size()));
    return layout_[found];
}

void ChainReader::permute(const NodeView& node, const std::vector<std::int64_t>& dims) {
    const std::vector<int> before = layout_;
    add(node, "Permute", {{"dims", dims}});
    layout_ = before;
}

// Gives every axis of the file a place in Keras' shape, and both the same order.
void ChainReader::materialise(const NodeView& node) {
    if (std::find(layout_.begin(), layout_.end(), kDirection) != layout_.end()) fail(node, "a Reshape of both directions", node.op());
    if (std::find(layout_.begin(), layout_.end(), kUnit) == layout_.end()) return;
    const std::vector<std::int64_t> whole = sizes();
    std::vector<int> real;
    std::copy_if(layout_.begin(), layout_.end(), std::back_inserter(real), [](int axis) { return axis >= 0; });
    if (layout_.front() != 0) fail(node, "the samples along the first axis", "another one");
    const std::size_t rank = layout_.size();
    layout_ = real;
    arrange(node, identityOf(real.size()));
    add(node, "Reshape", {{"target_shape", std::vector<std::int64_t>(whole.begin() + 1, whole.end())}});
    layout_ = identityOf(rank);
}

void ChainReader::arrange(const NodeView& node, const std::vector<int>& wanted) {
    if (layout_ == wanted) return;
    materialise(node);
    if (layout_ == wanted) return;
    if (layout_.size() != wanted.size()) fail(node, std::to_string(wanted.size()) + " axes", std::to_string(layout_.size()));
    std::vector<std::int64_t> dims(layout_.size() - 1);
    bool moves = false;
    for (std::size_t i = 0; i < layout_.size(); ++i) {
        if ((layout_[i] == 0) != (wanted[i] == 0)) fail(node, "the samples along another axis", "axis " + std::to_string(i));
        if (wanted[i] == 0) continue;
        dims[static_cast<std::size_t>(wanted[i]) - 1] = layout_[i];
        moves = moves || layout_[i] != wanted[i];
    }
    if (moves) permute(node, dims);
    layout_ = wanted;
}

void ChainReader::wantChannelsFirst(const NodeView& node) {
    const std::vector<int> wanted = orderOf(Layout::kFirst, layout_.size());
    begin(wanted);
    arrange(node, wanted);
}

void ChainReader::wantTimesFirst(const NodeView& node) {
    if (layout_.size() != 3) fail(node, "3 axes (times, samples, features)", std::to_string(layout_.size()));
    begin(orderOf(Layout::kTimes, layout_.size()));
    arrange(node, orderOf(Layout::kTimes, layout_.size()));
}

void ChainReader::wantKerasOrder(const NodeView& node) {
    begin(identityOf(layout_.size()));
    arrange(node, identityOf(layout_.size()));
}

FloatTensor ChainReader::weight(const NodeView& node, int input) const {
    auto read = constants_.floats(node, node.input(input));
    if (!read) fail(node, "weights that the file holds", node.input(input).empty() ? "none" : node.input(input));
    return std::move(*read);
}

void ChainReader::add(const NodeView& node, const std::string& class_name, spec::Fields config,
                      std::map<std::string, FloatTensor> weights) {
    begin(identityOf(layout_.size()));
    if (is_turned) fail(node, "the times in their order (a Slice with step -1)", "those of a reverse direction");
    if (flattened_ && !isElementwise(class_name)) settleFlatten(node);
    spec::LayerSpec layer{class_name, names_.next(class_name), std::move(config)};
    spec::ModelSpec alone;
    alone.input_shape = shape_;
    alone.input_dtype = model_.layers.empty() ? model_.input_dtype : "float32";
    alone.layers = {layer};
    const spec::LayerInfo info = spec::inferShapes(alone).front();
    if (!info.error.empty()) fail(node, "a layer " + class_name, info.error);
    for (const spec::VariableInfo& variable : info.variables) {
        const std::string name = variable.name.substr(variable.name.find('/') + 1);
        const auto found = weights.find(name);
        std::int64_t count = 1;
        for (std::int64_t size : variable.shape) count *= size;
        if (found == weights.end() || static_cast<std::int64_t>(found->second.values.size()) != count) {
            fail(node, std::to_string(count) + " values of " + name,
                 std::to_string(found == weights.end() ? 0 : found->second.values.size()));
        }
        weights_.push_back({variable.name, {variable.shape, std::move(found->second.values)}});
    }
    shape_ = info.output_shape;
    model_.layers.push_back(std::move(layer));
}

void ChainReader::addActivation(const NodeView& node, const std::string& function) {
    begin(identityOf(layout_.size()));
    static const std::set<std::string> kTakers{"Dense", "Conv1D", "Conv2D", "Conv2DTranspose", "DepthwiseConv2D", "SeparableConv2D"};
    spec::LayerSpec* last = lastLayer();
    if (last != nullptr && kTakers.contains(last->class_name) && last->config.find("activation") == nullptr) {
        last->config.set("activation", function);
        return;
    }
    add(node, "Activation", {{"activation", function}});
}

bool ChainReader::addBias(const NodeView& node, const FloatTensor& bias) {
    spec::LayerSpec* last = lastLayer();
    if (last == nullptr || last->config.getBool("use_bias", true) || last->config.find("activation") != nullptr) return false;
    static const std::set<std::string> kTakers{"Dense", "Conv1D", "Conv2D", "Conv2DTranspose", "DepthwiseConv2D"};
    if (!kTakers.contains(last->class_name) || bias.values.size() != static_cast<std::size_t>(shape_.back())) return false;
    // Along the channels, wherever the file has them: all other sizes are 1.
    const auto channel = std::find(layout_.begin(), layout_.end(), static_cast<int>(shape_.size()));
    const auto behind = static_cast<std::size_t>(layout_.end() - channel) - 1;
    if (bias.shape.size() < behind + 1 || bias.shape[bias.shape.size() - 1 - behind] != shape_.back()) return false;
    static_cast<void>(node);
    last->config.erase("use_bias");
    weights_.push_back({last->name + "/bias", {{shape_.back()}, bias.values}});
    return true;
}

// Rows of the kernel meet the values of a Flatten in the file's order: they are put into Keras'.
void ChainReader::addDense(const NodeView& node, FloatTensor kernel, std::optional<FloatTensor> bias) {
    begin(identityOf(layout_.size()));
    if (kernel.shape.size() != 2) fail(node, "a matrix of weights", std::to_string(kernel.shape.size()) + " axes");
    const std::int64_t rows = kernel.shape[0], units = kernel.shape[1];
    if (layout_.back() != static_cast<int>(layout_.size()) - 1) wantKerasOrder(node);
    if (shape_.empty() || shape_.back() != rows) {
        fail(node, std::to_string(rows) + " values a sample or row", std::to_string(shape_.empty() ? 0 : shape_.back()));
    }
    if (flattened_) {
        const Flattened from = *flattened_;
        flattened_.reset();
        std::vector<float> turned(kernel.values.size());
        std::vector<std::int64_t> index(from.shape.size());  // of Keras' axes
        for (std::int64_t row = 0; row < rows; ++row) {
            std::int64_t source = 0;
            for (int axis : from.layout) {
                if (axis > 0) source = source * from.shape[static_cast<std::size_t>(axis) - 1] + index[static_cast<std::size_t>(axis) - 1];
            }
            std::copy_n(kernel.values.begin() + source * units, units, turned.begin() + row * units);
            for (std::size_t i = index.size(); i-- > 0;) {
                if (++index[i] < from.shape[i]) break;
                index[i] = 0;
            }
        }
        kernel.values = std::move(turned);
    }
    spec::Fields config{{"units", units}};
    std::map<std::string, FloatTensor> weights{{"kernel", std::move(kernel)}};
    if (bias) {
        weights["bias"] = std::move(*bias);
    } else {
        config.set("use_bias", false);
    }
    add(node, "Dense", std::move(config), std::move(weights));
}

void ChainReader::flatten(const NodeView& node) {
    begin(identityOf(layout_.size()));
    if (std::find(layout_.begin(), layout_.end(), kDirection) != layout_.end() || layout_.front() != 0) {
        fail(node, "the samples along the first axis", "another one");
    }
    spec::LayerSpec* last = lastLayer();
    const bool was_global = last != nullptr && last->class_name.starts_with("Global") && last->config.getBool("keepdims", false);
    if (was_global) {  // its axes of one value were kept for this
        last->config.erase("keepdims");
        shape_ = {shape_.back()};
    }
    const Flattened from{model_.layers.size(), layout_, shape_};
    if (shape_.size() > 1) {
        if (flattened_) settleFlatten(node);
        add(node, "Flatten", {});
        if (!keepsOrder(from.layout, from.shape)) flattened_ = from;
    }
    layout_ = identityOf(2);
}

void ChainReader::dropTimes(std::size_t axis) {
    layout_.erase(layout_.begin() + static_cast<std::ptrdiff_t>(axis));
    for (int& one : layout_) one = one > 1 ? one - 1 : one;
    shape_.erase(shape_.begin());
}

// A layer reads the values of a Flatten in the file's order: a Permute before it says so.
void ChainReader::settleFlatten(const NodeView& node) {
    const Flattened from = *flattened_;
    flattened_.reset();
    std::vector<std::int64_t> dims;
    for (int axis : from.layout) {
        if (axis > 0) dims.push_back(axis);
    }
    static_cast<void>(node);
    spec::LayerSpec permute{"Permute", names_.next("Permute"), {{"dims", dims}}};
    model_.layers.insert(model_.layers.begin() + static_cast<std::ptrdiff_t>(from.layer), std::move(permute));
}

// A function that is written as its formula: ops by elements that part from the chain's value and meet again. They are computed for some
// numbers, and the function is known by what comes out.
bool ChainReader::takeFormula(int first) {
    std::vector<double> x;
    for (double value = -6; value <= 6; value += 0.37) x.push_back(value);
    std::map<std::string, std::vector<double>> values{{current_, x}};
    std::vector<int> nodes;
    const int last = std::min(graph_.node_size(), first + 4 * kMostOfFormula);
    for (int i = first; i < last && nodes.size() < static_cast<std::size_t>(kMostOfFormula); ++i) {
        const NodeView node(graph_.node(i));
        std::vector<std::vector<double>> inputs;
        bool is_part = false, is_whole = true;
        for (int k = 0; k < node.inputs(); ++k) {
            if (node.input(k).empty()) {
                inputs.emplace_back();
            } else if (const auto found = values.find(node.input(k)); found != values.end()) {
                inputs.push_back(found->second);
                is_part = true;
            } else if (const auto number = constants_.scalar(node, node.input(k))) {
                inputs.emplace_back(x.size(), static_cast<double>(*number));
            } else {
                is_whole = false;
            }
        }
        if (!is_part) continue;
        auto computed_values = is_whole ? computed(node, inputs) : std::nullopt;
        if (!computed_values) return false;
        nodes.push_back(i);
        const std::string y = node.output(0);
        values[y] = std::move(*computed_values);
        // Does anything but the last value go on?
        bool is_rejoined = true;
        for (const auto& [name, unused] : values) {
            if (name == y) continue;
            for (int reader : readers_[name]) {
                is_rejoined = is_rejoined && (std::find(nodes.begin(), nodes.end(), reader) != nodes.end() || isForSizes(reader));
            }
        }
        if (!is_rejoined) continue;
        // Ids below 0 count from the table's end: nobody has them here.
        const bool are_ids = readers_[y].size() == 1 && graph_.node(readers_[y].front()).op_type() == "Gather" &&
                             std::equal(x.begin(), x.end(), values[y].begin(), [](double a, double b) { return a < 0 || a == b; });
        if (are_ids) {
            taken_.insert(nodes.begin(), nodes.end());
            current_ = y;
            return true;
        }
        if (const auto function = functionOf(x, values[y])) {
            addActivation(node, *function);
            taken_.insert(nodes.begin(), nodes.end());
            current_ = y;
            return true;
        }
    }
    return false;
}

// A Shape, or a Transpose of which nothing but the shape is asked.
bool ChainReader::isForSizes(int index) const {
    const proto::NodeProto& node = graph_.node(index);
    if (node.op_type() == "Shape") return true;
    if (node.op_type() != "Transpose" || node.output_size() != 1 || node.output(0) == output_) return false;
    const auto found = readers_.find(node.output(0));
    return found != readers_.end() &&
           std::all_of(found->second.begin(), found->second.end(), [&](int reader) { return graph_.node(reader).op_type() == "Shape"; });
}

void ChainReader::takeSizes(const NodeView& node) {
    const auto found = sizes_.find(node.input(0));
    if (found == sizes_.end()) fail(node, "the shape of a value of the chain", node.input(0));
    if (node.op() == "Shape") {
        const auto size = static_cast<std::int64_t>(found->second.size());
        const auto within = [size](std::int64_t i) { return std::clamp<std::int64_t>(i < 0 ? i + size : i, 0, size); };
        const std::int64_t start = within(node.integer("start", 0)), end = std::max(start, within(node.integer("end", size)));
        return constants_.set(node.output(0), {found->second.begin() + start, found->second.begin() + end});
    }
    std::vector<std::int64_t> turned;
    for (std::int64_t axis : node.integers("perm")) {
        if (axis < 0 || axis >= static_cast<std::int64_t>(found->second.size())) fail(node, "axes of the value", std::to_string(axis));
        turned.push_back(found->second[static_cast<std::size_t>(axis)]);
    }
    sizes_[node.output(0)] = turned;
}

void ChainReader::step(int index) {
    const NodeView node(graph_.node(index));
    if (node.outputs() == 0) return;
    std::vector<std::string> travelling;
    for (int i = 0; i < node.inputs(); ++i) {
        if (!node.input(i).empty() && !constants_.has(node.input(i))) travelling.push_back(node.input(i));
    }
    if (travelling.empty()) {
        if (!constants_.fold(node)) fail(node, "weights or sizes that the file holds", "what it computes of them");
        return;
    }
    if (isForSizes(index)) return takeSizes(node);
    for (const std::string& value : travelling) {
        if (value != current_) fail(node, "a chain, each node taking the output of the one before (" + current_ + ")", value);
    }
    const auto others =
        std::count_if(readers_[current_].begin(), readers_[current_].end(), [&](int reader) { return !isForSizes(reader); });
    const NodeReader reader = findNodeReader(node.op());
    if ((others > 1 || travelling.size() > 1 || reader == nullptr) && takeFormula(index)) return;
    if (others > 1 || travelling.size() > 1) {
        fail(node, "a chain, in which one node reads " + current_, std::to_string(std::max<std::ptrdiff_t>(others, 2)));
    }
    if (reader == nullptr) fail(node, "an operator that a layer stands for", node.op());
    const std::string before = current_;
    reader(*this, node);
    if (current_ == before) current_ = node.output(0);
}

ReadModel ChainReader::read() {
    enter(graph_);
    model_.name = graph_.name().empty() ? "sequential" : graph_.name();
    for (int i = 0; i < graph_.node_size(); ++i) {
        sizes_[current_] = sizes();
        if (taken_.contains(i)) continue;
        // What comes after the output is nobody's.
        if (current_ == output_) break;
        step(i);
    }
    if (current_ != output_) {
        throw Error(ErrorCode::kInvalidArgument, file_ + ": expected a chain from the input to " + output_ + ", got one to " + current_);
    }
    proto::NodeProto last;
    last.set_op_type("output");
    last.add_output(output_);
    if (is_turned) fail(NodeView(last), "the times in their order", "those of a reverse direction");
    if (flattened_) settleFlatten(NodeView(last));
    // Images come out as they go in, with the channels last.
    if (!has_channels_first_ || layout_ != orderOf(Layout::kFirst, layout_.size())) wantKerasOrder(NodeView(last));
    if (model_.layers.empty()) throw Error(ErrorCode::kInvalidArgument, file_ + ": expected at least one layer, got none");
    return {std::move(model_), std::move(weights_)};
}

}  // namespace engine::exporter::onnx
