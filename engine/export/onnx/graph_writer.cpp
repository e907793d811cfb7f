#include "engine/export/onnx/graph_writer.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "engine/spec/error.h"

namespace engine::exporter::onnx {
namespace {

std::size_t at(plan::TensorId id) {
    return static_cast<std::size_t>(id);
}

}  // namespace

std::vector<std::int64_t> permutation(Layout layout, std::size_t rank) {
    std::vector<std::int64_t> axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
    if (layout == Layout::kFirst && rank > 2) std::rotate(axes.begin() + 1, axes.end() - 1, axes.end());
    if (layout == Layout::kTimes) std::swap(axes[0], axes[1]);
    return axes;
}

GraphWriter::GraphWriter(const plan::Plan& plan, std::span<const VariableView> weights, proto::GraphProto& graph)
    : plan_(plan), nodes_(graph, names_), values_(plan.tensors.size()), makers_(plan.tensors.size()), readers_(plan.tensors.size()) {
    for (const VariableView& view : weights) weights_[view.name] = view.values;
    for (const plan::Op& op : plan.ops) {
        for (plan::TensorId id : op.outputs) makers_[at(id)] = &op;
        for (plan::TensorId id : op.inputs) ++readers_[at(id)];
    }
    ++readers_[at(plan.output)];
}

std::vector<std::int64_t> GraphWriter::openShape(plan::TensorId id) const {
    std::vector<std::int64_t> sizes = shape(id);
    sizes.front() = -1;
    return sizes;
}

std::string GraphWriter::value(plan::TensorId id, Layout layout) {
    std::array<std::string, kLayouts>& values = values_[at(id)];
    std::string& wanted = values[static_cast<std::size_t>(layout)];
    if (!wanted.empty()) return wanted;
    const Layout from = layoutOf(id);
    const std::vector<std::int64_t> have = permutation(from, rank(id)), want = permutation(layout, rank(id));
    if (have == want) return wanted = values[static_cast<std::size_t>(from)];
    std::vector<std::int64_t> axes;
    for (std::int64_t axis : want) axes.push_back(std::find(have.begin(), have.end(), axis) - have.begin());
    return wanted = nodes_.add("Transpose", {values[static_cast<std::size_t>(from)]}, {{"perm", axes}});
}

Layout GraphWriter::layoutOf(plan::TensorId id) const {
    for (Layout layout : {Layout::kLast, Layout::kFirst, Layout::kTimes}) {
        if (!values_[at(id)][static_cast<std::size_t>(layout)].empty()) return layout;
    }
    ENGINE_CHECK(false);  // an op before it makes it
    return Layout::kLast;
}

void GraphWriter::define(plan::TensorId id, std::string name, Layout layout) {
    values_[at(id)][static_cast<std::size_t>(layout)] = std::move(name);
}

const plan::Op* GraphWriter::makerOf(plan::TensorId id) const {
    return makers_[at(id)];
}

bool GraphWriter::hasOneReader(plan::TensorId id) const {
    return readers_[at(id)] == 1;
}

std::span<const float> GraphWriter::weight(plan::TensorId id) const {
    const auto found = weights_.find(nameOf(id));
    ENGINE_CHECK(found != weights_.end());
    return found->second;
}

std::string GraphWriter::initializer(plan::TensorId id, const spec::Shape& shape) {
    return nodes_.initializer(std::string(nameOf(id)), shape, weight(id));
}

std::string GraphWriter::transposed(plan::TensorId id, const spec::Shape& from, const std::vector<std::size_t>& axes,
                                    const spec::Shape& shape) {
    const std::span<const float> values = weight(id);
    std::vector<std::int64_t> strides(from.size(), 1);
    for (std::size_t i = from.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * from[i + 1];
    std::vector<float> turned;
    turned.reserve(values.size());
    std::vector<std::int64_t> index(from.size());
    while (turned.size() < values.size()) {
        std::int64_t offset = 0;
        for (std::size_t i = 0; i < axes.size(); ++i) offset += index[i] * strides[axes[i]];
        turned.push_back(values[static_cast<std::size_t>(offset)]);
        for (std::size_t i = axes.size(); i-- > 0;) {
            if (++index[i] < from[axes[i]]) break;
            index[i] = 0;
        }
    }
    return nodes_.initializer(std::string(nameOf(id)), shape, turned);
}

spec::Shape GraphWriter::alongChannels(std::int64_t channels, std::size_t rank, Layout layout) const {
    spec::Shape shape{channels};
    if (layout == Layout::kFirst && rank > 2) shape.resize(rank - 1, 1);
    return shape;
}

}  // namespace engine::exporter::onnx
