// What layer each ONNX operator becomes. An operator is added by its row in chain_operators.cpp and a function of one of these files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/export/onnx/chain_reader.h"

namespace engine::exporter::onnx {

using Ints = std::vector<std::int64_t>;

// "(1, 2)", for messages.
std::string sizesText(const Ints& values);
// An attribute of older opsets, an input of newer ones, which must be a constant then; `otherwise` where the node has neither.
Ints attributeOrInput(ChainReader& chain, const NodeView& node, std::string_view name, int input, Ints otherwise = {});
float numberOrInput(ChainReader& chain, const NodeView& node, std::string_view name, int input, float otherwise);
// The values with axis axes[i] of `from` as axis i.
FloatTensor permuted(const FloatTensor& from, const std::vector<std::size_t>& axes);
// Refuses what is neither a sequence nor an image.
void checkImage(ChainReader& chain, const NodeView& node);

// chain_windows.cpp
void readConv(ChainReader& chain, const NodeView& node);
void readConvTranspose(ChainReader& chain, const NodeView& node);
void readPool(ChainReader& chain, const NodeView& node);
void readGlobalPool(ChainReader& chain, const NodeView& node);
void readReduce(ChainReader& chain, const NodeView& node);
// chain_numbers.cpp
void readGemm(ChainReader& chain, const NodeView& node);
void readMatMul(ChainReader& chain, const NodeView& node);
void readArithmetic(ChainReader& chain, const NodeView& node);
void readBatchNormalization(ChainReader& chain, const NodeView& node);
void readLayerNormalization(ChainReader& chain, const NodeView& node);
// chain_functions.cpp
void readFunction(ChainReader& chain, const NodeView& node);
void readSoftmax(ChainReader& chain, const NodeView& node);
void readClip(ChainReader& chain, const NodeView& node);
void readPrelu(ChainReader& chain, const NodeView& node);
void readIdentity(ChainReader& chain, const NodeView& node);
void readDropout(ChainReader& chain, const NodeView& node);
// chain_shapes.cpp
void readTranspose(ChainReader& chain, const NodeView& node);
void readFlatten(ChainReader& chain, const NodeView& node);
void readReshape(ChainReader& chain, const NodeView& node);
void readSqueeze(ChainReader& chain, const NodeView& node);
void readUnsqueeze(ChainReader& chain, const NodeView& node);
// chain_picks.cpp
void readTile(ChainReader& chain, const NodeView& node);
void readPad(ChainReader& chain, const NodeView& node);
void readSlice(ChainReader& chain, const NodeView& node);
void readResize(ChainReader& chain, const NodeView& node);
void readGather(ChainReader& chain, const NodeView& node);
// chain_recurrent.cpp
void readRecurrent(ChainReader& chain, const NodeView& node);

}  // namespace engine::exporter::onnx
