#include "engine/backend/cuda/products/narrow_dense.h"

#include <cstdint>

#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/kernels/reduce.h"
#include "engine/backend/cuda/kernels/values.h"

namespace engine::backend::cuda {
namespace {

constexpr int kThreads = 256, kWarps = kThreads / kWarp, kMostColumns = 16;
constexpr std::int64_t kMostGradients = 7168;  // of dz, in shared memory beside the warps' sums

template <typename T>
struct NarrowBack {
    const T *x, *w, *y, *dy;  // (rows, inner), (inner, columns), (rows, columns); y null: linear
    float *dw, *dbias;
    T* dx;  // or null
    std::int64_t rows;
    Division inner;
    int columns;
    unsigned weight_blocks;  // the blocks behind these do dx

    __device__ float dz(std::int64_t at) const {
        const float gradient = toFloat(dy[at]);
        return y == nullptr || toFloat(y[at]) > 0 ? gradient : 0;
    }
};

// A block has 32 rows of w, lane by lane, the one behind the last being the bias; its warps deal the batch among them.
template <typename T>
__device__ void sumWeights(const NarrowBack<T>& op) {
    __shared__ float of_warps[kWarps][kMostColumns][kWarp];
    auto* gradients = dynamicShared<float>();
    const int thread = static_cast<int>(threadIdx.x), lane = thread % kWarp, warp = thread / kWarp, columns = op.columns;
    const int count = static_cast<int>(op.rows) * columns;
    for (int i = thread; i < count; i += kThreads) gradients[i] = op.dz(i);
    __syncthreads();
    const std::int64_t inner = op.inner.divisor(), p = static_cast<std::int64_t>(blockIdx.x) * kWarp + lane;
    float sums[kMostColumns] = {};
    if (p <= inner) {
#pragma unroll 4
        for (int row = warp; row < static_cast<int>(op.rows); row += kWarps) {
            const float value = p == inner ? 1 : toFloat(op.x[row * inner + p]);
#pragma unroll
            for (int j = 0; j < kMostColumns; ++j) {
                if (j < columns) sums[j] += value * gradients[row * columns + j];
            }
        }
    }
#pragma unroll
    for (int j = 0; j < kMostColumns; ++j) of_warps[warp][j][lane] = sums[j];
    __syncthreads();
    for (int j = warp; j < columns && p <= inner; j += kWarps) {
        float sum = of_warps[0][j][lane];
        for (int i = 1; i < kWarps; ++i) sum += of_warps[i][j][lane];
        (p == inner ? op.dbias[j] : op.dw[p * columns + j]) = sum;
    }
}

template <typename T>
__global__ void __launch_bounds__(kThreads) narrowBackKernel(NarrowBack<T> op) {
    if (blockIdx.x < op.weight_blocks) return sumWeights(op);
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x - op.weight_blocks) * kThreads + threadIdx.x;
    const Division::Parts place = op.inner(at);
    if (place.quotient >= op.rows) return;
    float sum = 0;
    for (int j = 0; j < op.columns; ++j) {
        sum += op.dz(place.quotient * op.columns + j) * toFloat(op.w[place.rest * op.columns + j]);
    }
    op.dx[at] = fromFloat<T>(sum);
}

}  // namespace

std::optional<BoundOp> bindNarrowDenseBack(const Context& context, const plan::Op& op) {
    const plan::TensorId x = op.inputs[0], w = op.inputs[1], y = op.inputs[2], dy = op.inputs[3];
    const bool has_dx = op.outputs.size() > 2, is_relu = plan::activationOf(op) == plan::Activation::kRelu;
    const spec::Shape matrix = plan::matrixShape(context.shape(w), context.shape(x).back());
    const std::int64_t inner = matrix[0], columns = matrix[1], rows = context.elements(x) / inner;
    const auto type = context.tensor(x).dtype;
    const bool is_plain = context.tensor(w).dtype == type && context.tensor(dy).dtype == type && context.tensor(y).dtype == type &&
                          context.tensor(op.outputs[0]).dtype == tensor::DType::kFloat32 &&
                          (!has_dx || context.tensor(op.outputs[2]).dtype == type);
    if (!is_plain || columns > kMostColumns || rows * columns > kMostGradients) return std::nullopt;
    BoundOp bound{.kernel = "all gradients in one pass"};
    withValues(context.tensor(x), [&]<typename T>() {
        const auto weight_blocks = static_cast<unsigned>((inner + 1 + kWarp - 1) / kWarp);
        const NarrowBack<T> back{.x = context.as<T>(x),
                                 .w = context.as<T>(w),
                                 .y = is_relu ? context.as<T>(y) : nullptr,
                                 .dy = context.as<T>(dy),
                                 .dw = context.floats(op.outputs[0]),
                                 .dbias = context.floats(op.outputs[1]),
                                 .dx = has_dx ? context.as<T>(op.outputs[2]) : nullptr,
                                 .rows = rows,
                                 .inner = Division(inner),
                                 .columns = static_cast<int>(columns),
                                 .weight_blocks = weight_blocks};
        const unsigned dx_blocks = has_dx ? gridOf(rows * inner, kThreads).blocks.x : 0;
        const Grid grid{.blocks = dim3(weight_blocks + dx_blocks),
                        .threads = dim3(kThreads),
                        .shared_bytes = static_cast<std::size_t>(rows * columns) * sizeof(float)};
        bound.enqueue = [=](cudaStream_t stream, std::byte*) { launch("dense's gradients", grid, stream, narrowBackKernel<T>, back); };
    });
    return bound;
}

}  // namespace engine::backend::cuda
