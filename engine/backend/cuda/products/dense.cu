// Dense layers: products by the library with bias and relu in their epilogue, and one pass over the gradient on the way back. Those of few
// columns have a kernel of their own there.
#include <algorithm>
#include <string>

#include "engine/backend/cuda/libraries.h"
#include "engine/backend/cuda/products/narrow_dense.h"
#include "engine/backend/cuda/products/relu_gradient.h"
#include "engine/backend/cuda/products/scratch.h"
#include "engine/spec/error.h"

namespace engine::backend::cuda {
namespace {

// x (rows, inner) by w (inner, columns), whatever axes the weights have.
struct Dense {
    std::int64_t rows = 0, inner = 0, columns = 0;
    tensor::DType type = tensor::DType::kFloat32;

    // `first`: what the products take first.
    Dense(const Context& context, plan::TensorId x, plan::TensorId w, plan::TensorId first) {
        const spec::Shape matrix = plan::matrixShape(context.shape(w), context.shape(x).back());
        inner = matrix[0];
        columns = matrix[1];
        rows = context.elements(x) / inner;
        type = context.tensor(first).dtype;
    }
    Product forward(tensor::DType result) const { return {.m = rows, .n = columns, .k = inner, .type = type, .result = result}; }
    Product backInput(tensor::DType result) const {
        return {.m = rows, .n = inner, .k = columns, .b_transposed = true, .type = type, .result = result};
    }
    Product backWeight(tensor::DType result) const {
        return {.m = inner, .n = columns, .k = rows, .a_transposed = true, .type = type, .result = result};
    }
};

// The product that the op is, alone.
BoundOp bindPlainProduct(const Context& context, const plan::Op& op, const Product& product) {
    const BoundWork work = bindProduct(context.libraries(), product);
    Operands operands{.a = context.bytes(op.inputs[0]), .b = context.bytes(op.inputs[1]), .c = context.bytes(op.outputs[0])};
    if (product.has_bias) operands.bias = context.bytes(op.inputs[2]);
    return {.kernel = work.kernel, .scratch_bytes = work.scratch_bytes, .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                work.enqueue(stream, operands, scratch);
            }};
}

template <typename T>
BoundOp bindFusedBack(const Context& context, const plan::Op& op) {
    const plan::TensorId x = op.inputs[0], w = op.inputs[1], y = op.inputs[2], dy = op.inputs[3];
    const Dense dense(context, x, w, x);
    const bool is_relu = plan::activationOf(op) == plan::Activation::kRelu, has_dx = op.outputs.size() > 2;
    const BoundWork of_weight = bindProduct(context.libraries(), dense.backWeight(context.tensor(op.outputs[0]).dtype));
    BoundWork of_input;
    if (has_dx) of_input = bindProduct(context.libraries(), dense.backInput(context.tensor(op.outputs[2]).dtype));

    const ReluGradient<T> gradient{context.as<T>(dy), is_relu ? context.as<T>(y) : nullptr, nullptr, dense.columns};
    constexpr int kWidth = 4;
    const ColumnSums<1, kWidth> sums(dense.rows, dense.columns, areAligned(gradient.dy, gradient.y));
    const SumDestinations<1> dbias{{context.floats(op.outputs[1])}};
    ScratchLayout layout;
    const std::int64_t dz_at = layout.add(is_relu ? context.elements(dy) * static_cast<std::int64_t>(sizeof(T)) : 0);
    const std::int64_t sums_at = layout.add(sums.scratchBytes());
    const std::int64_t work_at = layout.add(std::max(of_weight.scratch_bytes, of_input.scratch_bytes));
    const std::byte *x_bytes = context.bytes(x), *w_bytes = context.bytes(w);
    std::byte* dw_bytes = context.bytes(op.outputs[0]);
    std::byte* dx_bytes = has_dx ? context.bytes(op.outputs[2]) : nullptr;
    return {.kernel = of_weight.kernel + (has_dx ? ", " + of_input.kernel : ""),
            .scratch_bytes = layout.bytes(),
            .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                ReluGradient<T> pass = gradient;
                const T* dz = gradient.dy;
                if (is_relu) dz = pass.dz = reinterpret_cast<T*>(scratch + dz_at);
                sums.enqueue("dense's dbias", pass, dbias, reinterpret_cast<float*>(scratch + sums_at), stream);
                of_weight.enqueue(stream, {.a = x_bytes, .b = dz, .c = dw_bytes}, scratch + work_at);
                if (has_dx) of_input.enqueue(stream, {.a = dz, .b = w_bytes, .c = dx_bytes}, scratch + work_at);
            }};
}

}  // namespace

BoundOp bindDense(const Context& context, const plan::Op& op) {
    const plan::TensorId in = op.inputs[0], out = op.outputs[0];
    const tensor::DType result = context.tensor(out).dtype;
    switch (op.kind) {
        case plan::OpKind::kMatMul:
            return bindPlainProduct(context, op, Dense(context, in, op.inputs[1], in).forward(result));
        case plan::OpKind::kMatMulBackInput:
            return bindPlainProduct(context, op, Dense(context, out, op.inputs[1], in).backInput(result));
        case plan::OpKind::kMatMulBackWeight:
            return bindPlainProduct(context, op, Dense(context, in, out, in).backWeight(result));
        case plan::OpKind::kFusedDense: {
            Product product = Dense(context, in, op.inputs[1], in).forward(result);
            product.has_bias = true;
            product.relu = plan::activationOf(op) == plan::Activation::kRelu;
            return bindPlainProduct(context, op, product);
        }
        case plan::OpKind::kFusedDenseBack: {
            if (std::optional<BoundOp> narrow = bindNarrowDenseBack(context, op)) return *std::move(narrow);
            BoundOp bound;
            withValues(context.tensor(in), [&]<typename T>() { bound = bindFusedBack<T>(context, op); });
            return bound;
        }
        default:
            throw Error(ErrorCode::kUnimplemented, op.name + ": no dense kernel");
    }
}

}  // namespace engine::backend::cuda
