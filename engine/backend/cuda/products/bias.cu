// A bias along the last axis, and its gradient. Fused ops have their own.
#include <string>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/column_sums.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/values.h"

namespace engine::backend::cuda {
namespace {

template <typename T>
struct AddBias {
    const T *x, *bias;
    T* y;
    Division columns;

    template <int width>
    __device__ void run(std::int64_t at) const {
        float values[width], added[width];
        loadPack(x + at, values);
        loadPack(bias + columns(at).rest, added);
#pragma unroll
        for (int i = 0; i < width; ++i) values[i] += added[i];
        storePack(y + at, values);
    }
};

template <typename T>
struct GradientRows {
    const T* dy;
    std::int64_t columns;

    template <int width>
    __device__ void add(std::int64_t row, std::int64_t column, SumsOfColumns<1, width>& to) const {
        float values[width];
        loadPack(dy + row * columns + column, values);
#pragma unroll
        for (int i = 0; i < width; ++i) to.values[0][i] += values[i];
    }
};

template <typename T>
BoundOp bindAdd(const Context& context, const plan::Op& op) {
    const std::int64_t columns = context.elements(op.inputs[1]), count = context.elements(op.inputs[0]);
    const AddBias<T> add{context.as<T>(op.inputs[0]), context.as<T>(op.inputs[1]), context.as<T>(op.outputs[0]), Division(columns)};
    const bool is_wide = columns % kVectorOf<T> == 0 && areAligned(add.x, add.bias, add.y);
    return {.kernel = "a pass over rows",
            .enqueue = [=](cudaStream_t stream, std::byte*) { launchPointwise<kVectorOf<T>>("BiasAdd", add, count, is_wide, stream); }};
}

template <typename T>
BoundOp bindGradient(const Context& context, const plan::Op& op) {
    const std::int64_t columns = context.elements(op.outputs[0]), rows = context.elements(op.inputs[0]) / columns;
    constexpr int kWidth = 4;
    const GradientRows<T> gradient{context.as<T>(op.inputs[0]), columns};
    const ColumnSums<1, kWidth> sums(rows, columns, isAligned(gradient.dy));
    const SumDestinations<1> to{{context.floats(op.outputs[0])}};
    return {.kernel = "sums of columns", .scratch_bytes = sums.scratchBytes(), .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                sums.enqueue("BiasAddBack", gradient, to, reinterpret_cast<float*>(scratch), stream);
            }};
}

}  // namespace

BoundOp bindBias(const Context& context, const plan::Op& op) {
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() {
        if (op.kind == plan::OpKind::kBiasAdd && context.tensor(op.inputs[1]).dtype != context.tensor(op.inputs[0]).dtype) {
            throw Error(ErrorCode::kUnimplemented, op.name + ": no kernel for a bias of another type");
        }
        bound = op.kind == plan::OpKind::kBiasAdd ? bindAdd<T>(context, op) : bindGradient<T>(context, op);
    });
    return bound;
}

}  // namespace engine::backend::cuda
