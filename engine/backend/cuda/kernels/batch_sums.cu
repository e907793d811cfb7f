// What replicas add up for statistics of all of them.
#include <string>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/batch_sums.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/kernels/values.h"

namespace engine::backend::cuda {
namespace {

// What the replicas add up: sums of x - m and of its square, or of dy normalized and of dy (also dgamma, dbeta); the number of values.
struct ReplicaSums {
    Channels channels;
    const float* parts;
    int part_count;
    const float *mean, *inverse;  // inverse: backward
    float *sums, *dgamma, *dbeta;
};
template <int width>
__global__ void sumsOfValuesKernel(ReplicaSums op, ColumnGrid grid) {
    const ColumnPlace place(grid.lanes, width);
    const auto batch = wholeOf<Moments<width>>(op.parts, op.part_count, grid, place);
    if (place.thread_row != 0 || place.column >= grid.columns) return;
    for (int i = 0; i < width; ++i) {
        const float distance = batch.count == 0 ? 0 : batch.mean[i] - op.mean[place.column + i];
        op.sums[place.column + i] = batch.count * distance;
        op.sums[grid.columns + place.column + i] = batch.squares[i] + batch.count * distance * distance;
    }
    if (place.column == 0) op.sums[2 * grid.columns] = static_cast<float>(op.channels.presentRows());
}
template <int width>
__global__ void sumsOfGradientsKernel(ReplicaSums op, ColumnGrid grid) {
    const ColumnPlace place(grid.lanes, width);
    const auto batch = wholeOf<GradientSums<width>>(op.parts, op.part_count, grid, place);
    if (place.thread_row != 0 || place.column >= grid.columns) return;
    for (int i = 0; i < width; ++i) {
        const std::int64_t channel = place.column + i;
        const float product = batch.product[i] * op.inverse[channel];
        op.sums[channel] = product;
        op.sums[grid.columns + channel] = batch.sum[i];
        if (op.dgamma != nullptr) op.dgamma[channel] = product;
        if (op.dbeta != nullptr) op.dbeta[channel] = batch.sum[i];
    }
    if (place.column == 0) op.sums[2 * grid.columns] = static_cast<float>(op.channels.presentRows());
}

template <typename T>
BoundOp bindSums(const Context& context, const plan::Op& op) {
    const auto& a = std::get<plan::BatchNormAttributes>(op.attributes);
    const bool is_forward = op.kind == plan::OpKind::kBatchSums;
    const T *x = context.as<T>(op.inputs[0]), *dy = is_forward ? nullptr : context.as<T>(op.inputs[3]);
    const Launches launches(context, op, op.inputs[0], areAligned(x, dy));
    ReplicaSums sums{};
    sums.channels = launches.channels;
    sums.part_count = launches.partsAfter();
    sums.mean = context.floats(op.inputs[1]);
    if (!is_forward) sums.inverse = context.floats(op.inputs[2]);
    sums.sums = context.floats(op.outputs[0]);
    std::size_t next = 1;
    if (!is_forward && a.scale) sums.dgamma = context.floats(op.outputs[next++]);
    if (!is_forward && a.center) sums.dbeta = context.floats(op.outputs[next]);
    Grid grid = launches.sums.grid();
    grid.blocks.y = 1;
    return {.kernel = "sums in " + textOf(launches),
            .scratch_bytes = launches.scratchBytes<Moments<1>::kNumbers>(),
            .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                withWidth(launches, [&]<int width>() {
                    ReplicaSums run = sums;
                    auto* parts = reinterpret_cast<float*>(scratch);
                    run.parts = parts;
                    if (is_forward) {
                        enqueueMoments<T, width>(launches, x, parts, stream);
                        launch("BatchSums", grid, stream, sumsOfValuesKernel<width>, run, launches.sums);
                    } else {
                        enqueueGradientSums<T, width>(launches, x, dy, sums.mean, parts, stream);
                        launch("BatchBackSums", grid, stream, sumsOfGradientsKernel<width>, run, launches.sums);
                    }
                });
            }};
}

}  // namespace

BoundOp bindBatchSums(const Context& context, const plan::Op& op) {
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() { bound = bindSums<T>(context, op); });
    return bound;
}

}  // namespace engine::backend::cuda
