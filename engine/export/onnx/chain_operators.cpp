#include "engine/export/onnx/chain_operators.h"

#include <map>
#include <utility>

namespace engine::exporter::onnx {

std::string sizesText(const Ints& values) {
    std::string joined;
    for (std::int64_t value : values) joined += (joined.empty() ? "" : ", ") + std::to_string(value);
    return "(" + joined + ")";
}

Ints attributeOrInput(ChainReader& chain, const NodeView& node, std::string_view name, int input, Ints otherwise) {
    if (node.has(name)) return node.integers(name, std::move(otherwise));
    if (node.input(input).empty()) return otherwise;
    auto values = chain.constants().integers(node, node.input(input));
    if (!values) chain.fail(node, std::string(name) + " that the file holds", node.input(input));
    return std::move(*values);
}

float numberOrInput(ChainReader& chain, const NodeView& node, std::string_view name, int input, float otherwise) {
    if (node.has(name) || node.input(input).empty()) return node.number(name, otherwise);
    const auto value = chain.constants().scalar(node, node.input(input));
    if (!value) chain.fail(node, std::string(name) + " that the file holds", node.input(input));
    return *value;
}

FloatTensor permuted(const FloatTensor& from, const std::vector<std::size_t>& axes) {
    FloatTensor to;
    for (std::size_t axis : axes) to.shape.push_back(from.shape[axis]);
    Ints strides(from.shape.size(), 1), index(from.shape.size());
    for (std::size_t i = from.shape.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * from.shape[i + 1];
    to.values.reserve(from.values.size());
    while (to.values.size() < from.values.size()) {
        std::int64_t offset = 0;
        for (std::size_t i = 0; i < axes.size(); ++i) offset += index[i] * strides[axes[i]];
        to.values.push_back(from.values[static_cast<std::size_t>(offset)]);
        for (std::size_t i = axes.size(); i-- > 0;) {
            if (++index[i] < to.shape[i]) break;
            index[i] = 0;
        }
    }
    return to;
}

void checkImage(ChainReader& chain, const NodeView& node) {
    if (chain.rank() != 3 && chain.rank() != 4)
        chain.fail(node, "a sequence or an image (3 or 4 axes)", std::to_string(chain.rank()) + " axes");
}

NodeReader findNodeReader(const std::string& op) {
    static const std::map<std::string, NodeReader> kReaders{
        {"Add", readArithmetic},
        {"AveragePool", readPool},
        {"BatchNormalization", readBatchNormalization},
        {"Cast", readIdentity},
        {"Celu", readFunction},
        {"Clip", readClip},
        {"Conv", readConv},
        {"ConvTranspose", readConvTranspose},
        {"Div", readArithmetic},
        {"Dropout", readDropout},
        {"Elu", readFunction},
        {"Exp", readFunction},
        {"Flatten", readFlatten},
        {"GRU", readRecurrent},
        {"Gather", readGather},
        {"Gelu", readFunction},
        {"Gemm", readGemm},
        {"GlobalAveragePool", readGlobalPool},
        {"GlobalMaxPool", readGlobalPool},
        {"HardSigmoid", readFunction},
        {"HardSwish", readFunction},
        {"Identity", readIdentity},
        {"LSTM", readRecurrent},
        {"LayerNormalization", readLayerNormalization},
        {"LeakyRelu", readFunction},
        {"LogSoftmax", readSoftmax},
        {"MatMul", readMatMul},
        {"MaxPool", readPool},
        {"Mish", readFunction},
        {"Mul", readArithmetic},
        {"PRelu", readPrelu},
        {"Pad", readPad},
        {"RNN", readRecurrent},
        {"ReduceMax", readReduce},
        {"ReduceMean", readReduce},
        {"Relu", readFunction},
        {"Reshape", readReshape},
        {"Resize", readResize},
        {"Selu", readFunction},
        {"Shrink", readFunction},
        {"Sigmoid", readFunction},
        {"Slice", readSlice},
        {"Softmax", readSoftmax},
        {"Softplus", readFunction},
        {"Softsign", readFunction},
        {"Squeeze", readSqueeze},
        {"Sub", readArithmetic},
        {"Tanh", readFunction},
        {"Tile", readTile},
        {"Transpose", readTranspose},
        {"Unsqueeze", readUnsqueeze},
        {"Upsample", readResize},
    };
    const auto found = kReaders.find(op);
    return found == kReaders.end() ? nullptr : found->second;
}

}  // namespace engine::exporter::onnx
