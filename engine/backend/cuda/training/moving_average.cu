// Moving averages of the states: all that follow each other in the plan, in one launch by the last of them.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/kernels/values.h"

namespace engine::backend::cuda {
namespace {

constexpr int kThreads = 256, kWidth = 4;

struct Average {
    const float *before, *added;
    float* after;
    std::int64_t count;
    int first_block;  // of its launch
    float momentum;
};
constexpr int kAverages = 80;  // travel with a launch
struct Averages {
    Average averages[kAverages];
    int count, blocks;
    bool is_aligned;
};

template <int width>
__device__ void move(const Average& average, std::int64_t at) {
    float values[width], steps[width];
    loadPack(average.before + at, values);
    loadPack(average.added + at, steps);
#pragma unroll
    for (int i = 0; i < width; ++i) values[i] = values[i] * average.momentum + steps[i];
    storePack(average.after + at, values);
}

template <int width>
__global__ void averagesKernel(Averages all) {
    int which = 0;
    while (which + 1 < all.count && all.averages[which + 1].first_block <= static_cast<int>(blockIdx.x)) ++which;
    const Average& average = all.averages[which];
    const std::int64_t begin =
        (static_cast<std::int64_t>(static_cast<int>(blockIdx.x) - average.first_block) * kThreads + static_cast<int>(threadIdx.x)) * width;
    if (begin + width <= average.count) {
        move<width>(average, begin);
    } else {
        for (std::int64_t at = begin; at < average.count; ++at) move<1>(average, at);
    }
}

std::vector<Averages> launchesOf(const Context& context, std::span<const plan::Op> ops) {
    std::vector<Averages> launches;
    for (const plan::Op& op : ops) {
        const std::int64_t count = context.elements(op.outputs[0]);
        if (count == 0) continue;
        if (launches.empty() || launches.back().count == kAverages) launches.push_back({.is_aligned = true});
        Averages& launch = launches.back();
        const Average& average =
            launch.averages[launch.count++] = {.before = context.floats(op.inputs[0]),
                                               .added = context.floats(op.inputs[1]),
                                               .after = context.floats(op.outputs[0]),
                                               .count = count,
                                               .first_block = 0,
                                               .momentum = static_cast<float>(std::get<plan::BatchNormAttributes>(op.attributes).momentum)};
        launch.is_aligned = launch.is_aligned && areAligned(average.before, average.added, average.after);
    }
    for (Averages& launch : launches) {
        const std::int64_t of_block = kThreads * (launch.is_aligned ? kWidth : 1);
        for (int i = 0; i < launch.count; ++i) {
            launch.averages[i].first_block = launch.blocks;
            launch.blocks += static_cast<int>((launch.averages[i].count + of_block - 1) / of_block);
        }
    }
    return launches;
}

}  // namespace

BoundOp bindMovingAverages(const Context& context, std::span<const plan::Op> ops) {
    return {.kernel = "one pass over " + std::to_string(ops.size()) + (ops.size() == 1 ? " state" : " states"),
            .enqueue = [launches = launchesOf(context, ops)](cudaStream_t stream, std::byte*) {
                for (const Averages& one : launches) {
                    const Grid grid{.blocks = dim3(static_cast<unsigned>(one.blocks)), .threads = dim3(kThreads)};
                    launch("MovingAverage", grid, stream, one.is_aligned ? averagesKernel<kWidth> : averagesKernel<1>, one);
                }
            }};
}

BoundOp bindMovingAverage(const Context& context, const plan::Op& op) {
    const std::vector<plan::Op>& ops = context.plan().ops;
    const auto at = std::find_if(ops.begin(), ops.end(), [&op](const plan::Op& one) { return &one == &op; });
    if (at == ops.end()) return bindMovingAverages(context, {&op, 1});
    const auto isAnother = [](const plan::Op& one) { return one.kind != plan::OpKind::kMovingAverage; };
    if (std::next(at) != ops.end() && !isAnother(*std::next(at))) return {};  // the last of them does it
    const auto first = std::find_if(std::make_reverse_iterator(at), ops.rend(), isAnother).base();
    return bindMovingAverages(context, {first, std::next(at)});
}

}  // namespace engine::backend::cuda
