// Muon's updates (engine/backend/whole/orthogonal_update.h): each matrix by products of the library, and Adam's variables as any update by
// elements.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/device_lanes.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/libraries.h"
#include "engine/backend/cuda/products/scratch.h"
#include "engine/backend/cuda/training/update.h"
#include "engine/backend/flat_update.h"
#include "engine/backend/update_formulas.h"

namespace engine::backend::cuda {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kChunk = 4096;  // floats of a block
constexpr std::size_t kMomentum = 0, kSecondMoment = 1;

struct Matrix {
    float* values;
    const float* gradient;
    float* momentum;
    float* average;               // or null
    std::int64_t count, columns;  // of the variable
    std::int64_t turned_columns;  // of x where it is the variable's transpose; 0: it is not
};

// Where the element of the variable lies in x.
__device__ std::int64_t placeOf(const Matrix& own, std::int64_t element) {
    if (own.turned_columns == 0) return element;
    return element % own.columns * own.turned_columns + element / own.columns;
}

__global__ void momentumKernel(plan::UpdateRule rule, const StepParameters* step, const plan::StepFactors* step_factors, Matrix own,
                               float* x, double* squares) {
    const plan::StepFactors factors = *step_factors;
    if (step->leaves_out || !factors.applies) return;
    const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * kChunk,
                       end = begin + kChunk < own.count ? begin + kChunk : own.count;
    double sum = 0;
    for (std::int64_t i = begin + threadIdx.x; i < end; i += kThreads) {
        if (factors.decay != 1) own.values[i] *= factors.decay;
        const float value = advanceMomentum(rule, own.gradient[i], own.momentum[i]);
        x[placeOf(own, i)] = value;
        sum += static_cast<double>(value) * static_cast<double>(value);
    }
    sum = sumOfBlock(sum);
    if (threadIdx.x == 0) squares[blockIdx.x] = sum;
}

// Every block adds all squares up.
__global__ void normalizeKernel(const StepParameters* step, const plan::StepFactors* factors, std::int64_t count, const double* squares,
                                std::int64_t blocks, float* x) {
    if (step->leaves_out || !factors->applies) return;
    double sum = 0;
    for (std::int64_t i = threadIdx.x; i < blocks; i += kThreads) sum += squares[i];
    const float scale = overNorm(sumOfBlock(sum));
    const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * kChunk, end = begin + kChunk < count ? begin + kChunk : count;
    for (std::int64_t i = begin + threadIdx.x; i < end; i += kThreads) x[i] *= scale;
}

// to = of_from from + of_to to
__global__ void combineKernel(const StepParameters* step, const plan::StepFactors* factors, std::int64_t count, float of_from,
                              const float* from, float of_to, float* to) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i >= count || step->leaves_out || !factors->applies) return;
    to[i] = of_from * from[i] + of_to * to[i];
}

__global__ void applyMatrixKernel(plan::UpdateRule rule, const StepParameters* step, const plan::StepFactors* step_factors, Matrix own,
                                  const float* x) {
    const plan::StepFactors factors = *step_factors;
    if (step->leaves_out || (!factors.applies && !rule.keeps_average)) return;
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i >= own.count) return;
    float w = own.values[i];
    if (factors.applies) w -= orthogonalScale(rule, factors, own.count / own.columns, own.columns) * x[placeOf(own, i)];
    if (own.average != nullptr) averageElement(factors, w, own.average[i]);
    own.values[i] = w;
}

// A matrix with its products; x and the next x change places each time.
struct Orthogonal {
    Matrix own{};
    std::int64_t rows = 0, columns = 0;  // of x
    BoundWork outer, square, next;       // x x', A A, B x
    std::int64_t x_at = 0, next_at = 0, a_at = 0, b_at = 0, squares_at = 0, work_at = 0;
    std::int64_t scratch_bytes = 0;

    Orthogonal(Libraries* libraries, const plan::UpdateRule& rule, const FlatRun& run)
        : own{.values = run.parameter,
              .gradient = run.gradient,
              .momentum = run.slots[kMomentum],
              .average = rule.keeps_average ? run.slots[rule.average_slot] : nullptr,
              .count = run.count,
              .columns = run.columns,
              .turned_columns = run.rows > run.columns ? run.rows : 0},
          rows(std::min(run.rows, run.columns)),
          columns(std::max(run.rows, run.columns)),
          outer(bindProduct(libraries, {.m = rows, .n = rows, .k = columns, .b_transposed = true})),
          square(bindProduct(libraries, {.m = rows, .n = rows, .k = rows})),
          next(bindProduct(libraries, {.m = rows, .n = columns, .k = rows})) {
        constexpr auto kFloat = static_cast<std::int64_t>(sizeof(float));
        ScratchLayout layout;
        x_at = layout.add(run.count * kFloat);
        next_at = layout.add(run.count * kFloat);
        a_at = layout.add(rows * rows * kFloat);
        b_at = layout.add(rows * rows * kFloat);
        squares_at = layout.add(blocks() * static_cast<std::int64_t>(sizeof(double)));
        work_at = layout.add(std::max({outer.scratch_bytes, square.scratch_bytes, next.scratch_bytes}));
        scratch_bytes = layout.bytes();
    }

    std::int64_t blocks() const { return (own.count + kChunk - 1) / kChunk; }

    void enqueue(cudaStream_t stream, std::byte* scratch, const plan::UpdateRule& rule, const StepParameters* step,
                 const plan::StepFactors* factors) const {
        auto *x = reinterpret_cast<float*>(scratch + x_at), *other = reinterpret_cast<float*>(scratch + next_at);
        auto *a = reinterpret_cast<float*>(scratch + a_at), *b = reinterpret_cast<float*>(scratch + b_at);
        auto* squares = reinterpret_cast<double*>(scratch + squares_at);
        std::byte* work = scratch + work_at;
        const Grid chunks{.blocks = dim3(static_cast<unsigned>(blocks())), .threads = dim3(kThreads)};
        const plan::MuonNumbers& numbers = rule.muon;
        launch("momentum of an update", chunks, stream, momentumKernel, rule, step, factors, own, x, squares);
        launch("norm of an update", chunks, stream, normalizeKernel, step, factors, own.count, squares, blocks(), x);
        for (std::int64_t i = 0; i < numbers.steps; ++i) {
            outer.enqueue(stream, {.a = x, .b = x, .c = a}, work);
            square.enqueue(stream, {.a = a, .b = a, .c = b}, work);
            launch("polynomial of an update", gridOf(rows * rows, kThreads), stream, combineKernel, step, factors, rows * rows, numbers.b,
                   a, numbers.c, b);
            next.enqueue(stream, {.a = b, .b = x, .c = other}, work);
            launch("polynomial of an update", gridOf(own.count, kThreads), stream, combineKernel, step, factors, own.count, numbers.a, x,
                   1.0F, other);
            std::swap(x, other);
        }
        launch("steps of an update", gridOf(own.count, kThreads), stream, applyMatrixKernel, rule, step, factors, own, x);
    }
};

}  // namespace

BoundOp bindOrthogonalUpdate(Libraries* libraries, const plan::UpdateRule& rule, const std::vector<FlatRun>& runs,
                             const StepParameters* step, const plan::StepFactors* factors) {
    std::vector<FlatRun> adams;
    std::vector<Orthogonal> matrices;
    for (const FlatRun& run : runs) {
        if (run.count == 0) continue;
        if (run.slots[kSecondMoment] != nullptr) {
            adams.push_back(run);
        } else {
            matrices.emplace_back(libraries, rule, run);
        }
    }
    const BoundOp elements = bindElements(rule, adams, step, factors);
    BoundOp bound;
    bound.kernel = elements.kernel + ", " + std::to_string(matrices.size()) + " orthogonal";
    for (const Orthogonal& matrix : matrices) bound.scratch_bytes = std::max(bound.scratch_bytes, matrix.scratch_bytes);
    bound.enqueue = [=, matrices = std::move(matrices)](cudaStream_t stream, std::byte* scratch) {
        elements.enqueue(stream, scratch);
        for (const Orthogonal& matrix : matrices) matrix.enqueue(stream, scratch, rule, step, factors);
    };
    return bound;
}

}  // namespace engine::backend::cuda
