// A weight's constraint after its update; formulas in engine/backend/constraint.h. For norms a block has 32 places side by side and parts
// of their sums one below the other, so that neighbours in memory are read together.
#include <cstdint>
#include <string>
#include <variant>

#include "engine/backend/constraint.h"
#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/spec/error.h"

namespace engine::backend::cuda {
namespace {

constexpr int kMostAxes = 8, kPlaces = 32, kParts = 8;

struct Axes {
    std::int64_t sizes[kMostAxes];
    std::int64_t strides[kMostAxes];
    int count;

    // The offset of element number `index` (C order over these axes).
    __device__ std::int64_t offsetOf(std::int64_t index) const {
        std::int64_t offset = 0;
        for (int axis = count - 1; axis >= 0; --axis) {
            offset += index % sizes[axis] * strides[axis];
            index /= sizes[axis];
        }
        return offset;
    }
};

__global__ void nonNegativeKernel(const StepParameters* step, float* weight, std::int64_t count) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (!step->leaves_out && i < count && weight[i] < 0) weight[i] = 0;
}

__global__ void normKernel(const StepParameters* step, NormConstraint constraint, float* weight, Axes kept, std::int64_t places,
                           Axes summed, std::int64_t values) {
    __shared__ double parts[kParts][kPlaces];
    if (step->leaves_out) return;
    const std::int64_t place = static_cast<std::int64_t>(blockIdx.x) * kPlaces + threadIdx.x;
    const std::int64_t offset = place < places ? kept.offsetOf(place) : 0;
    double squares = 0;
    for (std::int64_t i = threadIdx.y; place < places && i < values; i += kParts) {
        const auto value = static_cast<double>(weight[offset + summed.offsetOf(i)]);
        squares += value * value;
    }
    parts[threadIdx.y][threadIdx.x] = squares;
    __syncthreads();
    squares = 0;
    for (int part = 0; part < kParts; ++part) squares += parts[part][threadIdx.x];
    const double factor = constraintFactor(constraint, squares);
    for (std::int64_t i = threadIdx.y; place < places && i < values; i += kParts) {
        float& value = weight[offset + summed.offsetOf(i)];
        value = static_cast<float>(static_cast<double>(value) * factor);
    }
}

}  // namespace

BoundOp bindConstrain(const Context& context, const plan::Op& op) {
    const auto& constraint = std::get<plan::ConstraintAttributes>(op.attributes);
    const StepParameters* step = context.step();
    float* weight = context.floats(op.outputs[0]);
    const std::int64_t count = context.elements(op.outputs[0]);
    BoundOp bound;
    if (constraint.kind == plan::ConstraintKind::kNonNeg) {
        bound.kernel = "a pass over values";
        bound.enqueue = [=](cudaStream_t stream, std::byte*) {
            launch("weights not below 0", gridOf(count), stream, nonNegativeKernel, step, weight, count);
        };
        return bound;
    }
    const spec::Shape& shape = context.shape(op.outputs[0]);
    if (shape.size() > kMostAxes) {
        throw Error(ErrorCode::kUnimplemented, context.tensor(op.outputs[0]).name + ": expected " + std::to_string(kMostAxes) +
                                                   " axes or fewer for a constraint, got " + std::to_string(shape.size()));
    }
    Axes kept{}, summed{};
    std::int64_t places = 1, values = 1, stride = count;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        bool is_summed = false;
        for (const int of_norm : constraint.axes) is_summed = is_summed || of_norm == static_cast<int>(axis);
        stride /= shape[axis] > 0 ? shape[axis] : 1;
        Axes& axes = is_summed ? summed : kept;
        axes.sizes[axes.count] = shape[axis];
        axes.strides[axes.count++] = stride;
        (is_summed ? values : places) *= shape[axis];
    }
    const NormConstraint norm = normConstraint(constraint);
    bound.kernel = std::to_string(places) + (places == 1 ? " norm" : " norms");
    bound.enqueue = [=](cudaStream_t stream, std::byte*) {
        const Grid grid{.blocks = dim3(static_cast<unsigned>((places + kPlaces - 1) / kPlaces)), .threads = dim3(kPlaces, kParts)};
        launch("norms of weights", grid, stream, normKernel, step, norm, weight, kept, places, summed, values);
    };
    return bound;
}

}  // namespace engine::backend::cuda
