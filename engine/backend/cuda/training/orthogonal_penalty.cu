#include "engine/backend/cuda/training/orthogonal_penalty.h"

#include <variant>

#include "engine/backend/cuda/kernels/device_lanes.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/kernels/values.h"
#include "engine/plan/memory.h"

namespace engine::backend::cuda {
namespace {

constexpr unsigned kThreads = 128;
constexpr double kLargest = 1e7;  // a vector of zeros has no direction

__device__ double productOf(const OrthogonalMatrix& m, std::int64_t i, std::int64_t j) {
    const float *a = m.values + i * m.vector_step, *b = m.values + j * m.vector_step;
    double sum = 0;
    for (std::int64_t k = 0; k < m.length; ++k) {
        sum += static_cast<double>(a[k * m.element_step]) * static_cast<double>(b[k * m.element_step]);
    }
    return sum;
}

__global__ void lengthKernel(OrthogonalMatrix m, double* over_lengths) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= m.count) return;
    const double over = 1 / std::sqrt(productOf(m, i, i));
    over_lengths[i] = over < kLargest ? over : kLargest;
}

// A block a vector: the sizes of its products with the others; `signs` (count, count) with the others' lengths, or null.
__global__ void partKernel(OrthogonalMatrix m, const double* over_lengths, double* parts, double factor, float* signs) {
    const std::int64_t i = blockIdx.x;
    double sum = 0;
    for (std::int64_t j = threadIdx.x; j < m.count; j += blockDim.x) {
        const double both = i == j ? 0 : productOf(m, i, j);
        sum += (both < 0 ? -both : both) * over_lengths[j];
        if (signs != nullptr) signs[i * m.count + j] = static_cast<float>((both > 0) - (both < 0));
    }
    sum = sumOfBlock(sum);
    if (threadIdx.x == 0) parts[i] = factor * sum * over_lengths[i];
}

struct OrthogonalSlope {
    OrthogonalMatrix matrix;
    const double *over_lengths, *parts;
    const float* signs;
    double replicas;
    const float* scale;  // of the loss, or null
};

template <typename G>
__global__ void orthogonalSlopeKernel(OrthogonalSlope op, G* gradient) {
    const OrthogonalMatrix& m = op.matrix;
    const std::int64_t element = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (element >= m.count * m.length) return;
    const std::int64_t i = element / m.length, k = element % m.length;
    double pull = 0;
    for (std::int64_t j = 0; j < m.count; ++j) {
        pull += static_cast<double>(op.signs[i * m.count + j]) * op.over_lengths[j] *
                static_cast<double>(m.values[j * m.vector_step + k * m.element_step]);
    }
    const std::int64_t at = i * m.vector_step + k * m.element_step;
    const double own = op.over_lengths[i];
    const double back = own < kLargest ? op.parts[i] * own * static_cast<double>(m.values[at]) : 0;
    const double scale = (op.scale != nullptr ? static_cast<double>(*op.scale) : 1.0) / op.replicas;
    const double slope = 2 * m.factor * scale * own * (pull - back);
    gradient[at] = fromFloat<G>(toFloat(gradient[at]) + static_cast<float>(slope));
}

std::int64_t lengthBytes(const OrthogonalMatrix& matrix) {
    return plan::alignUp(matrix.count * static_cast<std::int64_t>(sizeof(double)));
}

}  // namespace

OrthogonalMatrix orthogonalMatrix(const plan::Penalty& penalty, const spec::Shape& shape, const float* values) {
    const bool rows = penalty.vectors == plan::PenalisedVectors::kRows;
    OrthogonalMatrix matrix{.values = values,
                            .count = rows ? shape[0] : shape[1],
                            .length = rows ? shape[1] : shape[0],
                            .vector_step = rows ? shape[1] : 1,
                            .element_step = rows ? 1 : shape[1]};
    if (matrix.count > 1) matrix.factor = static_cast<double>(penalty.orthogonal) / static_cast<double>(matrix.count * (matrix.count - 1));
    return matrix;
}

std::int64_t orthogonalScratch(const OrthogonalMatrix& matrix) {
    return lengthBytes(matrix);
}

void launchOrthogonalParts(const OrthogonalMatrix& matrix, double* parts, cudaStream_t stream, std::byte* scratch) {
    auto* over_lengths = reinterpret_cast<double*>(scratch);
    const Grid vectors{.blocks = dim3(static_cast<unsigned>(matrix.count)), .threads = dim3(kThreads)};
    launch("lengths of vectors", gridOf(matrix.count, kThreads), stream, lengthKernel, matrix, over_lengths);
    launch("products of vectors", vectors, stream, partKernel, matrix, over_lengths, parts, matrix.factor, nullptr);
}

BoundOp bindOrthogonalSlope(const Context& context, const plan::Op& op) {
    const plan::Penalty& penalty = std::get<plan::PenaltyAttributes>(op.attributes).penalties.front();
    const OrthogonalMatrix matrix = orthogonalMatrix(penalty, context.shape(op.inputs[0]), context.floats(op.inputs[0]));
    const std::int64_t bytes = lengthBytes(matrix);
    OrthogonalSlope slope{.matrix = matrix,
                          .over_lengths = nullptr,
                          .parts = nullptr,
                          .signs = nullptr,
                          .replicas = static_cast<double>(context.plan().replicas),
                          .scale = op.inputs.size() > 2 ? context.floats(op.inputs[2]) : nullptr};
    BoundOp bound;
    bound.kernel = "pairs of vectors";
    bound.scratch_bytes = 2 * bytes + matrix.count * matrix.count * static_cast<std::int64_t>(sizeof(float));
    withValues(context.tensor(op.outputs[0]), [&]<typename G>() {
        bound.enqueue = [slope, bytes, to = context.as<G>(op.outputs[0])](cudaStream_t stream, std::byte* scratch) {
            OrthogonalSlope placed = slope;
            auto* over_lengths = reinterpret_cast<double*>(scratch);
            auto* parts = reinterpret_cast<double*>(scratch + bytes);
            auto* signs = reinterpret_cast<float*>(scratch + 2 * bytes);
            placed.over_lengths = over_lengths;
            placed.parts = parts;
            placed.signs = signs;
            const OrthogonalMatrix& m = placed.matrix;
            const Grid vectors{.blocks = dim3(static_cast<unsigned>(m.count)), .threads = dim3(kThreads)};
            launch("lengths of vectors", gridOf(m.count, kThreads), stream, lengthKernel, m, over_lengths);
            launch("products of vectors", vectors, stream, partKernel, m, over_lengths, parts, 1.0, signs);
            launch("slope of vectors", gridOf(m.count * m.length), stream, orthogonalSlopeKernel<G>, placed, to);
        };
    });
    return bound;
}

}  // namespace engine::backend::cuda
