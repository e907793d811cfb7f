// Some of the values, or some of them several times: zeros around an image, rows taken away or repeated, rows of a table.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "engine/export/onnx/chain_operators.h"

namespace engine::exporter::onnx {
namespace {

// True when the node takes, of all times of the recurrent layer before, the one at `index` alone and that is the last.
bool readsLastTime(ChainReader& chain, const NodeView& node, std::int64_t axis, std::int64_t index) {
    const spec::LayerSpec* last = chain.lastLayer();
    return chain.rank() == 3 && chain.kerasAxis(node, axis) == 1 && last != nullptr && last->config.getBool("return_sequences", false) &&
           !last->config.getBool("go_backwards", false) && (index == -1 || index == chain.shape().front() - 1);
}

}  // namespace

// A row, several times: RepeatVector.
void readTile(ChainReader& chain, const NodeView& node) {
    const auto times = chain.constants().integers(node, node.input(1));
    static_cast<void>(chain.kerasAxis(node, 0));
    const std::vector<int> row{0, ChainReader::kUnit, 1};
    if (!times || chain.layout() != row || times->size() != 3 || (*times)[0] != 1 || (*times)[2] != 1) {
        chain.fail(node, "one row several times", times ? sizesText(*times) : node.input(1));
    }
    chain.add(node, "RepeatVector", {{"n", (*times)[1]}});
    chain.layout() = {0, 1, 2};
}

void readPad(ChainReader& chain, const NodeView& node) {
    if (node.text("mode", "constant") != "constant") chain.fail(node, "zeros around the image", node.text("mode", "constant"));
    if (numberOrInput(chain, node, "value", 2, 0) != 0) chain.fail(node, "zeros around the image", "other values");
    checkImage(chain, node);
    const Ints pads = attributeOrInput(chain, node, "pads", 1);
    const std::size_t rank = chain.rank();
    if (pads.size() != 2 * rank || !node.input(3).empty()) chain.fail(node, "pads of all axes", sizesText(pads));
    // Whichever of the axes behind the samples' has none is the channels'.
    const bool channels_first = pads[1] == 0 && pads[rank + 1] == 0;
    if (channels_first) {
        chain.wantChannelsFirst(node);
    } else {
        chain.wantKerasOrder(node);
    }
    const std::size_t first = channels_first ? 2 : 1, channels = channels_first ? 1 : rank - 1;
    if (pads[0] != 0 || pads[rank] != 0 || pads[channels] != 0 || pads[rank + channels] != 0) {
        chain.fail(node, "pads of rows and columns", sizesText(pads));
    }
    if (rank == 3) return chain.add(node, "ZeroPadding1D", {{"padding", Ints{pads[first], pads[rank + first]}}});
    chain.add(node, "ZeroPadding2D", {{"padding", Ints{pads[first], pads[rank + first], pads[first + 1], pads[rank + first + 1]}}});
}

// The times backwards, or rows and columns taken away.
void readSlice(ChainReader& chain, const NodeView& node) {
    const Ints starts = attributeOrInput(chain, node, "starts", 1), ends = attributeOrInput(chain, node, "ends", 2);
    Ints axes = attributeOrInput(chain, node, "axes", 3), steps = attributeOrInput(chain, node, "steps", 4);
    for (std::size_t i = axes.size(); i < starts.size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
    steps.resize(axes.size(), 1);
    if (starts.empty() || starts.size() != ends.size() || axes.size() != starts.size())
        chain.fail(node, "a start and an end an axis", sizesText(starts));
    if (steps == Ints{-1} && starts == Ints{-1} && chain.kerasAxis(node, axes[0]) == 1 && chain.rank() == 3) {
        chain.is_turned = !chain.is_turned;
        return;
    }
    if (steps != Ints(steps.size(), 1)) chain.fail(node, "steps of 1", sizesText(steps));
    if (axes.size() == 1 && readsLastTime(chain, node, axes[0], starts[0]) && (ends[0] >= chain.shape().front() || ends[0] == 0)) {
        const std::size_t axis = chain.axisOf(node, axes[0]);
        chain.lastLayer()->config.erase("return_sequences");
        chain.dropTimes(axis);
        chain.layout().insert(chain.layout().begin() + static_cast<std::ptrdiff_t>(axis), ChainReader::kUnit);
        return;
    }
    checkImage(chain, node);
    static_cast<void>(chain.kerasAxis(node, 0));
    const Ints sizes = chain.sizes();
    Ints cropped(2 * chain.shape().size());  // by Keras' axes
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::size_t axis = chain.axisOf(node, axes[i]);
        const std::int64_t size = sizes[axis];
        const auto within = [size](std::int64_t n) { return std::clamp<std::int64_t>(n < 0 ? std::max(n, -size) + size : n, 0, size); };
        const int keras = chain.layout()[axis];
        if (keras <= 0 || keras == static_cast<int>(chain.shape().size())) {
            if (keras > 0 && within(starts[i]) == 0 && within(ends[i]) == size) continue;
            chain.fail(node, "rows and columns taken away", "axis " + std::to_string(axes[i]));
        }
        cropped[2 * static_cast<std::size_t>(keras) - 2] = within(starts[i]);
        cropped[2 * static_cast<std::size_t>(keras) - 1] = size - within(ends[i]);
    }
    cropped.resize(cropped.size() - 2);
    if (std::all_of(cropped.begin(), cropped.end(), [](std::int64_t n) { return n == 0; })) return;
    chain.add(node, cropped.size() == 4 ? "Cropping2D" : "Cropping1D", {{"cropping", cropped}});
}

void readResize(ChainReader& chain, const NodeView& node) {
    checkImage(chain, node);
    chain.wantChannelsFirst(node);
    const int input = node.op() == "Upsample" ? 1 : 2;
    Ints factors;
    if (!node.input(input).empty()) {
        for (float scale : chain.weight(node, input).values) factors.push_back(std::llround(scale) == scale ? std::llround(scale) : 0);
    }
    if (factors.empty() && !node.input(3).empty()) {  // sizes
        const auto sizes = chain.constants().integers(node, node.input(3));
        const Ints before = chain.sizes();
        for (std::size_t i = 0; sizes && i < sizes->size() && i < before.size(); ++i) {
            factors.push_back(i == 0 ? 1 : (*sizes)[i] % before[i] == 0 ? (*sizes)[i] / before[i] : 0);
        }
    }
    if (factors.size() != chain.rank() || factors[0] != 1 || factors[1] != 1 || *std::min_element(factors.begin(), factors.end()) < 1) {
        chain.fail(node, "rows and columns a whole number of times", sizesText(factors));
    }
    const std::string mode = node.text("mode", "nearest"), places = node.text("coordinate_transformation_mode", "half_pixel");
    const bool is_linear = mode == "linear" && places == "half_pixel" && chain.rank() == 4;
    const bool is_nearest = mode == "nearest" && (node.op() == "Upsample" ||
                                                  (places == "asymmetric" && node.text("nearest_mode", "round_prefer_floor") == "floor") ||
                                                  places == "half_pixel");
    if (!is_linear && !is_nearest) chain.fail(node, "nearest cells or half_pixel linear ones", mode + ", " + places);
    if (chain.rank() == 3) return chain.add(node, "UpSampling1D", {{"size", factors[2]}});
    spec::Fields config{{"size", Ints{factors[2], factors[3]}}};
    if (is_linear) config.set("interpolation", std::string("bilinear"));
    chain.add(node, "UpSampling2D", std::move(config));
}

// Rows of a table by the chain's ids; or the last time of a recurrent layer.
void readGather(ChainReader& chain, const NodeView& node) {
    if (chain.constants().has(node.input(0))) {
        const FloatTensor table = chain.weight(node, 0);
        if (table.shape.size() != 2 || node.integer("axis", 0) != 0)
            chain.fail(node, "rows of a table of two axes", sizesText(table.shape));
        chain.wantKerasOrder(node);
        chain.add(node, "Embedding", {{"input_dim", table.shape[0]}, {"output_dim", table.shape[1]}}, {{"embeddings", table}});
        chain.layout().push_back(static_cast<int>(chain.shape().size()));
        return;
    }
    const auto index = chain.constants().integers(node, node.input(1));
    const std::int64_t axis = node.integer("axis", 0);
    if (!index || index->size() != 1 || !readsLastTime(chain, node, axis, index->front())) {
        chain.fail(node, "rows of a table, or the last time of a recurrent layer", "others");
    }
    chain.lastLayer()->config.erase("return_sequences");
    chain.dropTimes(chain.axisOf(node, axis));
}

}  // namespace engine::exporter::onnx
