// The ONNX nodes of each kind of op that a prediction has. A kind is added by its row in op_emitters.cpp and a function of one of these
// files: what it computes stands in engine/plan/op_kind.h, and what its node takes in ONNX' operators (opset 17).
#pragma once

#include <string>

#include "engine/export/onnx/graph_writer.h"

namespace engine::exporter::onnx {

inline constexpr int kOpset = 17, kIrVersion = 8;  // of ONNX 1.12 (2022): the first with LayerNormalization

// nullptr for a kind that no prediction has.
using OpEmitter = void (*)(GraphWriter& writer, const plan::Op& op);
OpEmitter findOpEmitter(plan::OpKind kind);

// convolution_nodes.cpp
void emitConvolution(GraphWriter& writer, const plan::Op& op);
void emitConvolutionTranspose(GraphWriter& writer, const plan::Op& op);
void emitBiasAdd(GraphWriter& writer, const plan::Op& op);
void emitMaxPool(GraphWriter& writer, const plan::Op& op);
void emitAveragePool(GraphWriter& writer, const plan::Op& op);
void emitMatMul(GraphWriter& writer, const plan::Op& op);
// activation_nodes.cpp
void emitActivation(GraphWriter& writer, const plan::Op& op);
void emitPrelu(GraphWriter& writer, const plan::Op& op);
// The value of the function of x, whose rows lie along `axis`; x itself for linear.
std::string addActivation(NodeList& nodes, const plan::ActivationAttributes& activation, const std::string& x, std::int64_t axis);
// attention_nodes.cpp
void emitAttentionWeights(GraphWriter& writer, const plan::Op& op);
void emitAttentionValues(GraphWriter& writer, const plan::Op& op);
// normalization_nodes.cpp
void emitBatchNorm(GraphWriter& writer, const plan::Op& op);
void emitGroupNorm(GraphWriter& writer, const plan::Op& op);
void emitUnitNorm(GraphWriter& writer, const plan::Op& op);
void emitStandardize(GraphWriter& writer, const plan::Op& op);
void emitImageLevels(GraphWriter& writer, const plan::Op& op);  // kStretch and kAdaptive are in predictions
// recurrent_nodes.cpp
void emitRecurrent(GraphWriter& writer, const plan::Op& op);
void emitMerge(GraphWriter& writer, const plan::Op& op);
// shape_nodes.cpp
void emitReshape(GraphWriter& writer, const plan::Op& op);
void emitTranspose(GraphWriter& writer, const plan::Op& op);
void emitPad(GraphWriter& writer, const plan::Op& op);
void emitPatches(GraphWriter& writer, const plan::Op& op);
void emitPatchesBack(GraphWriter& writer, const plan::Op& op);  // forwards, it is a part of Conv3DTranspose
void emitUpsample(GraphWriter& writer, const plan::Op& op);
void emitResample(GraphWriter& writer, const plan::Op& op);
void emitAffine(GraphWriter& writer, const plan::Op& op);
void emitIndex(GraphWriter& writer, const plan::Op& op);
void emitEncode(GraphWriter& writer, const plan::Op& op);
void emitEmbedding(GraphWriter& writer, const plan::Op& op);
void emitMask(GraphWriter& writer, const plan::Op& op);
void emitApplyMask(GraphWriter& writer, const plan::Op& op);
void emitMaskedMean(GraphWriter& writer, const plan::Op& op);
// signal_nodes.cpp
void emitSpectrum(GraphWriter& writer, const plan::Op& op);
void emitMelSpectrogram(GraphWriter& writer, const plan::Op& op);

}  // namespace engine::exporter::onnx
