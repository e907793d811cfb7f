// Layers of colours: training changes every image by numbers of its own; otherwise the identity, without an op.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

using Map = RandomColors::Map;

// Two numbers in any order, or one number f for what lies between `least`, or -f where that is more, and f.
RandomRange readRange(const spec::Settings& settings, const std::string& field, double least) {
    const std::vector<double> values = settings.getDoubles(field);
    if (values.size() == 1) return {std::max(-std::abs(values[0]), least), std::abs(values[0])};
    return {std::min(values[0], values[1]), std::max(values[0], values[1])};
}

RandomColors readColors(const spec::Settings& settings, Map map) {
    RandomColors colors{.map = map};
    const std::vector<double> range = settings.getDoubles("value_range");
    colors.low = range[0];
    colors.high = range[1];
    return colors;
}

// `purpose` tells the parts of one layer apart.
TensorId lowerColors(LayerBuilder& builder, TensorId x, RandomColors colors, int purpose = 0) {
    if (!builder.training()) return x;
    constexpr int kPurposeBit = 40;
    colors.seed = randomSeed(builder) + (std::int64_t{purpose} << kPurposeBit);
    const TensorId y = builder.activation(purpose == 0 ? "colors" : "colors_" + std::to_string(purpose), builder.shape(x));
    builder.emit({.kind = OpKind::kRandomColors, .inputs = {x}, .outputs = {y}, .attributes = colors});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kRandomColorsBack, .inputs = {dy, x}, .outputs = {dx}, .attributes = colors});
        return dx;
    });
    return y;
}

RandomColors readBrightness(const spec::Settings& settings, const std::string& field) {
    RandomColors colors = readColors(settings, Map::kBrightness);
    const RandomRange parts = readRange(settings, field, -1);
    colors.amount = {parts.from * (colors.high - colors.low), parts.to * (colors.high - colors.low)};
    return colors;
}

RandomColors readContrast(const spec::Settings& settings, const std::string& field) {
    RandomColors colors = readColors(settings, Map::kContrast);
    const RandomRange parts = readRange(settings, field, 0);
    colors.amount = {1 - parts.from, 1 + parts.to};
    return colors;
}

RandomColors readSaturation(const spec::Settings& settings, const std::string& field) {
    RandomColors colors = readColors(settings, Map::kSaturation);
    colors.amount = readRange(settings, field, -1);
    return colors;
}

RandomColors readHue(const spec::Settings& settings, const std::string& field) {
    RandomColors colors = readColors(settings, Map::kHue);
    colors.amount = readRange(settings, field, 0);
    return colors;
}

template <RandomColors (*read)(const spec::Settings&, const std::string&)>
TensorId lowerByFactor(LayerBuilder& builder, TensorId x) {
    return lowerColors(builder, x, read(builder.settings(), "factor"));
}

TensorId lowerJitter(LayerBuilder& builder, TensorId x) {
    static constexpr std::pair<const char*, RandomColors (*)(const spec::Settings&, const std::string&)> kParts[] = {
        {"brightness_factor", readBrightness},
        {"contrast_factor", readContrast},
        {"saturation_factor", readSaturation},
        {"hue_factor", readHue}};
    const spec::Settings settings = builder.settings();
    for (std::size_t i = 0; i < std::size(kParts); ++i) {
        const auto& [field, read] = kParts[i];
        if (!settings.getDoubles(field).empty()) x = lowerColors(builder, x, read(settings, field), static_cast<int>(i));
    }
    return x;
}

TensorId lowerGrayscale(LayerBuilder& builder, TensorId x) {
    if (builder.shape(x).back() == 1) return x;
    const double share = builder.settings().getDouble("factor"), all = std::numeric_limits<double>::infinity();
    return lowerColors(builder, x, {.map = Map::kGray, .amount = {1, 1}, .chance = {share, share}, .low = -all, .high = all});
}

// One channel is gray as it is, and held within the range alone.
TensorId lowerDegeneration(LayerBuilder& builder, TensorId x) {
    if (builder.shape(x).back() == 1) return lowerColors(builder, x, readColors(builder.settings(), Map::kBrightness));
    RandomColors colors = readColors(builder.settings(), Map::kGray);
    colors.amount = readRange(builder.settings(), "factor", -1);
    return lowerColors(builder, x, colors);
}

TensorId lowerInvert(LayerBuilder& builder, TensorId x) {
    RandomColors colors = readColors(builder.settings(), Map::kInversion);
    colors.chance = readRange(builder.settings(), "factor", 0);
    return lowerColors(builder, x, colors);
}

TensorId lowerSolarization(LayerBuilder& builder, TensorId x) {
    RandomColors colors = readColors(builder.settings(), Map::kSolarization);
    // Keras takes the range's end alone as a part of 255.
    const auto ofBytes = [&](const char* field) {
        const RandomRange parts = readRange(builder.settings(), field, 0);
        return RandomRange{parts.from, parts.to * 255};
    };
    colors.amount = ofBytes("addition_factor");
    colors.threshold = ofBytes("threshold_factor");
    return lowerColors(builder, x, colors);
}

TensorId lowerPosterization(LayerBuilder& builder, TensorId x) {
    RandomColors colors = readColors(builder.settings(), Map::kPosterization);
    const std::vector<std::int64_t> bits = builder.settings().getInts("factor");
    const std::int64_t first = bits.size() == 1 ? 1 : std::min(bits[0], bits[1]);
    colors.amount = {static_cast<double>(first), static_cast<double>(std::max(bits.front(), bits.back()))};
    return lowerColors(builder, x, colors);
}

}  // namespace

std::span<const LayerRow> randomColorRows() {
    static constexpr LayerRow kRows[] = {
        {"RandomBrightness", lowerByFactor<readBrightness>},
        {"RandomContrast", lowerByFactor<readContrast>},
        {"RandomSaturation", lowerByFactor<readSaturation>},
        {"RandomHue", lowerByFactor<readHue>},
        {"RandomGrayscale", lowerGrayscale},
        {"RandomColorDegeneration", lowerDegeneration},
        {"RandomInvert", lowerInvert},
        {"Solarization", lowerSolarization},
        {"RandomPosterization", lowerPosterization},
        {"RandomColorJitter", lowerJitter},
    };
    return kRows;
}

}  // namespace engine::plan
