#include "engine/plan/op_table.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <type_traits>
#include <utility>
#include <variant>

#include "engine/plan/optimizer.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

// --- What a printed plan says of attributes ---

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

std::string axesText(const std::vector<int>& axes) {
    std::string text;
    for (const int axis : axes) text += " " + std::to_string(axis);
    return text;
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

std::string rangeText(const char* name, const RandomImage::Range& range) {
    if (range == RandomImage::Range{}) return {};
    return std::string(" ") + name + " " + numberText(range.from) + ".." + numberText(range.to);
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

// The name and the number; empty where the number is 0.
std::string namedNumber(const char* name, double value) {
    return value > 0 ? name + (" " + numberText(value)) : std::string();
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

// --- Work ---

const TensorDesc& tensorOf(const Plan& plan, TensorId id) {
    return plan.tensors[static_cast<std::size_t>(id)];
}

// The work of one product: output, input gradient and kernel gradient take the same.
std::int64_t convolutionWork(const Plan& plan, const Op& op, TensorId input, TensorId kernel) {
    const spec::Shape y = windowOutput(tensorOf(plan, input).shape, of<ConvolutionAttributes>(op).window, 1);
    return y[0] * y[1] * y[2] * elementCount(tensorOf(plan, kernel));
}

std::int64_t matrixWork(const Plan& plan, TensorId x, TensorId y) {
    return elementCount(tensorOf(plan, x)) * tensorOf(plan, y).shape.back();
}

// Every time's state by the recurrent kernel.
std::int64_t recurrentWork(const Plan& plan, TensorId products, TensorId kernel) {
    const TensorDesc& u = tensorOf(plan, kernel);
    return elementCount(tensorOf(plan, products)) * (elementCount(u) / u.shape.back());
}

// Every query with every key, or every weight with every value: `x` has (N, T, heads * size).
std::int64_t attentionWork(const Plan& plan, TensorId x) {
    const spec::Shape& shape = tensorOf(plan, x).shape;
    return shape[0] * shape[1] * shape[1] * shape[2];
}

// A fused way back makes the weight's gradient, and the input's where there is a third output.
std::int64_t productsOf(const Op& op) {
    return op.outputs.size() > 2 ? 2 : 1;
}

// --- The table ---

template <typename Attributes, std::size_t kIndex = 0>
constexpr std::size_t indexOf() {
    if constexpr (std::is_same_v<std::variant_alternative_t<kIndex, OpAttributes>, Attributes>) {
        return kIndex;
    } else {
        return indexOf<Attributes, kIndex + 1>();
    }
}

constexpr std::size_t kConvolution = indexOf<ConvolutionAttributes>(), kPool = indexOf<Window2D>(),
                      kActivation = indexOf<ActivationAttributes>(), kBatchNorm = indexOf<BatchNormAttributes>(),
                      kGroupNorm = indexOf<GroupNormAttributes>(), kRecurrent = indexOf<RecurrentAttributes>(),
                      kAttention = indexOf<AttentionAttributes>(), kMerge = indexOf<MergeAttributes>(), kResize = indexOf<Resize2D>(),
                      kResample = indexOf<Resample2D>(), kRandomImage = indexOf<RandomImage>(), kRandomColors = indexOf<RandomColors>(),
                      kDropout = indexOf<DropoutAttributes>(), kPenalty = indexOf<PenaltyAttributes>(),
                      kOptimizer = indexOf<OptimizerAttributes>(), kRoute = indexOf<spec::ReduceRoute>();

constexpr OpRow kTable[] = {
    {.kind = OpKind::kGather, .name = "Gather", .family = OpFamily::kGather, .attributes = indexOf<GatherAttributes>(), .text = gatherText},
    {.kind = OpKind::kConv2D,
     .name = "Conv2D",
     .family = OpFamily::kConvolution,
     .attributes = kConvolution,
     .text = convolutionText,
     .work = [](const Plan& plan, const Op& op) { return convolutionWork(plan, op, op.inputs[0], op.inputs[1]); },
     .takes_low_variables = true},
    {.kind = OpKind::kConv2DBackInput,
     .name = "Conv2DBackInput",
     .family = OpFamily::kConvolutionBack,
     .attributes = kConvolution,
     .text = convolutionText,
     .work = [](const Plan& plan, const Op& op) { return convolutionWork(plan, op, op.outputs[0], op.inputs[1]); },
     .takes_low_variables = true},
    {.kind = OpKind::kConv2DBackKernel,
     .name = "Conv2DBackKernel",
     .family = OpFamily::kConvolutionBack,
     .attributes = kConvolution,
     .text = convolutionText,
     .work = [](const Plan& plan, const Op& op) { return convolutionWork(plan, op, op.inputs[0], op.outputs[0]); },
     .absorbs_update = true},
    {.kind = OpKind::kMatMul,
     .name = "MatMul",
     .family = OpFamily::kDense,
     .work = [](const Plan& plan, const Op& op) { return matrixWork(plan, op.inputs[0], op.outputs[0]); },
     .takes_low_variables = true},
    {.kind = OpKind::kMatMulBackInput,
     .name = "MatMulBackInput",
     .family = OpFamily::kDenseBack,
     .work = [](const Plan& plan, const Op& op) { return matrixWork(plan, op.outputs[0], op.inputs[0]); },
     .takes_low_variables = true},
    {.kind = OpKind::kMatMulBackWeight,
     .name = "MatMulBackWeight",
     .family = OpFamily::kDenseBack,
     .work = [](const Plan& plan, const Op& op) { return matrixWork(plan, op.inputs[0], op.inputs[1]); },
     .absorbs_update = true},
    {.kind = OpKind::kBiasAdd, .name = "BiasAdd", .family = OpFamily::kBias, .takes_low_variables = true},
    {.kind = OpKind::kBiasAddBack, .name = "BiasAddBack", .family = OpFamily::kBias},
    {.kind = OpKind::kActivation, .name = "Activation", .family = OpFamily::kActivation, .attributes = kActivation, .text = activationText},
    {.kind = OpKind::kActivationBack,
     .name = "ActivationBack",
     .family = OpFamily::kActivation,
     .attributes = kActivation,
     .text = activationText},
    {.kind = OpKind::kPrelu, .name = "Prelu", .family = OpFamily::kPrelu, .takes_low_variables = true},
    {.kind = OpKind::kPreluBack, .name = "PreluBack", .family = OpFamily::kPrelu, .takes_low_variables = true},
    {.kind = OpKind::kBatchNorm, .name = "BatchNorm", .family = OpFamily::kBatchNorm, .attributes = kBatchNorm, .text = batchNormText},
    {.kind = OpKind::kBatchNormBack,
     .name = "BatchNormBack",
     .family = OpFamily::kBatchNorm,
     .attributes = kBatchNorm,
     .text = batchNormText},
    {.kind = OpKind::kBatchSums,
     .name = "BatchSums",
     .family = OpFamily::kBatchNorm,
     .attributes = kBatchNorm,
     .text = batchNormText,
     .sums_within_step = true},
    {.kind = OpKind::kBatchBackSums,
     .name = "BatchBackSums",
     .family = OpFamily::kBatchNorm,
     .attributes = kBatchNorm,
     .text = batchNormText,
     .sums_within_step = true},
    {.kind = OpKind::kMovingAverage,
     .name = "MovingAverage",
     .family = OpFamily::kBatchNorm,
     .attributes = kBatchNorm,
     .text = movingAverageText},
    {.kind = OpKind::kGroupNorm, .name = "GroupNorm", .family = OpFamily::kGroupNorm, .attributes = kGroupNorm, .text = groupNormText},
    {.kind = OpKind::kGroupNormBack,
     .name = "GroupNormBack",
     .family = OpFamily::kGroupNorm,
     .attributes = kGroupNorm,
     .text = groupNormText},
    {.kind = OpKind::kUnitNorm, .name = "UnitNorm", .family = OpFamily::kGroupNorm, .attributes = kGroupNorm, .text = groupNormText},
    {.kind = OpKind::kUnitNormBack,
     .name = "UnitNormBack",
     .family = OpFamily::kGroupNorm,
     .attributes = kGroupNorm,
     .text = groupNormText},
    {.kind = OpKind::kSpectralNorm,
     .name = "SpectralNorm",
     .family = OpFamily::kSpectralNorm,
     .attributes = indexOf<SpectralNormAttributes>(),
     .text = spectralNormText},
    {.kind = OpKind::kIndex,
     .name = "Index",
     .family = OpFamily::kIds,
     .attributes = indexOf<Indexing>(),
     .text = indexingText,
     .stays_float32 = true},
    {.kind = OpKind::kHash,
     .name = "Hash",
     .family = OpFamily::kIds,
     .attributes = indexOf<Hashing>(),
     .text = hashingText,
     .stays_float32 = true},
    {.kind = OpKind::kEncode,
     .name = "Encode",
     .family = OpFamily::kIds,
     .attributes = indexOf<Encoding>(),
     .text = encodingText,
     .stays_float32 = true},
    {.kind = OpKind::kEmbedding, .name = "Embedding", .family = OpFamily::kEmbedding, .keeps_first_input = true},
    {.kind = OpKind::kEmbeddingBack, .name = "EmbeddingBack", .family = OpFamily::kEmbedding, .keeps_first_input = true},
    {.kind = OpKind::kRecurrent,
     .name = "Recurrent",
     .family = OpFamily::kRecurrent,
     .attributes = kRecurrent,
     .text = recurrentText,
     .work = [](const Plan& plan, const Op& op) { return recurrentWork(plan, op.inputs[0], op.inputs[1]); },
     .stays_float32 = true},
    {.kind = OpKind::kRecurrentBack,
     .name = "RecurrentBack",
     .family = OpFamily::kRecurrent,
     .attributes = kRecurrent,
     .text = recurrentText,
     .work = [](const Plan& plan,
                const Op& op) { return (of<RecurrentAttributes>(op).window ? 1 : 2) * recurrentWork(plan, op.outputs[0], op.inputs[0]); }},
    {.kind = OpKind::kAttentionWeights,
     .name = "AttentionWeights",
     .family = OpFamily::kAttention,
     .attributes = kAttention,
     .text = attentionText,
     .work = [](const Plan& plan, const Op& op) { return attentionWork(plan, op.inputs[0]); },
     .stays_float32 = true},
    {.kind = OpKind::kAttentionWeightsBack,
     .name = "AttentionWeightsBack",
     .family = OpFamily::kAttention,
     .attributes = kAttention,
     .text = attentionText,
     .work = [](const Plan& plan, const Op& op) { return 2 * attentionWork(plan, op.inputs[0]); },
     .stays_float32 = true},
    {.kind = OpKind::kAttentionValues,
     .name = "AttentionValues",
     .family = OpFamily::kAttention,
     .attributes = kAttention,
     .text = attentionText,
     .work = [](const Plan& plan, const Op& op) { return attentionWork(plan, op.inputs[1]); },
     .stays_float32 = true},
    {.kind = OpKind::kAttentionValuesBack,
     .name = "AttentionValuesBack",
     .family = OpFamily::kAttention,
     .attributes = kAttention,
     .text = attentionText,
     .work = [](const Plan& plan, const Op& op) { return 2 * attentionWork(plan, op.inputs[1]); },
     .stays_float32 = true},
    {.kind = OpKind::kMerge, .name = "Merge", .family = OpFamily::kMerge, .attributes = kMerge, .text = mergeText, .stays_float32 = true},
    {.kind = OpKind::kMergeBack, .name = "MergeBack", .family = OpFamily::kMerge, .attributes = kMerge, .text = mergeText},
    {.kind = OpKind::kMaxPool2D, .name = "MaxPool2D", .family = OpFamily::kPooling, .attributes = kPool, .text = poolingText},
    {.kind = OpKind::kMaxPool2DBack, .name = "MaxPool2DBack", .family = OpFamily::kPooling, .attributes = kPool, .text = poolingText},
    {.kind = OpKind::kAveragePool2D, .name = "AveragePool2D", .family = OpFamily::kPooling, .attributes = kPool, .text = poolingText},
    {.kind = OpKind::kAveragePool2DBack,
     .name = "AveragePool2DBack",
     .family = OpFamily::kPooling,
     .attributes = kPool,
     .text = poolingText},
    {.kind = OpKind::kMask,
     .name = "Mask",
     .family = OpFamily::kMask,
     .attributes = indexOf<MaskAttributes>(),
     .text = maskText,
     .keeps_first_input = true},
    {.kind = OpKind::kApplyMask, .name = "ApplyMask", .family = OpFamily::kMask},
    {.kind = OpKind::kMaskedMean, .name = "MaskedMean", .family = OpFamily::kMask},
    {.kind = OpKind::kMaskedMeanBack, .name = "MaskedMeanBack", .family = OpFamily::kMask},
    {.kind = OpKind::kReshape, .name = "Reshape", .family = OpFamily::kReshape, .is_alias = true},
    {.kind = OpKind::kCast, .name = "Cast", .family = OpFamily::kCast},
    {.kind = OpKind::kTranspose,
     .name = "Transpose",
     .family = OpFamily::kImage,
     .attributes = indexOf<Permutation>(),
     .text = transposeText},
    {.kind = OpKind::kPad2D, .name = "Pad2D", .family = OpFamily::kImage, .attributes = indexOf<Pads2D>(), .text = padText},
    {.kind = OpKind::kUpsample2D, .name = "Upsample2D", .family = OpFamily::kImage, .attributes = kResize, .text = resizeText},
    {.kind = OpKind::kUpsample2DBack, .name = "Upsample2DBack", .family = OpFamily::kImage, .attributes = kResize, .text = resizeText},
    {.kind = OpKind::kPatches, .name = "Patches", .family = OpFamily::kImage, .attributes = kPool, .text = poolingText},
    {.kind = OpKind::kPatchesBack, .name = "PatchesBack", .family = OpFamily::kImage, .attributes = kPool, .text = poolingText},
    {.kind = OpKind::kResample2D, .name = "Resample2D", .family = OpFamily::kImage, .attributes = kResample, .text = resampleText},
    {.kind = OpKind::kResample2DBack, .name = "Resample2DBack", .family = OpFamily::kImage, .attributes = kResample, .text = resampleText},
    {.kind = OpKind::kAffine, .name = "Affine", .family = OpFamily::kAffine, .attributes = indexOf<Affine>(), .text = affineText},
    {.kind = OpKind::kStandardize,
     .name = "Standardize",
     .family = OpFamily::kStandardize,
     .attributes = indexOf<Standardization>(),
     .text = standardizationText,
     .stays_float32 = true},
    {.kind = OpKind::kDropout, .name = "Dropout", .family = OpFamily::kNoise, .attributes = kDropout, .text = dropoutText},
    {.kind = OpKind::kDropoutBack, .name = "DropoutBack", .family = OpFamily::kNoise, .attributes = kDropout, .text = dropoutText},
    {.kind = OpKind::kGaussianNoise,
     .name = "GaussianNoise",
     .family = OpFamily::kNoise,
     .attributes = indexOf<GaussianNoiseAttributes>(),
     .text = gaussianNoiseText},
    {.kind = OpKind::kRandomImage, .name = "RandomImage", .family = OpFamily::kImage, .attributes = kRandomImage, .text = randomImageText},
    {.kind = OpKind::kRandomImageBack,
     .name = "RandomImageBack",
     .family = OpFamily::kImage,
     .attributes = kRandomImage,
     .text = randomImageText},
    {.kind = OpKind::kRandomColors,
     .name = "RandomColors",
     .family = OpFamily::kImage,
     .attributes = kRandomColors,
     .text = randomColorsText},
    {.kind = OpKind::kRandomColorsBack,
     .name = "RandomColorsBack",
     .family = OpFamily::kImage,
     .attributes = kRandomColors,
     .text = randomColorsText},
    {.kind = OpKind::kRandomErasing,
     .name = "RandomErasing",
     .family = OpFamily::kImage,
     .attributes = indexOf<RandomErasing>(),
     .text = randomErasingText},
    {.kind = OpKind::kRandomErasingBack,
     .name = "RandomErasingBack",
     .family = OpFamily::kImage,
     .attributes = indexOf<RandomErasing>(),
     .text = randomErasingText},
    {.kind = OpKind::kRandomBlur,
     .name = "RandomBlur",
     .family = OpFamily::kImage,
     .attributes = indexOf<RandomBlur>(),
     .text = randomBlurText},
    {.kind = OpKind::kRandomBlurBack,
     .name = "RandomBlurBack",
     .family = OpFamily::kImage,
     .attributes = indexOf<RandomBlur>(),
     .text = randomBlurText},
    {.kind = OpKind::kRandomElastic,
     .name = "RandomElastic",
     .family = OpFamily::kImage,
     .attributes = indexOf<RandomElastic>(),
     .text = randomElasticText},
    {.kind = OpKind::kRandomElasticBack,
     .name = "RandomElasticBack",
     .family = OpFamily::kImage,
     .attributes = indexOf<RandomElastic>(),
     .text = randomElasticText},
    {.kind = OpKind::kImageLevels,
     .name = "ImageLevels",
     .family = OpFamily::kImage,
     .attributes = indexOf<ImageLevels>(),
     .text = imageLevelsText},
    {.kind = OpKind::kImageLevelsBack,
     .name = "ImageLevelsBack",
     .family = OpFamily::kImage,
     .attributes = indexOf<ImageLevels>(),
     .text = imageLevelsText},
    {.kind = OpKind::kRandomMix,
     .name = "RandomMix",
     .family = OpFamily::kImage,
     .attributes = indexOf<RandomMix>(),
     .text = randomMixText},
    {.kind = OpKind::kRandomMixBack,
     .name = "RandomMixBack",
     .family = OpFamily::kImage,
     .attributes = indexOf<RandomMix>(),
     .text = randomMixText},
    {.kind = OpKind::kSpectrum,
     .name = "Spectrum",
     .family = OpFamily::kSignal,
     .attributes = indexOf<Spectrum>(),
     .text = spectrumText,
     .stays_float32 = true},
    {.kind = OpKind::kSpectrumBack,
     .name = "SpectrumBack",
     .family = OpFamily::kSignal,
     .attributes = indexOf<Spectrum>(),
     .text = spectrumText,
     .stays_float32 = true},
    {.kind = OpKind::kMelSpectrogram,
     .name = "MelSpectrogram",
     .family = OpFamily::kSignal,
     .attributes = indexOf<MelSpectrogram>(),
     .text = melSpectrogramText,
     .stays_float32 = true},
    {.kind = OpKind::kMelSpectrogramBack,
     .name = "MelSpectrogramBack",
     .family = OpFamily::kSignal,
     .attributes = indexOf<MelSpectrogram>(),
     .text = melSpectrogramText,
     .stays_float32 = true},
    {.kind = OpKind::kSoftmaxCrossEntropy,
     .name = "SoftmaxCrossEntropy",
     .family = OpFamily::kCrossEntropy,
     .attributes = indexOf<CrossEntropyAttributes>(),
     .text = crossEntropyText,
     .belongs_to_loss = true,
     .makes_loss_gradient = true},
    {.kind = OpKind::kLoss,
     .name = "Loss",
     .family = OpFamily::kLoss,
     .attributes = indexOf<LossAttributes>(),
     .text = lossText,
     .belongs_to_loss = true,
     .makes_loss_gradient = true},
    {.kind = OpKind::kPenalty, .name = "Penalty", .family = OpFamily::kPenalty, .attributes = kPenalty, .belongs_to_loss = true},
    {.kind = OpKind::kPenaltyBack, .name = "PenaltyBack", .family = OpFamily::kPenalty, .attributes = kPenalty, .text = penaltyText},
    {.kind = OpKind::kMetric,
     .name = "Metric",
     .family = OpFamily::kMetric,
     .attributes = indexOf<MetricAttributes>(),
     .text = metricText,
     .belongs_to_loss = true},
    {.kind = OpKind::kScaleGradient, .name = "ScaleGradient", .family = OpFamily::kLossScale},
    {.kind = OpKind::kUnscaleGradients,
     .name = "UnscaleGradients",
     .family = OpFamily::kLossScale,
     .attributes = indexOf<LossScaleAttributes>(),
     .text = lossScaleText},
    {.kind = OpKind::kPrepareGradients,
     .name = "PrepareGradients",
     .family = OpFamily::kPrepareGradients,
     .attributes = kOptimizer,
     .text = preparationText},
    {.kind = OpKind::kCustomLoss, .name = "CustomLoss", .family = OpFamily::kCustomLoss, .makes_loss_gradient = true},
    {.kind = OpKind::kUpdate, .name = "Update", .family = OpFamily::kUpdate, .attributes = kOptimizer, .named = NamedOperands::kParameters},
    {.kind = OpKind::kConstrain,
     .name = "Constrain",
     .family = OpFamily::kConstrain,
     .attributes = indexOf<ConstraintAttributes>(),
     .text = constraintText},
    {.kind = OpKind::kAllReduce,
     .name = "AllReduce",
     .family = OpFamily::kCollective,
     .attributes = kRoute,
     .may_lack_attributes = true,
     .text = routeText,
     .named = NamedOperands::kInputs},
    {.kind = OpKind::kReadVariables,
     .name = "ReadVariables",
     .family = OpFamily::kCollective,
     .attributes = kRoute,
     .text = readText,
     .named = NamedOperands::kOutputs},
    {.kind = OpKind::kPull, .name = "Pull", .family = OpFamily::kCollective, .named = NamedOperands::kOutputs},
    {.kind = OpKind::kPush, .name = "Push", .family = OpFamily::kCollective, .named = NamedOperands::kInputs},
    {.kind = OpKind::kFusedConvBlock,
     .name = "FusedConvBlock",
     .family = OpFamily::kConvolution,
     .attributes = kConvolution,
     .text = fusedConvolutionText,
     .work = [](const Plan& plan, const Op& op) { return convolutionWork(plan, op, op.inputs[0], op.inputs[1]); }},
    {.kind = OpKind::kFusedConvBlockBack,
     .name = "FusedConvBlockBack",
     .family = OpFamily::kConvolutionBack,
     .attributes = kConvolution,
     .text = fusedConvolutionText,
     .work = [](const Plan& plan, const Op& op) { return productsOf(op) * convolutionWork(plan, op, op.inputs[0], op.inputs[1]); },
     .absorbs_update = true},
    {.kind = OpKind::kFusedDense,
     .name = "FusedDense",
     .family = OpFamily::kDense,
     .attributes = kActivation,
     .text = activationText,
     .work = [](const Plan& plan, const Op& op) { return matrixWork(plan, op.inputs[0], op.outputs[0]); }},
    {.kind = OpKind::kFusedDenseBack,
     .name = "FusedDenseBack",
     .family = OpFamily::kDenseBack,
     .attributes = kActivation,
     .text = activationText,
     .work = [](const Plan& plan, const Op& op) { return productsOf(op) * matrixWork(plan, op.inputs[0], op.inputs[2]); },
     .absorbs_update = true},
    {.kind = OpKind::kFusedUpdate,
     .name = "FusedUpdate",
     .family = OpFamily::kUpdate,
     .attributes = kOptimizer,
     .named = NamedOperands::kParameters},
};

constexpr bool isInOrder() {
    for (std::size_t i = 0; i < std::size(kTable); ++i) {
        if (kTable[i].kind != static_cast<OpKind>(i)) return false;
    }
    return std::size(kTable) == static_cast<std::size_t>(OpKind::kFusedUpdate) + 1;
}
static_assert(isInOrder(), "one row a kind, in the order of OpKind");

}  // namespace

std::span<const OpRow> opTable() {
    return kTable;
}

const OpRow& rowOf(OpKind kind) {
    return kTable[static_cast<std::size_t>(kind)];
}

std::int64_t itemsPerSample(const Plan& plan, const Op& op) {
    if (rowOf(op.kind).is_alias || plan.batch == 0) return 1;
    for (const std::vector<TensorId>* ids : {&op.inputs, &op.outputs}) {
        for (const TensorId id : *ids) {
            const TensorDesc& tensor = plan.tensors[static_cast<std::size_t>(id)];
            if (hasBatchAxis(tensor)) return tensor.shape.front() / plan.batch;
        }
    }
    return 1;
}

void checkAttributes(const Plan& plan) {
    for (const Op& op : plan.ops) {
        const OpRow& row = rowOf(op.kind);
        ENGINE_CHECK(op.attributes.index() == row.attributes || (row.may_lack_attributes && op.attributes.index() == 0));
        if (!op.gate) continue;
        const TensorDesc &in = plan.tensors[static_cast<std::size_t>(op.inputs.front())],
                         &out = plan.tensors[static_cast<std::size_t>(op.outputs.front())];
        ENGINE_CHECK(in.shape == out.shape && in.dtype == out.dtype && hasBatchAxis(in) && hasBatchAxis(out));
    }
}

}  // namespace engine::plan
