#include "engine/export/onnx/op_emitters.h"

namespace engine::exporter::onnx {

using plan::OpKind;

OpEmitter findOpEmitter(OpKind kind) {
    struct Row {
        OpKind kind;
        OpEmitter emitter;
    };
    static constexpr Row kRows[] = {
        {OpKind::kConv2D, emitConvolution},
        {OpKind::kConv2DBackInput, emitConvolutionTranspose},  // forwards, it is Conv2DTranspose
        {OpKind::kMatMul, emitMatMul},
        {OpKind::kBiasAdd, emitBiasAdd},
        {OpKind::kActivation, emitActivation},
        {OpKind::kPrelu, emitPrelu},
        {OpKind::kBatchNorm, emitBatchNorm},
        {OpKind::kGroupNorm, emitGroupNorm},
        {OpKind::kUnitNorm, emitUnitNorm},
        {OpKind::kIndex, emitIndex},
        {OpKind::kEncode, emitEncode},
        {OpKind::kEmbedding, emitEmbedding},
        {OpKind::kRecurrent, emitRecurrent},
        {OpKind::kAttentionWeights, emitAttentionWeights},
        {OpKind::kAttentionValues, emitAttentionValues},
        {OpKind::kMerge, emitMerge},
        {OpKind::kMaxPool2D, emitMaxPool},
        {OpKind::kAveragePool2D, emitAveragePool},
        {OpKind::kMask, emitMask},
        {OpKind::kApplyMask, emitApplyMask},
        {OpKind::kMaskedMean, emitMaskedMean},
        {OpKind::kReshape, emitReshape},
        {OpKind::kTranspose, emitTranspose},
        {OpKind::kPad2D, emitPad},
        {OpKind::kPatches, emitPatches},
        {OpKind::kPatchesBack, emitPatchesBack},
        {OpKind::kUpsample2D, emitUpsample},
        {OpKind::kResample2D, emitResample},
        {OpKind::kAffine, emitAffine},
        {OpKind::kStandardize, emitStandardize},
        {OpKind::kImageLevels, emitImageLevels},
        {OpKind::kSpectrum, emitSpectrum},
        {OpKind::kMelSpectrogram, emitMelSpectrogram},
    };
    for (const Row& row : kRows) {
        if (row.kind == kind) return row.emitter;
    }
    return nullptr;
}

}  // namespace engine::exporter::onnx
