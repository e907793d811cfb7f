// The same values along other axes.
#include <algorithm>
#include <cstddef>

#include "engine/export/onnx/chain_operators.h"

namespace engine::exporter::onnx {
namespace {

// A reshape that moves axes of one value alone, as tf2onnx writes a Transpose: the same as one. `target` has the batch first.
bool movesUnits(ChainReader& chain, const Ints& before, const Ints& target) {
    std::vector<int>& layout = chain.layout();
    if (target.size() != layout.size() || layout.front() != 0 || *std::min_element(layout.begin(), layout.end()) < 0) return false;
    std::vector<int> units, others, moved{0};
    Ints sizes;
    for (std::size_t i = 1; i < layout.size(); ++i) {
        (before[i] == 1 ? units : others).push_back(layout[i]);
        if (before[i] != 1) sizes.push_back(before[i]);
    }
    std::size_t next_unit = 0, next_other = 0;
    for (std::size_t i = 1; i < target.size(); ++i) {
        if (target[i] == 1 && next_unit < units.size()) {
            moved.push_back(units[next_unit++]);
        } else if (next_other < others.size() && target[i] == sizes[next_other]) {
            moved.push_back(others[next_other++]);
        } else {
            return false;
        }
    }
    layout = moved;
    return true;
}

}  // namespace

void readTranspose(ChainReader& chain, const NodeView& node) {
    Ints axes = node.integers("perm");
    const std::size_t rank = chain.rank();
    if (axes.empty()) {
        for (std::size_t i = rank; i-- > 0;) axes.push_back(static_cast<std::int64_t>(i));
    }
    std::vector<bool> seen(rank);
    if (axes.size() != rank) chain.fail(node, std::to_string(rank) + " axes", sizesText(axes));
    static_cast<void>(chain.kerasAxis(node, 0));
    std::vector<int> layout;
    for (std::int64_t axis : axes) {
        const std::size_t from = chain.axisOf(node, axis);
        if (seen[from]) chain.fail(node, "each axis once", sizesText(axes));
        seen[from] = true;
        layout.push_back(chain.layout()[from]);
    }
    chain.layout() = layout;
}

void readFlatten(ChainReader& chain, const NodeView& node) {
    if (chain.axisOf(node, node.integer("axis", 1)) != 1) chain.fail(node, "axis 1", std::to_string(node.integer("axis", 1)));
    chain.flatten(node);
}

void readReshape(ChainReader& chain, const NodeView& node) {
    const auto given = chain.constants().integers(node, node.input(1));
    if (!given || given->empty()) chain.fail(node, "a shape that the file holds", node.input(1));
    static_cast<void>(chain.kerasAxis(node, 0));
    const Ints before = chain.sizes();
    Ints target = *given;
    std::int64_t whole = 1;
    for (std::int64_t size : chain.shape()) whole *= size;
    for (std::size_t i = 0; i < target.size(); ++i) {
        if (target[i] == 0 && i < before.size()) target[i] = before[i];
    }
    // Both directions of a recurrent layer become one axis.
    std::vector<int>& layout = chain.layout();
    if (layout.size() == 4 && layout[2] == ChainReader::kDirection && target.size() == 3) {
        layout.erase(layout.begin() + 2);
        return;
    }
    // An axis of one value goes away.
    std::vector<int> real;
    Ints left;
    for (std::size_t i = 0; i < layout.size(); ++i) {
        if (layout[i] == ChainReader::kUnit) continue;
        real.push_back(layout[i]);
        left.push_back(before[i]);
    }
    if (real.size() < layout.size() && left.size() == target.size() && std::count(target.begin(), target.end(), -1) <= 1 &&
        std::equal(left.begin(), left.end(), target.begin(), [](std::int64_t a, std::int64_t b) { return a == b || b == -1; })) {
        layout = real;
        return;
    }
    const std::int64_t batch = chain.fixedBatch();
    if (target.front() != ChainReader::kBatch && (batch == 0 || target.front() != batch)) {
        chain.fail(node, "the samples along the first axis", sizesText(*given));
    }
    Ints rest(target.begin() + 1, target.end());
    std::int64_t product = 1;
    for (std::int64_t size : rest) {
        if (size > 0 && (size > whole || __builtin_mul_overflow(product, size, &product)))
            chain.fail(node, "the same values", sizesText(*given));
    }
    for (std::int64_t& size : rest) {
        if (size < 0 && product > 0) size = whole / product;
        if (size < 0 || product == 0) chain.fail(node, "sizes of at least 1", sizesText(*given));
    }
    product = 1;
    for (std::int64_t size : rest) product *= size;
    if (product != whole) chain.fail(node, "as many values a sample as there are (" + std::to_string(whole) + ")", sizesText(*given));
    if (rest.empty()) chain.fail(node, "at least two axes", sizesText(*given));
    if (rest.size() == 1) return chain.flatten(node);
    if (std::find(layout.begin(), layout.end(), ChainReader::kDirection) != layout.end()) {
        chain.fail(node, "both directions side by side", sizesText(*given));
    }
    Ints whole_target{before.front()};
    whole_target.insert(whole_target.end(), rest.begin(), rest.end());
    if (movesUnits(chain, before, whole_target)) return;
    chain.wantKerasOrder(node);
    if (rest != chain.shape()) chain.add(node, "Reshape", {{"target_shape", rest}});
    layout.clear();
    for (std::size_t i = 0; i <= rest.size(); ++i) layout.push_back(static_cast<int>(i));
}

void readSqueeze(ChainReader& chain, const NodeView& node) {
    Ints axes = attributeOrInput(chain, node, "axes", 1);
    static_cast<void>(chain.kerasAxis(node, 0));
    std::vector<bool> dropped(chain.rank());
    for (std::int64_t axis : axes) dropped[chain.axisOf(node, axis)] = true;
    const Ints sizes = chain.sizes();
    std::vector<int>& layout = chain.layout();
    bool has_real = false;
    for (std::size_t i = 0; i < dropped.size(); ++i) {
        if (axes.empty() && i > 0) dropped[i] = sizes[i] == 1;
        if (dropped[i] && (sizes[i] != 1 || layout[i] == 0)) chain.fail(node, "axes of one value", sizesText(axes));
        has_real = has_real || (dropped[i] && layout[i] > 0);
    }
    if (has_real) {
        const auto left = static_cast<std::size_t>(std::count(dropped.begin(), dropped.end(), false));
        if (left == 2) return chain.flatten(node);
        chain.wantKerasOrder(node);
        Ints rest;
        for (std::size_t i = 1; i < dropped.size(); ++i) {
            if (!dropped[i]) rest.push_back(sizes[i]);
        }
        chain.add(node, "Reshape", {{"target_shape", rest}});
        layout.clear();
        for (std::size_t i = 0; i <= rest.size(); ++i) layout.push_back(static_cast<int>(i));
        return;
    }
    std::vector<int> left;
    for (std::size_t i = 0; i < dropped.size(); ++i) {
        if (!dropped[i]) left.push_back(layout[i]);
    }
    layout = left;
}

void readUnsqueeze(ChainReader& chain, const NodeView& node) {
    const Ints axes = attributeOrInput(chain, node, "axes", 1);
    static_cast<void>(chain.kerasAxis(node, 0));
    std::vector<int>& layout = chain.layout();
    constexpr std::size_t kMostAxes = 6;
    if (axes.empty() || layout.size() + axes.size() > kMostAxes) chain.fail(node, "at most 6 axes", sizesText(axes));
    const auto rank = static_cast<std::int64_t>(layout.size() + axes.size());
    Ints sorted;
    for (std::int64_t axis : axes) sorted.push_back(axis < 0 ? axis + rank : axis);
    std::sort(sorted.begin(), sorted.end());
    for (std::int64_t axis : sorted) {
        if (axis < 1 || axis > static_cast<std::int64_t>(layout.size())) chain.fail(node, "axes behind the samples", sizesText(axes));
        layout.insert(layout.begin() + axis, ChainReader::kUnit);
    }
}

}  // namespace engine::exporter::onnx
