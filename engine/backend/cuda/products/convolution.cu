// Convolutions by the library, and fused blocks: what is fused to a convolution is one pass before or after it. Those of few channels have
// kernels of their own.
#include <algorithm>
#include <string>

#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/libraries.h"
#include "engine/backend/cuda/products/direct_convolution.h"
#include "engine/backend/cuda/products/relu_gradient.h"
#include "engine/backend/cuda/products/scratch.h"
#include "engine/spec/error.h"

namespace engine::backend::cuda {
namespace {

Convolution convolutionOf(ConvolutionWay way, const plan::Window2D& window, const spec::Shape& x, const spec::Shape& y) {
    Convolution work;
    work.way = way;
    work.window = window;
    work.x = x;
    work.y = y;
    work.kernel = plan::kernelShape(window, x.back(), y.back());
    return work;
}

// A convolution or one of its gradients, alone.
BoundOp bindAlone(const Context& context, const plan::Op& op) {
    const plan::TensorId a = op.inputs[0], b = op.inputs[1], c = op.outputs[0];
    const plan::Window2D& window = plan::windowOf(op);
    const auto image = [&](plan::TensorId id) { return plan::imageShape(context.shape(id)); };
    Convolution work = op.kind == plan::OpKind::kConv2D            ? convolutionOf(ConvolutionWay::kForward, window, image(a), image(c))
                       : op.kind == plan::OpKind::kConv2DBackInput ? convolutionOf(ConvolutionWay::kBackInput, window, image(c), image(a))
                                                                   : convolutionOf(ConvolutionWay::kBackKernel, window, image(a), image(b));
    work.type = context.tensor(a).dtype;
    work.result = context.tensor(c).dtype;
    const BoundWork bound = bindConvolutionWork(context.libraries(), work);
    const Operands operands{.a = context.bytes(a), .b = context.bytes(b), .c = context.bytes(c)};
    return {.kernel = bound.kernel, .scratch_bytes = bound.scratch_bytes, .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                bound.enqueue(stream, operands, scratch);
            }};
}

// y = x + bias (relu), in place too.
template <typename T>
struct BiasRelu {
    const T *x, *bias;
    T* y;
    Division columns;
    bool relu;

    template <int width>
    __device__ void run(std::int64_t at) const {
        float values[width], added[width];
        loadPack(x + at, values);
        loadPack(bias + columns(at).rest, added);
#pragma unroll
        for (int i = 0; i < width; ++i) {
            values[i] += added[i];
            if (relu && values[i] < 0) values[i] = 0;
        }
        storePack(y + at, values);
    }
};

// Windows of 2x2 by 2 over (n, h, w, columns).
struct Halving {
    Division columns, out_w, out_h;
    std::int64_t h, w;

    Halving(const spec::Shape& inner, const spec::Shape& out) : columns(out[3]), out_w(out[2]), out_h(out[1]), h(inner[1]), w(inner[2]) {}
    // The first cell of the window of (row, column of the output), without the channel; the next row lies w * columns on.
    __device__ std::int64_t cell(std::int64_t image, std::int64_t row, std::int64_t column) const {
        return ((image * h + 2 * row) * w + 2 * column) * columns.divisor();
    }
};

template <typename T>
struct BiasReluPool {
    const T *x, *bias;
    T* y;
    std::uint8_t* argmax;  // or null
    Halving windows;
    bool relu;

    template <int width>
    __device__ void run(std::int64_t at) const {
        const Division::Parts cell = windows.columns(at), pixel = windows.out_w(cell.quotient), row = windows.out_h(pixel.quotient);
        const std::int64_t first = windows.cell(row.quotient, row.rest, pixel.rest) + cell.rest;
        const std::int64_t columns = windows.columns.divisor();
        float added[width], best[width] = {};
        loadPack(bias + cell.rest, added);
        Pack<std::uint8_t, width> cells;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            float values[width];
            loadPack(x + first + (k / 2 * windows.w + k % 2) * columns, values);
#pragma unroll
            for (int i = 0; i < width; ++i) {
                float value = values[i] + added[i];
                if (relu && value < 0) value = 0;
                // The first of equal ones. What is no number wins and stays.
                if (k > 0 && !(value > best[i]) && !(value != value && best[i] == best[i])) continue;
                best[i] = value;
                cells.values[i] = static_cast<std::uint8_t>(k);
            }
        }
        storePack(y + at, best);
        if (argmax != nullptr) *reinterpret_cast<Pack<std::uint8_t, width>*>(argmax + at) = cells;
    }
};

// Back through pooling and relu: dz has dy at the cells that won and zeros elsewhere, also in a last row or column that no window has. Sums
// of its columns.
template <typename T>
struct PoolGradient {
    const T *dy, *y;  // y null: linear
    const std::uint8_t* argmax;
    T* dz;
    Halving windows;

    template <int width>
    __device__ void add(std::int64_t row, std::int64_t column, SumsOfColumns<1, width>& to) const {
        const std::int64_t columns = windows.columns.divisor(), at = row * columns + column;
        const Division::Parts pixel = windows.out_w(row), image = windows.out_h(pixel.quotient);
        float values[width];
        loadPack(dy + at, values);
        if (y != nullptr) {
            float outputs[width];
            loadPack(y + at, outputs);
#pragma unroll
            for (int i = 0; i < width; ++i) values[i] = outputs[i] > 0 ? values[i] : 0;
        }
        const auto cells = *reinterpret_cast<const Pack<std::uint8_t, width>*>(argmax + at);
        const bool is_last_row = image.rest + 1 == windows.out_h.divisor(), is_last_column = pixel.rest + 1 == windows.out_w.divisor();
        const int high = is_last_row && windows.h % 2 != 0 ? 3 : 2, wide = is_last_column && windows.w % 2 != 0 ? 3 : 2;
        T* first = dz + windows.cell(image.quotient, image.rest, pixel.rest) + column;
        for (int i = 0; i < high; ++i) {
            for (int j = 0; j < wide; ++j) {
                float cell[width];
#pragma unroll
                for (int k = 0; k < width; ++k) cell[k] = i < 2 && j < 2 && cells.values[k] == i * 2 + j ? values[k] : 0;
                storePack(first + (i * windows.w + j) * columns, cell);
            }
        }
#pragma unroll
        for (int i = 0; i < width; ++i) to.values[0][i] += values[i];
    }
};

struct Block {
    spec::Shape x, inner, y;
    Block(const Context& context, const plan::Op& op, plan::TensorId x_id, plan::TensorId y_id)
        : x(plan::imageShape(context.shape(x_id))), y(plan::imageShape(context.shape(y_id))) {
        inner = plan::windowOutput(x, plan::windowOf(op), y.back());
    }
    std::int64_t innerElements() const { return inner[0] * inner[1] * inner[2] * inner[3]; }
};

template <typename T>
BoundOp bindForward(const Context& context, const plan::Op& op) {
    const plan::TensorId x = op.inputs[0], kernel = op.inputs[1], y = op.outputs[0];
    const Block block(context, op, x, y);
    const plan::ConvolutionAttributes& attributes = plan::convolutionAttributes(op);
    const bool pools = attributes.pool.has_value();
    Convolution work = convolutionOf(ConvolutionWay::kForward, attributes.window, block.x, block.inner);
    work.type = work.result = context.tensor(x).dtype;
    const BoundWork product = bindConvolutionWork(context.libraries(), work);
    ScratchLayout layout;
    const std::int64_t inner_at = layout.add(pools ? block.innerElements() * static_cast<std::int64_t>(sizeof(T)) : 0);
    const std::int64_t work_at = layout.add(product.scratch_bytes);
    const std::byte *x_bytes = context.bytes(x), *kernel_bytes = context.bytes(kernel);
    const T* bias = context.as<T>(op.inputs[2]);
    T* to = context.as<T>(y);
    std::uint8_t* argmax = op.outputs.size() > 1 ? context.cells(op.outputs[1]) : nullptr;
    const std::int64_t count = context.elements(y), columns = block.y.back();
    const bool relu = attributes.activation == plan::Activation::kRelu, is_wide = columns % kVectorOf<T> == 0 && areAligned(bias, to);
    const Halving windows(block.inner, block.y);
    return {.kernel = product.kernel + (pools ? ", a pass that pools" : ", a pass over values"),
            .scratch_bytes = layout.bytes(),
            .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                T* inner = pools ? reinterpret_cast<T*>(scratch + inner_at) : to;
                product.enqueue(stream, {.a = x_bytes, .b = kernel_bytes, .c = inner}, scratch + work_at);
                if (pools) {
                    const BiasReluPool<T> pass{inner, bias, to, argmax, windows, relu};
                    launchPointwise<kVectorOf<T>>("bias and pooling", pass, count,
                                                  is_wide && reinterpret_cast<std::uintptr_t>(argmax) % kVectorOf<T> == 0, stream);
                } else {
                    launchPointwise<kVectorOf<T>>("bias", BiasRelu<T>{inner, bias, to, Division(columns), relu}, count, is_wide, stream);
                }
            }};
}

template <typename T>
BoundOp bindBack(const Context& context, const plan::Op& op) {
    const plan::TensorId x = op.inputs[0], kernel = op.inputs[1], y = op.inputs[2], dy = op.inputs.back();
    const Block block(context, op, x, y);
    const plan::ConvolutionAttributes& attributes = plan::convolutionAttributes(op);
    const bool relu = attributes.activation == plan::Activation::kRelu, pools = attributes.pool.has_value(), has_dx = op.outputs.size() > 2;
    Convolution work = convolutionOf(ConvolutionWay::kBackKernel, attributes.window, block.x, block.inner);
    work.type = context.tensor(x).dtype;
    work.result = context.tensor(op.outputs[0]).dtype;
    const BoundWork of_kernel = bindConvolutionWork(context.libraries(), work);
    BoundWork of_input;
    if (has_dx) {
        work.way = ConvolutionWay::kBackInput;
        work.result = context.tensor(op.outputs[2]).dtype;
        of_input = bindConvolutionWork(context.libraries(), work);
    }
    const std::int64_t columns = block.y.back(), rows = context.elements(y) / columns;
    const T *dy_values = context.as<T>(dy), *outputs = relu ? context.as<T>(y) : nullptr;
    const std::uint8_t* argmax = pools ? context.cells(op.inputs[3]) : nullptr;
    constexpr int kWidth = 4;
    const ColumnSums<1, kWidth> sums(rows, columns,
                                     areAligned(dy_values, outputs) && reinterpret_cast<std::uintptr_t>(argmax) % kWidth == 0);
    ScratchLayout layout;
    const bool has_own_dz = pools || relu;
    const std::int64_t dz_at = layout.add(has_own_dz ? block.innerElements() * static_cast<std::int64_t>(sizeof(T)) : 0);
    const std::int64_t sums_at = layout.add(sums.scratchBytes());
    const std::int64_t work_at = layout.add(std::max(of_kernel.scratch_bytes, of_input.scratch_bytes));
    const std::byte *x_bytes = context.bytes(x), *kernel_bytes = context.bytes(kernel);
    std::byte* dkernel = context.bytes(op.outputs[0]);
    std::byte* dx = has_dx ? context.bytes(op.outputs[2]) : nullptr;
    const SumDestinations<1> dbias{{context.floats(op.outputs[1])}};
    const Halving windows(block.inner, block.y);
    return {
        .kernel = "a pass over dy, " + of_kernel.kernel + (has_dx ? ", " + of_input.kernel : ""),
        .scratch_bytes = layout.bytes(),
        .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
            T* own = reinterpret_cast<T*>(scratch + dz_at);
            auto* sums_memory = reinterpret_cast<float*>(scratch + sums_at);
            if (pools) {
                sums.enqueue("pooling's gradient", PoolGradient<T>{dy_values, outputs, argmax, own, windows}, dbias, sums_memory, stream);
            } else {
                const ReluGradient<T> pass{dy_values, outputs, relu ? own : nullptr, columns};
                sums.enqueue("relu's gradient", pass, dbias, sums_memory, stream);
            }
            const T* dz = has_own_dz ? own : dy_values;
            of_kernel.enqueue(stream, {.a = x_bytes, .b = dz, .c = dkernel}, scratch + work_at);
            if (has_dx) of_input.enqueue(stream, {.a = dz, .b = kernel_bytes, .c = dx}, scratch + work_at);
        }};
}

}  // namespace

BoundOp bindConvolution(const Context& context, const plan::Op& op) {
    if (op.kind != plan::OpKind::kFusedConvBlock && op.kind != plan::OpKind::kFusedConvBlockBack) return bindAlone(context, op);
    if (std::optional<BoundOp> direct = bindDirectConvolution(context, op)) return *std::move(direct);
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() {
        bound = op.kind == plan::OpKind::kFusedConvBlock ? bindForward<T>(context, op) : bindBack<T>(context, op);
    });
    return bound;
}

}  // namespace engine::backend::cuda
