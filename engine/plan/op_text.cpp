#include "engine/plan/op_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/plan/optimizer.h"

namespace engine::plan {
namespace {

template <typename Attributes>
const Attributes& of(const Op& op) {
    return std::get<Attributes>(op.attributes);
}

// The parts that are not empty, with commas.
std::string joined(std::initializer_list<std::string> parts) {
    std::string text;
    for (const std::string& part : parts) {
        if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
    }
    return text;
}

std::string pairText(int a, int b) {
    return std::to_string(a) + "x" + std::to_string(b);
}

std::string numberText(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

std::string windowText(const Window2D& w) {
    if (w.is_adaptive) return pairText(w.kernel_h, w.kernel_w) + " at most, adaptive";
    std::string text = pairText(w.kernel_h, w.kernel_w) + "/" + pairText(w.stride_h, w.stride_w);
    if (w.dilation_h != 1 || w.dilation_w != 1) text += " dilation " + pairText(w.dilation_h, w.dilation_w);
    if (w.pad_top != 0 || w.pad_bottom != 0 || w.pad_left != 0 || w.pad_right != 0) {
        text += " pad " + std::to_string(w.pad_top) + "," + std::to_string(w.pad_bottom) + "," + std::to_string(w.pad_left) + "," +
                std::to_string(w.pad_right);
    }
    if (w.groups != 1) text += " groups " + std::to_string(w.groups);
    return text;
}

std::string axesText(const std::vector<int>& axes) {
    std::string text;
    for (const int axis : axes) text += " " + std::to_string(axis);
    return text;
}

std::string rangeText(const char* name, const RandomImage::Range& range) {
    if (range == RandomImage::Range{}) return {};
    return std::string(" ") + name + " " + numberText(range.from) + ".." + numberText(range.to);
}

// The name and the number; empty where the number is 0.
std::string namedNumber(const char* name, double value) {
    return value > 0 ? name + (" " + numberText(value)) : std::string();
}

}  // namespace

std::string gatherText(const Op& op) {
    return of<GatherAttributes>(op).whole_numbers ? "ids" : "";
}

std::string convolutionText(const Op& op) {
    return windowText(of<ConvolutionAttributes>(op).window);
}

std::string fusedConvolutionText(const Op& op) {
    const auto& block = of<ConvolutionAttributes>(op);
    return joined({windowText(block.window), std::string(toString(block.activation)), block.pool ? "pool " + windowText(*block.pool) : ""});
}

std::string poolingText(const Op& op) {
    return windowText(of<Window2D>(op));
}

std::string activationText(const Op& op) {
    const auto& [function, settings] = of<ActivationAttributes>(op);
    const ActivationSettings usual;
    std::string text;
    const auto add = [&text](const char* name, float value, float usually) {
        if (value != usually) text += (text.empty() ? "" : " ") + std::string(name) + " " + numberText(static_cast<double>(value));
    };
    add("slope", settings.slope, usual.slope);
    add("threshold", settings.threshold, usual.threshold);
    add("limit", settings.limit, usual.limit);
    add("alpha", settings.alpha, usual.alpha);
    add("scale", settings.scale, usual.scale);
    return joined({std::string(toString(function)), text});
}

std::string batchNormText(const Op& op) {
    const auto& norm = of<BatchNormAttributes>(op);
    return std::to_string(norm.channels) + " channels, epsilon " + numberText(norm.epsilon) + (norm.frozen ? ", frozen" : "") +
           (norm.synchronized ? ", synchronized" : "") + (norm.masked ? ", masked" : "");
}

std::string movingAverageText(const Op& op) {
    return "momentum " + numberText(of<BatchNormAttributes>(op).momentum);
}

std::string groupNormText(const Op& op) {
    const auto& norm = of<GroupNormAttributes>(op);
    const std::string sizes = std::to_string(norm.positions) + "x" + std::to_string(norm.groups) + "x" + std::to_string(norm.width);
    return joined({sizes, norm.subtracts_mean ? "" : "root mean square"});
}

std::string recurrentText(const Op& op) {
    const auto& a = of<RecurrentAttributes>(op);
    const bool is_simple = a.cell == RecurrentCell::kSimple;
    return joined({is_simple                        ? "simple"
                   : a.cell == RecurrentCell::kLstm ? "LSTM"
                                                    : "GRU",
                   std::string(toString(a.activation)), is_simple ? "" : std::string(toString(a.recurrent_activation)),
                   a.go_backwards ? "backwards" : "",
                   !a.masked                ? ""
                   : a.zero_output_for_mask ? "masked, zeros"
                                            : "masked",
                   a.window ? "window " + std::to_string((*a.window)[0]) + "x" + pairText((*a.window)[1], (*a.window)[2]) : "",
                   a.recurrent_dropout > 0 ? "state rate " + numberText(a.recurrent_dropout) : ""});
}

std::string attentionText(const Op& op) {
    const auto& a = of<AttentionAttributes>(op);
    return joined({std::to_string(a.heads) + (a.heads == 1 ? " head" : " heads"), a.causal ? "causal" : "", a.masked ? "masked" : ""});
}

std::string mergeText(const Op& op) {
    constexpr std::array<std::string_view, 4> kModes{"concat", "sum", "average", "multiply"};
    const auto& merge = of<MergeAttributes>(op);
    return std::string(kModes[static_cast<std::size_t>(merge.mode)]) + (merge.turned ? ", second turned" : "");
}

std::string maskText(const Op& op) {
    return "not " + numberText(static_cast<double>(of<MaskAttributes>(op).value));
}

std::string transposeText(const Op& op) {
    return "axes" + axesText(of<Permutation>(op).axes);
}

std::string padText(const Op& op) {
    const auto& p = of<Pads2D>(op);
    return "pad " + std::to_string(p.top) + "," + std::to_string(p.bottom) + "," + std::to_string(p.left) + "," + std::to_string(p.right);
}

std::string resizeText(const Op& op) {
    const auto& r = of<Resize2D>(op);
    return pairText(r.rows, r.columns) + (r.interpolation == Interpolation::kBilinear ? " bilinear" : " nearest");
}

std::string resampleText(const Op& op) {
    const auto& r = of<Resample2D>(op);
    return std::to_string(r.rows) + "x" + std::to_string(r.columns) + (r.is_drawn ? " up to " : " from ") + std::to_string(r.top) + "," +
           std::to_string(r.left) + (r.interpolation == Interpolation::kBilinear ? " bilinear" : " nearest");
}

std::string affineText(const Op& op) {
    return "scale " + numberText(of<Affine>(op).scale) + " offset " + numberText(of<Affine>(op).offset);
}

std::string standardizationText(const Op& op) {
    const auto& s = of<Standardization>(op);
    return joined({std::to_string(s.channels) + (s.channels == 1 ? " channel" : " channels"), s.inverts ? "inverted" : "",
                   s.keeps_origin ? "without the mean" : "", s.mean.empty() ? "" : "as given"});
}

std::string indexingText(const Op& op) {
    const auto& i = of<Indexing>(op);
    const std::string more = i.hash ? "hashed" : i.others == 0 ? "no others" : "";
    if (op.inputs.size() > 1) return joined({op.inputs.size() == 2 ? "taken boundaries" : "taken values", more});
    return joined({std::to_string(i.values.size()) + (i.places.empty() ? " boundaries" : " values"), more});
}

std::string encodingText(const Op& op) {
    const auto& e = of<Encoding>(op);
    return joined({"depth " + std::to_string(e.depth), e.ids == 1 ? "" : std::to_string(e.ids) + " ids", e.counts ? "counts" : "",
                   op.inputs.size() > 1 ? "weighted" : ""});
}

std::string randomImageText(const Op& op) {
    const auto& r = of<RandomImage>(op);
    std::string text = r.interpolation == Interpolation::kBilinear ? "bilinear" : "nearest";
    if (r.flips_rows) text += " flips rows";
    if (r.flips_columns) text += " flips columns";
    return text + rangeText("turn", r.turn) + rangeText("zoom rows", r.zoom_rows) + rangeText("zoom columns", r.zoom_columns) +
           rangeText("shift rows", r.shift_rows) + rangeText("shift columns", r.shift_columns) + rangeText("shear rows", r.shear_rows) +
           rangeText("shear columns", r.shear_columns) + rangeText("corners", {-r.corners, r.corners});
}

std::string randomColorsText(const Op& op) {
    using Map = RandomColors::Map;
    constexpr std::pair<Map, const char*> kMaps[] = {{Map::kBrightness, "brightness"},
                                                     {Map::kContrast, "contrast"},
                                                     {Map::kGray, "gray"},
                                                     {Map::kSaturation, "saturation"},
                                                     {Map::kHue, "hue"},
                                                     {Map::kInversion, "inversion"},
                                                     {Map::kSolarization, "solarization"},
                                                     {Map::kPosterization, "posterization"}};
    const auto& c = of<RandomColors>(op);
    const auto* named = std::find_if(std::begin(kMaps), std::end(kMaps), [&](const auto& row) { return row.first == c.map; });
    const std::string chance = c.chance == RandomRange{1, 1} ? std::string() : rangeText("chance", c.chance);
    return named->second + rangeText("amount", c.amount) + rangeText("threshold", c.threshold) + chance;
}

std::string randomErasingText(const Op& op) {
    const auto& e = of<RandomErasing>(op);
    return (e.is_noise ? "noise" : "colour") + rangeText("area", e.area) + rangeText("chance", e.chance);
}

std::string randomBlurText(const Op& op) {
    const auto& b = of<RandomBlur>(op);
    const std::string deviation = b.is_gaussian ? rangeText("deviation", b.deviation) : std::string();
    return pairText(b.kernel_h, b.kernel_w) + deviation + rangeText("amount", b.amount) + rangeText("chance", b.chance);
}

std::string randomElasticText(const Op& op) {
    const auto& e = of<RandomElastic>(op);
    return (e.interpolation == Interpolation::kBilinear ? "bilinear" : "nearest") + rangeText("scale", e.scale) +
           rangeText("chance", e.chance);
}

std::string imageLevelsText(const Op& op) {
    const auto& levels = of<ImageLevels>(op);
    if (levels.map == ImageLevels::Map::kAdaptive) {
        return "tiles " + pairText(levels.tiles_h, levels.tiles_w) + (levels.limit > 0 ? ", limit " + numberText(levels.limit) : "");
    }
    return levels.map == ImageLevels::Map::kStretch ? "stretch" : "equalization, bins " + std::to_string(levels.bins);
}

std::string randomMixText(const Op& op) {
    const auto& mix = of<RandomMix>(op);
    return "alpha " + numberText(mix.alpha) + rangeText("held", {mix.low, mix.high});
}

std::string spectrumText(const Op& op) {
    static constexpr const char* kNumbers[] = {"logarithm", "magnitude", "power", "angle"};
    return kNumbers[static_cast<std::size_t>(of<Spectrum>(op).number)];
}

std::string melSpectrogramText(const Op& op) {
    const auto& mel = of<MelSpectrogram>(op);
    return joined({"frames of " + std::to_string(mel.length) + "/" + std::to_string(mel.stride), std::to_string(mel.bands) + " bands",
                   mel.decibels ? "decibels" : ""});
}

std::string hashingText(const Op& op) {
    const auto& hashing = of<Hashing>(op);
    return joined({"bins " + std::to_string(hashing.bins), hashing.mask ? "mask " + std::to_string(*hashing.mask) : std::string(),
                   hashing.key ? "salted" : ""});
}

std::string spectralNormText(const Op& op) {
    return "iterations " + std::to_string(of<SpectralNormAttributes>(op).iterations);
}

std::string dropoutText(const Op& op) {
    return "rate " + numberText(of<DropoutAttributes>(op).rate);
}

std::string gaussianNoiseText(const Op& op) {
    const auto& noise = of<GaussianNoiseAttributes>(op);
    return joined({noise.multiplies ? "times" : "plus", "deviation " + numberText(noise.deviation)});
}

std::string crossEntropyText(const Op& op) {
    return of<CrossEntropyAttributes>(op).from_logits ? "logits" : "probabilities";
}

std::string lossText(const Op& op) {
    const auto& loss = of<LossAttributes>(op);
    return joined({std::string(toString(loss.kind)), std::string(toString(loss.reduction)), loss.from_logits ? "logits" : ""});
}

std::string metricText(const Op& op) {
    return std::string(toString(of<MetricAttributes>(op).kind));
}

std::string penaltyText(const Op& op) {
    const Penalty& penalty = of<PenaltyAttributes>(op).penalties.front();
    const char* const vectors = penalty.vectors == PenalisedVectors::kRows ? "orthogonal rows" : "orthogonal columns";
    return joined({namedNumber("l1", penalty.l1), namedNumber("l2", penalty.l2), namedNumber(vectors, penalty.orthogonal)});
}

std::string lossScaleText(const Op& op) {
    const auto& scaling = of<LossScaleAttributes>(op);
    return "from " + numberText(scaling.initial_scale) + ", doubled after " + std::to_string(scaling.growth_steps) + " steps";
}

std::string preparationText(const Op& op) {
    const UpdateRule rule = updateRule(of<OptimizerAttributes>(op).optimizer);
    const auto steps = static_cast<double>(rule.accumulation_steps);
    return joined({rule.accumulation_steps > 1 ? namedNumber("mean of steps", steps) : "", namedNumber("clipnorm", rule.clip_norm),
                   namedNumber("global_clipnorm", rule.global_clip_norm), namedNumber("clipvalue", rule.clip_value)});
}

std::string constraintText(const Op& op) {
    const auto& c = of<ConstraintAttributes>(op);
    if (c.kind == ConstraintKind::kNonNeg) return "not negative";
    std::string text = c.kind == ConstraintKind::kUnitNorm  ? "norm 1"
                       : c.kind == ConstraintKind::kMaxNorm ? "norm at most " + numberText(c.maximum)
                                                            : "norm from " + numberText(c.minimum) + " to " + numberText(c.maximum);
    if (c.rate != 1) text += ", rate " + numberText(c.rate);
    return text + ", along" + axesText(c.axes);
}

std::string routeText(const Op& op) {
    const auto* route = std::get_if<spec::ReduceRoute>(&op.attributes);
    return route == nullptr ? "" : spec::toString(*route);
}

std::string readText(const Op& op) {
    return "from " + std::to_string(of<spec::ReduceRoute>(op).main);
}

}  // namespace engine::plan
