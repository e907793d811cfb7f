#include "engine/plan/op_table.h"

#include <iterator>
#include <type_traits>
#include <variant>
#include <vector>

#include "engine/plan/op_text.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

// --- Work ---

const TensorDesc& workedTensor(const Plan& plan, TensorId id) {
    return plan.tensors[static_cast<std::size_t>(id)];
}

// The work of one product: output, input gradient and kernel gradient take the same.
std::int64_t convolutionWork(const Plan& plan, const Op& op, TensorId input, TensorId kernel) {
    const spec::Shape y = windowOutput(workedTensor(plan, input).shape, std::get<ConvolutionAttributes>(op.attributes).window, 1);
    return y[0] * y[1] * y[2] * elementCount(workedTensor(plan, kernel));
}

std::int64_t matrixWork(const Plan& plan, TensorId x, TensorId y) {
    return elementCount(workedTensor(plan, x)) * workedTensor(plan, y).shape.back();
}

// Every time's state by the recurrent kernel.
std::int64_t recurrentWork(const Plan& plan, TensorId products, TensorId kernel) {
    const TensorDesc& u = workedTensor(plan, kernel);
    return elementCount(workedTensor(plan, products)) * (elementCount(u) / u.shape.back());
}

// Every query with every key, or every weight with every value: `x` has (N, T, heads * size).
std::int64_t attentionWork(const Plan& plan, TensorId x) {
    const spec::Shape& shape = workedTensor(plan, x).shape;
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
    {.kind = OpKind::kBatchNorm,
     .name = "BatchNorm",
     .family = OpFamily::kBatchNorm,
     .attributes = kBatchNorm,
     .text = batchNormText,
     .needs_whole_batch = true},
    {.kind = OpKind::kBatchNormBack,
     .name = "BatchNormBack",
     .family = OpFamily::kBatchNorm,
     .attributes = kBatchNorm,
     .text = batchNormText,
     .needs_whole_batch = true},
    {.kind = OpKind::kBatchSums,
     .name = "BatchSums",
     .family = OpFamily::kBatchNorm,
     .attributes = kBatchNorm,
     .text = batchNormText,
     .sums_within_step = true,
     .needs_whole_batch = true},
    {.kind = OpKind::kBatchBackSums,
     .name = "BatchBackSums",
     .family = OpFamily::kBatchNorm,
     .attributes = kBatchNorm,
     .text = batchNormText,
     .sums_within_step = true,
     .needs_whole_batch = true},
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
     .text = spectralNormText,
     .needs_whole_batch = true},
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
     .work =
         [](const Plan& plan, const Op& op) {
             return (std::get<RecurrentAttributes>(op.attributes).window ? 1 : 2) * recurrentWork(plan, op.outputs[0], op.inputs[0]);
         }},
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
     .text = imageLevelsText,
     .needs_whole_batch = true},
    {.kind = OpKind::kImageLevelsBack,
     .name = "ImageLevelsBack",
     .family = OpFamily::kImage,
     .attributes = indexOf<ImageLevels>(),
     .text = imageLevelsText,
     .needs_whole_batch = true},
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
     .stays_float32 = true,
     .needs_whole_batch = true},
    {.kind = OpKind::kMelSpectrogramBack,
     .name = "MelSpectrogramBack",
     .family = OpFamily::kSignal,
     .attributes = indexOf<MelSpectrogram>(),
     .text = melSpectrogramText,
     .stays_float32 = true,
     .needs_whole_batch = true},
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
     .text = lossScaleText,
     .needs_whole_batch = true},
    {.kind = OpKind::kPrepareGradients,
     .name = "PrepareGradients",
     .family = OpFamily::kPrepareGradients,
     .attributes = kOptimizer,
     .text = preparationText},
    {.kind = OpKind::kCustomLoss,
     .name = "CustomLoss",
     .family = OpFamily::kCustomLoss,
     .makes_loss_gradient = true,
     .needs_whole_batch = true},
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
     .named = NamedOperands::kOutputs,
     .needs_whole_batch = true},
    {.kind = OpKind::kPull, .name = "Pull", .family = OpFamily::kCollective, .named = NamedOperands::kOutputs, .needs_whole_batch = true},
    {.kind = OpKind::kPush, .name = "Push", .family = OpFamily::kCollective, .named = NamedOperands::kInputs, .needs_whole_batch = true},
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
