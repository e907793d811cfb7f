#include "engine/spec/catalog/layers/axis_order.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/catalog/settings.h"

namespace engine::spec {
namespace {

using layers::LayerDefinition;

// The axes of a sample of that rank with some of them, which rise, behind the others; empty where they lie there already.
std::vector<int> withLast(std::size_t rank, const std::vector<int>& last) {
    std::vector<int> order;
    for (int axis = 0; axis < static_cast<int>(rank); ++axis) {
        if (std::find(last.begin(), last.end(), axis) == last.end()) order.push_back(axis);
    }
    order.insert(order.end(), last.begin(), last.end());
    if (std::is_sorted(order.begin(), order.end())) order.clear();
    return order;
}

std::vector<int> inverse(const std::vector<int>& order) {
    std::vector<int> back(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) back[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    return back;
}

bool hasChannelsFirst(const LayerSpec& layer) {
    const FieldValue* format = layer.config.find("data_format");
    return format != nullptr && *format == FieldValue(std::string("channels_first"));
}

// The axes that the field names, from 0 without the batch, rising; none where one of them can't be, which the layer's rule tells.
std::vector<int> namedAxes(const LayerSpec& layer, std::size_t rank) {
    std::vector<int> axes;
    const auto count = static_cast<std::int64_t>(rank) + 1;
    for (const std::int64_t asked : settingsOf(layer).getInts("axis")) {
        const std::int64_t axis = asked < 0 ? asked + count : asked;
        if (axis < 1 || axis >= count) return {};
        axes.push_back(static_cast<int>(axis) - 1);
    }
    std::sort(axes.begin(), axes.end());
    if (std::adjacent_find(axes.begin(), axes.end()) != axes.end()) return {};
    return axes;
}

std::vector<int> orderOfInput(const LayerDefinition& definition, const LayerSpec& layer, std::size_t rank) {
    if (definition.takes_named_axes) return withLast(rank, namedAxes(layer, rank));
    if (!hasChannelsFirst(layer) || rank < 2) return {};
    const int channels = definition.axes_before_channels;
    return channels < static_cast<int>(rank) ? withLast(rank, {channels}) : std::vector<int>{};
}

// A layer whose output has no more than one axis leaves the channels there alone.
std::vector<int> orderOfOutput(const LayerDefinition& definition, const LayerSpec& layer, std::size_t rank, std::size_t output_rank) {
    if (definition.takes_named_axes) return inverse(orderOfInput(definition, layer, rank));
    if (!hasChannelsFirst(layer) || output_rank < 2) return {};
    const int in_front = definition.axes_before_channels;
    const int gone = in_front > 0 ? static_cast<int>(rank) - static_cast<int>(output_rank) : 0;  // the times, of which the last one is kept
    return inverse(withLast(output_rank, {in_front - gone}));
}

}  // namespace

AxisOrder axisOrderOf(const LayerSpec& layer, std::size_t rank, std::size_t output_rank) {
    const LayerDefinition* definition = layers::findLayerDefinition(layer.class_name);
    if (definition == nullptr) return {};
    return {orderOfInput(*definition, layer, rank), orderOfOutput(*definition, layer, rank, output_rank)};
}

Shape inOrder(const Shape& shape, const std::vector<int>& order) {
    if (order.empty()) return shape;
    Shape turned;
    for (const int axis : order) turned.push_back(shape[static_cast<std::size_t>(axis)]);
    return turned;
}

namespace layers {

std::optional<ShapeFault> inferInOrder(const LayerDefinition& definition, const LayerSpec& layer, LayerInfo& info) {
    static constexpr std::array<std::string_view, 3> kAlongLastAxis{"softmax", "log_softmax", "sparsemax"};
    if (hasChannelsFirst(layer)) {
        const std::string activation = layer.config.getString("activation", "linear");
        if (std::find(kAlongLastAxis.begin(), kAlongLastAxis.end(), activation) != kAlongLastAxis.end()) {
            return ShapeFault{"activation",
                              "expected a function of each value by itself with data_format channels_first, got " + activation};
        }
    }
    const Shape input = info.input_shape;
    info.input_shape = inOrder(input, orderOfInput(definition, layer, input.size()));
    std::optional<ShapeFault> fault = definition.infer(layer, info);
    info.input_shape = input;
    if (!fault) {
        info.output_shape = inOrder(info.output_shape, orderOfOutput(definition, layer, input.size(), info.output_shape.size()));
    }
    return fault;
}

}  // namespace layers
}  // namespace engine::spec
