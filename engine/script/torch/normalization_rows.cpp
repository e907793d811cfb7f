// Normalizations, by functions of PyTorch where its modules differ from Keras' layers.
#include <set>

#include "engine/script/python_text.h"
#include "engine/script/torch/layer_rows.h"
#include "engine/script/torch/model_writer.h"

namespace engine::script::torch {
namespace {

using spec::Shape;

// The sizes of the last axes that are taken together.
Shape sizesOf(const Place& place) {
    const std::size_t count = std::max<std::size_t>(place.settings.getInts("axis").size(), 1);
    const Shape& input = place.info.input_shape;
    return Shape(input.end() - static_cast<std::ptrdiff_t>(std::min(count, input.size())), input.end());
}

// Gamma and beta as far as the layer has them: their names in a call, or None.
std::pair<std::string, std::string> declareScale(ModelWriter& writer, const Place& place, const Shape& sizes) {
    std::pair<std::string, std::string> names{"None", "None"};
    const auto declare = [&](const char* name, const char* start) {
        writer.declare("self." + place.name + "_" + name + " = nn.Parameter(torch." + start + "(" + pyTuple(sizes) + "))");
        writer.addVariable(place, name, place.name + "_" + name);
        return "self." + place.name + "_" + name;
    };
    if (place.settings.getBool("scale")) names.first = declare("gamma", "ones");
    if (place.settings.getBool("center")) names.second = declare("beta", "zeros");
    return names;
}

void writeBatch(ModelWriter& writer, const Place& place) {
    if (place.info.input_mask) return writer.refuse(place, "expected an input without a mask, got one with a mask");
    if (place.settings.getBool("synchronized")) {
        return writer.refuse(place, "expected synchronized=False (DistributedDataParallel takes each process' own statistics), got True");
    }
    writer.need("BatchNormalization");
    const bool frozen = !spec::isTrainable(place.layer);
    const std::string flags = std::string(place.settings.getBool("scale") ? "" : ", scale=False") +
                              (place.settings.getBool("center") ? "" : ", center=False") + (frozen ? ", frozen=True" : "");
    const auto rank = static_cast<std::int64_t>(place.info.input_shape.size()) + 1;
    const std::int64_t axis = (place.settings.getInt("axis") + rank) % rank;
    const bool is_last = axis == rank - 1;
    if (!is_last) writer.turn(Axes::kChannelsLast, place.info.input_shape.size());
    const std::int64_t channels = place.info.input_shape[static_cast<std::size_t>(axis - 1)];
    writer.declare("self." + place.name + " = BatchNormalization(" + std::to_string(channels) + ", " +
                   pyNumber(place.settings.getDouble("momentum")) + ", " + pyNumber(place.settings.getDouble("epsilon")) + flags + ")");
    writer.addVariable(place, "gamma", place.name + ".weight");
    writer.addVariable(place, "beta", place.name + ".bias");
    writer.addVariable(place, "moving_mean", place.name + ".moving_mean");
    writer.addVariable(place, "moving_variance", place.name + ".moving_variance");
    const bool first = writer.axes() == Axes::kChannelsFirst || place.info.input_shape.size() == 1 || axis == 1;
    const std::string channels_axis = is_last ? "-1" : std::to_string(axis);
    writer.say("x = self." + place.name + "(x" + (first ? ")" : ", channels=" + channels_axis + ")"));
}

void writeLayerNorm(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsLast, place.info.input_shape.size());
    const Shape sizes = sizesOf(place);
    const auto [gamma, beta] = declareScale(writer, place, sizes);
    writer.say("x = F.layer_norm(x, " + pyTuple(sizes) + ", " + gamma + ", " + beta + ", " + pyNumber(place.settings.getDouble("epsilon")) +
               ")");
}

void writeGroupNorm(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsFirst, place.info.input_shape.size());
    const std::int64_t channels = place.info.input_shape.back(), groups = place.settings.getInt("groups");
    const auto [gamma, beta] = declareScale(writer, place, {channels});
    writer.say("x = F.group_norm(x, " + std::to_string(groups == -1 ? channels : groups) + ", " + gamma + ", " + beta + ", " +
               pyNumber(place.settings.getDouble("epsilon")) + ")");
}

std::string lastAxes(std::size_t count) {
    Shape axes;
    for (std::size_t i = count; i > 0; --i) axes.push_back(-static_cast<std::int64_t>(i));
    return pyTuple(axes);
}

void writeRms(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsLast, place.info.input_shape.size());
    const Shape sizes = sizesOf(place);
    const std::string name = place.name + "_scale";
    writer.declare("self." + name + " = nn.Parameter(torch.ones(" + pyTuple(sizes) + "))");
    writer.addVariable(place, "scale", name);
    writer.say("x = x * torch.rsqrt(x.square().mean(" + lastAxes(sizes.size()) + ", keepdim=True) + " +
               pyNumber(place.settings.getDouble("epsilon")) + ") * self." + name);
}

void writeUnit(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsLast, place.info.input_shape.size());
    writer.say("x = x * torch.rsqrt(x.square().sum(" + lastAxes(sizesOf(place).size()) + ", keepdim=True).clamp(min=1e-12))");
}

void writeGiven(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsLast, place.info.input_shape.size());
    writer.need("Normalization");
    const auto rank = static_cast<std::int64_t>(place.info.input_shape.size()) + 1;
    Shape shape, sizes(static_cast<std::size_t>(rank), 1);  // of the axes that have both, and of all with 1 for the others
    std::set<std::size_t> kept;
    for (const std::int64_t axis : place.settings.getInts("axis")) {
        kept.insert(static_cast<std::size_t>((axis + rank) % rank));
    }
    for (const std::size_t axis : kept) {
        sizes[axis] = place.info.input_shape[axis - 1];
        shape.push_back(sizes[axis]);
    }
    const bool is_given = place.settings.find("mean") != nullptr;
    std::string more;
    for (const char* name : {"mean", "variance"}) {
        const std::vector<double> numbers = place.settings.getDoubles(name);
        if (is_given) more += std::string(", ") + name + "=" + (numbers.size() == 1 ? pyNumber(numbers.front()) : pyList(numbers));
        if (!is_given) writer.addVariable(place, name, place.name + "." + name);
    }
    if (place.settings.getBool("invert")) more += ", invert=True";
    writer.declare("self." + place.name + " = Normalization(" + pyTuple(shape) + ", " + pyTuple(sizes) + more + ")");
    writer.say("x = self." + place.name + "(x)");
    if (is_given) return;
    writer.addVariable(place, "count", place.name + ".count");
    writer.setAdapted(place.name);
}

void writeAutoContrast(ModelWriter& writer, const Place& place) {
    writer.need("auto_contrast");
    const std::vector<double> range = place.settings.getDoubles("value_range");
    const char* axes = writer.axes() == Axes::kChannelsFirst ? "(2, 3)" : "(1, 2)";
    writer.say("x = auto_contrast(x, " + pyNumber(range[0]) + ", " + pyNumber(range[1]) + ", " + axes + ")");
}

void writeTiles(ModelWriter& writer, const Place& place) {
    writer.need("equalize_tiles");
    const std::vector<double> range = place.settings.getDoubles("value_range");
    writer.say("x = equalize_tiles(x, " + pyNumber(range[0]) + ", " + pyNumber(range[1]) + ", " +
               pyNumber(place.settings.getDouble("clip_limit")) + ", " + pyTuple(place.settings.getInts("tile_grid_size")) + ", " +
               pyBool(writer.axes() == Axes::kChannelsFirst) + ")");
}

}  // namespace

std::vector<LayerRow> normalizationRows() {
    return {{"BatchNormalization", writeBatch},     {"LayerNormalization", writeLayerNorm},
            {"GroupNormalization", writeGroupNorm}, {"RMSNormalization", writeRms},
            {"UnitNormalization", writeUnit},       {"Normalization", writeGiven},
            {"AutoContrast", writeAutoContrast},    {"ContrastLimitedAdaptiveHistogramEqualization", writeTiles}};
}

}  // namespace engine::script::torch
