#include "engine/backend/cpu/convolution/pair_operands.h"

#include <algorithm>

#include "engine/backend/cpu/convolution/convolution_geometry.h"
#include "engine/backend/cpu/convolution/panel_convolution.h"

namespace engine::backend::cpu {
namespace {

using plan::OpKind;

// The operands of a product: what it reads but for biases, and of a gradient y and dy, which are masked in float32 first.
std::vector<plan::TensorId> operandsOf(const plan::Op& op) {
    switch (op.kind) {
        case OpKind::kMatMul:
        case OpKind::kFusedDense:
        case OpKind::kFusedDenseBack:
        case OpKind::kConv2D:
        case OpKind::kFusedConvBlock:
        case OpKind::kFusedConvBlockBack:
            return {op.inputs[0], op.inputs[1]};
        case OpKind::kMatMulBackInput:
        case OpKind::kConv2DBackInput:
            return {op.inputs[1]};
        case OpKind::kMatMulBackWeight:
        case OpKind::kConv2DBackKernel:
            return {op.inputs[0]};
        default:
            return {};
    }
}

bool isEven(std::int64_t number) {
    return number % 2 == 0;
}

bool makesInputGradient(const plan::Op& op) {
    return op.kind == OpKind::kMatMulBackInput || op.kind == OpKind::kConv2DBackInput || op.outputs.size() > 2;
}

bool fitsConvolution(const Memory& memory, const plan::Op& op) {
    const std::int64_t channels = plan::imageShape(memory.shape(op.inputs[0])).back();
    const std::int64_t filters = memory.shape(op.outputs[0]).back();
    const ConvolutionGeometry geometry(plan::windowOf(op), memory.shape(op.inputs[0]), filters);
    const bool is_shallow = plan::hasPool(op) && geometry.isShallow();  // pooled in registers
    return !is_shallow && isEven(channels / plan::windowOf(op).groups) && channels != plan::windowOf(op).groups;
}

bool fitsConvolutionBack(const Memory& memory, const plan::Op& op) {
    const bool is_input = op.kind == OpKind::kConv2DBackInput;
    const plan::TensorId x = is_input ? op.outputs[0] : op.inputs[0], dy = is_input ? op.inputs[0] : op.inputs.back();
    const std::int64_t filters = memory.shape(dy).back();
    const ConvolutionGeometry geometry(plan::windowOf(op), memory.shape(x), filters);
    if (geometry.channels == plan::windowOf(op).groups) return false;
    if (!makesInputGradient(op)) return !(plan::hasPool(op) && geometry.isShallow());
    return isEven(filters / plan::windowOf(op).groups) && GradientImage::fitsInput(geometry);
}

}  // namespace

bool isProduct(const plan::Op& op) {
    return !operandsOf(op).empty();
}

bool takesPairs(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    const std::vector<plan::TensorId> operands = operandsOf(op);
    const bool all_low = std::all_of(operands.begin(), operands.end(), [&](plan::TensorId id) { return holdsPairs(memory, id); });
    if (operands.empty() || !all_low || pairProducts(kernels.isa) == nullptr) return false;
    switch (op.kind) {
        case OpKind::kMatMul:
        case OpKind::kFusedDense:
            return isEven(memory.shape(op.inputs[0]).back());
        case OpKind::kMatMulBackInput:
        case OpKind::kMatMulBackWeight:
        case OpKind::kFusedDenseBack:
            return !makesInputGradient(op) || isEven(memory.shape(op.inputs.size() > 2 ? op.inputs.back() : op.inputs[0]).back());
        case OpKind::kConv2D:
        case OpKind::kFusedConvBlock:
            return fitsConvolution(memory, op);
        default:
            return fitsConvolutionBack(memory, op);
    }
}

bool isPairOperand(const plan::Op& op, plan::TensorId input) {
    const std::vector<plan::TensorId> operands = operandsOf(op);
    return std::find(operands.begin(), operands.end(), input) != operands.end();
}

}  // namespace engine::backend::cpu
