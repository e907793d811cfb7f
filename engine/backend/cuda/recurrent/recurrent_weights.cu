#include "engine/backend/cuda/recurrent/recurrent_weights.h"

#include <algorithm>

#include "engine/backend/cuda/kernels/column_sums.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/kernels/values.h"

namespace engine::backend::cuda {
namespace {

// dU: what stood before U, transposed, times what came after it.
constexpr int kTile = 64, kDepth = 16, kOwn = 4, kThreads = (kTile / kOwn) * (kTile / kOwn);
struct KernelSums {
    Backward of;
    std::int64_t rows, rows_a_split;
    float* to;  // (splits, units, columns)
};

__global__ void __launch_bounds__(kThreads) kernelSums(KernelSums op) {
    __shared__ float states[kDepth][kTile];
    __shared__ float gradients[kDepth][kTile];
    const Backward& of = op.of;
    const int units = of.units, tiles = (units + kTile - 1) / kTile;
    const int gate = static_cast<int>(blockIdx.x) / tiles, first_column = static_cast<int>(blockIdx.x) % tiles * kTile;
    const int first_unit = static_cast<int>(blockIdx.y) * kTile, thread = static_cast<int>(threadIdx.x);
    const bool is_apart = of.isApart(gate), is_reset_state = of.isGru() && gate == 2 && !is_apart;
    const std::int64_t begin = static_cast<std::int64_t>(blockIdx.z) * op.rows_a_split;
    const std::int64_t end = begin + op.rows_a_split < op.rows ? begin + op.rows_a_split : op.rows;
    float sums[kOwn][kOwn] = {};
    const int own_row = thread / (kTile / kOwn) * kOwn, own_column = thread % (kTile / kOwn) * kOwn;
    for (std::int64_t chunk = begin; chunk < end; chunk += kDepth) {
        for (int i = thread; i < kDepth * kTile; i += kThreads) {
            const std::int64_t row = chunk + i / kTile;
            const int unit = first_unit + i % kTile, column = first_column + i % kTile;
            float state = 0, gradient = 0;
            if (row < end && unit < units) {
                state = is_reset_state ? of.inner[row * units + unit]  // dropped already
                                       : of.previous[row * units + unit] * of.seen(row / of.time, gate, unit);
            }
            if (row < end && column < units) {
                gradient = is_apart ? of.hidden[row * units + column] : of.dz[row * of.columns + gate * units + column];
            }
            states[i / kTile][i % kTile] = state;
            gradients[i / kTile][i % kTile] = gradient;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
#pragma unroll
            for (int a = 0; a < kOwn; ++a) {
#pragma unroll
                for (int b = 0; b < kOwn; ++b) sums[a][b] += states[k][own_row + a] * gradients[k][own_column + b];
            }
        }
        __syncthreads();
    }
    float* to = op.to + static_cast<std::int64_t>(blockIdx.z) * units * of.columns;
    for (int a = 0; a < kOwn; ++a) {
        for (int b = 0; b < kOwn; ++b) {
            const int unit = first_unit + own_row + a, column = first_column + own_column + b;
            if (unit < units && column < units) to[static_cast<std::int64_t>(unit) * of.columns + gate * units + column] = sums[a][b];
        }
    }
}

__global__ void joinKernel(const float* parts, int splits, std::int64_t count, float* to) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float sum = 0;
    for (int split = 0; split < splits; ++split) sum += parts[split * count + i];
    to[i] = sum;
}

// The rows of gradients of both biases: dz, and the gradient of what came after U, which differs for a candidate alone.
struct BiasGradients {
    const float *dz, *hidden;
    std::int64_t units, columns;

    template <int width>
    __device__ void add(std::int64_t row, std::int64_t column, SumsOfColumns<2, width>& to) const {
        float outer[width], inner[width];
        loadPack(dz + row * columns + column, outer);
        const bool is_apart = hidden != nullptr && column >= 2 * units;
        loadPack(is_apart ? hidden + row * units + column - 2 * units : dz + row * columns + column, inner);
#pragma unroll
        for (int i = 0; i < width; ++i) {
            to.values[0][i] += outer[i];
            to.values[1][i] += inner[i];
        }
    }
};
constexpr int kBiasWidth = 4;
ColumnSums<2, kBiasWidth> biasSums(const Backward& of, std::int64_t rows) {
    return {rows, of.columns, of.units % kBiasWidth == 0 && areAligned(of.dz, of.hidden)};
}

std::int64_t divideUp(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

}  // namespace

RecurrentWeights::RecurrentWeights(const Backward& of, Libraries* libraries, float* dkernel, float* dbias)
    : of_(of), rows_(of.samples * of.time), dkernel_(dkernel), dbias_(dbias) {
    if (dkernel == nullptr) return;
    // One product, where no gate sees another state than the others.
    if (libraries != nullptr && of.a.cell != RecurrentCell::kGru && of.kept == nullptr) {
        work_ = libraries->product({.m = of.units, .n = of.columns, .k = rows_, .a_transposed = true});
    }
    // Enough blocks for a GPU, and rows enough for each to be worth a launch.
    constexpr std::int64_t kWantedBlocks = 256, kLeastRows = 128;
    tiles_ = static_cast<int>(divideUp(of.units, kTile));
    const std::int64_t tiles = static_cast<std::int64_t>(tiles_) * tiles_ * of.gates;
    const std::int64_t wanted = std::max<std::int64_t>(1, std::min(divideUp(kWantedBlocks, tiles), divideUp(rows_, kLeastRows)));
    rows_a_split_ = std::max<std::int64_t>(1, divideUp(rows_, wanted));
    splits_ = static_cast<int>(std::max<std::int64_t>(1, divideUp(rows_, rows_a_split_)));
}

std::int64_t RecurrentWeights::scratchBytes() const {
    if (dkernel_ == nullptr) return 0;
    const std::int64_t of_kernel = work_         ? work_->scratch_bytes
                                   : splits_ > 1 ? splits_ * elements() * static_cast<std::int64_t>(sizeof(float))
                                                 : 0;
    return dbias_ == nullptr ? of_kernel : std::max(of_kernel, biasSums(of_, rows_).scratchBytes());
}

std::string RecurrentWeights::text() const {
    if (dkernel_ == nullptr) return {};
    return ", dU " + (work_ ? "by " + work_->kernel : "in " + std::to_string(splits_) + (splits_ == 1 ? " part" : " parts"));
}

void RecurrentWeights::enqueue(cudaStream_t stream, std::byte* scratch) const {
    if (dkernel_ == nullptr) return;
    if (work_) {
        work_->enqueue(stream, {.a = of_.previous, .b = of_.dz, .c = dkernel_}, scratch);
    } else {
        const KernelSums sums{
            .of = of_, .rows = rows_, .rows_a_split = rows_a_split_, .to = splits_ > 1 ? reinterpret_cast<float*>(scratch) : dkernel_};
        const Grid grid{
            .blocks = dim3(static_cast<unsigned>(tiles_ * of_.gates), static_cast<unsigned>(tiles_), static_cast<unsigned>(splits_)),
            .threads = dim3(kThreads)};
        launch("gradient of a recurrent kernel", grid, stream, kernelSums, sums);
        if (splits_ > 1) {
            launch("parts of a recurrent kernel's gradient", gridOf(elements()), stream, joinKernel, sums.to, splits_, elements(),
                   dkernel_);
        }
    }
    if (dbias_ == nullptr) return;
    const SumDestinations<2> to{{dbias_, dbias_ + of_.columns}};
    biasSums(of_, rows_)
        .enqueue("gradient of recurrent biases", BiasGradients{of_.dz, of_.hidden, of_.units, of_.columns}, to,
                 reinterpret_cast<float*>(scratch), stream);
}

}  // namespace engine::backend::cuda
