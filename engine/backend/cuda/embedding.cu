// Rows of a table by whole numbers, and the sum of their gradients in the order of the batch.
#include <cstdint>
#include <string>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/division.h"
#include "engine/backend/cuda/pointwise.h"
#include "engine/backend/cuda/values.h"

namespace engine::backend::cuda {
namespace {

// Values of the result one by one: x is a table of variables in float32.
template <typename T>
struct Embedding {
    const StepParameters* step;
    const float *ids, *table;
    T* y;
    Division width;
    std::int64_t rows, ids_of_sample;
    std::int32_t op;

    template <int count>
    __device__ void run(std::int64_t at) const {
        const Division::Parts place = width(at);
        auto row = static_cast<std::int64_t>(ids[place.quotient]);
        if (row < 0 || row >= rows) {
            if (place.rest == 0 && place.quotient < step->samples * ids_of_sample) report(row, place.quotient);
            row = row < 0 ? 0 : rows - 1;
        }
        float values[count];
        loadPack(table + row * width.divisor() + place.rest, values);
        storePack(y + at, values);
    }
    __device__ void report(std::int64_t id, std::int64_t item) const {
        StepFault* fault = step->fault;
        if (fault == nullptr || atomicCAS(&fault->is_set, 0U, 1U) != 0) return;
        fault->op = op;
        fault->item = item;
        fault->id = id;
    }
};

constexpr int kBackThreads = 256, kColumns = 32, kLanes = kBackThreads / kColumns;
constexpr int kTableRows = 64;  // of a block

struct EmbeddingBackSizes {
    std::int64_t ids, rows, width;
};

// A block has kTableRows rows of the table and kColumns columns. It goes through all ids in order, kBackThreads at once; those of its rows
// it notes in their order. Then each lane adds the gradients of rows of its own, number by number.
template <typename T>
__global__ void embeddingBackKernel(EmbeddingBackSizes sizes, const float* ids, const T* dy, float* table) {
    __shared__ float sums[kTableRows][kColumns];
    __shared__ int found_rows[kBackThreads];
    __shared__ std::int64_t found_items[kBackThreads];
    __shared__ int of_warps[kBackThreads / kWarp];
    const int thread = static_cast<int>(threadIdx.x), column = thread % kColumns, lane = thread / kColumns, warp = thread / kWarp;
    const std::int64_t first_row = static_cast<std::int64_t>(blockIdx.x) * kTableRows;
    const std::int64_t at_column = static_cast<std::int64_t>(blockIdx.y) * kColumns + column;
    for (int row = lane; row < kTableRows; row += kLanes) sums[row][column] = 0;
    for (std::int64_t begin = 0; begin < sizes.ids; begin += kBackThreads) {
        const std::int64_t item = begin + thread, row = item < sizes.ids ? static_cast<std::int64_t>(ids[item]) - first_row : -1;
        const bool is_found = row >= 0 && row < kTableRows;
        const unsigned found = __ballot_sync(kAllLanes, is_found ? 1 : 0);
        if (thread % kWarp == 0) of_warps[warp] = __popc(found);
        __syncthreads();
        int before = 0, count = 0;
        for (int i = 0; i < kBackThreads / kWarp; ++i) {
            before += i < warp ? of_warps[i] : 0;
            count += of_warps[i];
        }
        if (is_found) {
            const int place = before + __popc(found & ((1U << (thread % kWarp)) - 1));
            found_rows[place] = static_cast<int>(row);
            found_items[place] = item;
        }
        __syncthreads();
        if (at_column < sizes.width) {
            for (int i = 0; i < count; ++i) {
                if (found_rows[i] % kLanes == lane) sums[found_rows[i]][column] += toFloat(dy[found_items[i] * sizes.width + at_column]);
            }
        }
        __syncthreads();
    }
    if (at_column >= sizes.width) return;
    for (int row = lane; row < kTableRows && first_row + row < sizes.rows; row += kLanes) {
        table[(first_row + row) * sizes.width + at_column] = sums[row][column];
    }
}

template <typename T>
BoundOp bindForward(const Context& context, const plan::Op& op) {
    const std::int64_t width = context.shape(op.inputs[1])[1], batch = context.plan().batch;
    std::int32_t number = 0;
    for (std::size_t i = 0; i < context.plan().ops.size(); ++i) {
        if (context.plan().ops[i].name == op.name) number = static_cast<std::int32_t>(i);
    }
    const Embedding<T> embedding{.step = context.step(),
                                 .ids = context.floats(op.inputs[0]),
                                 .table = context.floats(op.inputs[1]),
                                 .y = context.as<T>(op.outputs[0]),
                                 .width = Division(width),
                                 .rows = context.shape(op.inputs[1])[0],
                                 .ids_of_sample = batch == 0 ? 0 : context.elements(op.inputs[0]) / batch,
                                 .op = number};
    constexpr int kWidth = 4;
    const std::int64_t count = context.elements(op.outputs[0]);
    const bool is_wide = width % kWidth == 0 && areAligned(embedding.table, embedding.y);
    return {.kernel = "rows by id",
            .enqueue = [=](cudaStream_t stream, std::byte*) { launchPointwise<kWidth>("Embedding", embedding, count, is_wide, stream); }};
}

template <typename T>
BoundOp bindBack(const Context& context, const plan::Op& op) {
    const spec::Shape& shape = context.shape(op.outputs[0]);
    const EmbeddingBackSizes sizes{context.elements(op.inputs[0]), shape[0], shape[1]};
    const auto blocks = [](std::int64_t count, std::int64_t of_block) { return static_cast<unsigned>((count + of_block - 1) / of_block); };
    const Grid grid{.blocks = dim3(blocks(sizes.rows, kTableRows), blocks(sizes.width, kColumns)), .threads = dim3(kBackThreads)};
    const float* ids = context.floats(op.inputs[0]);
    const T* dy = context.as<T>(op.inputs[1]);
    float* table = context.floats(op.outputs[0]);
    return {.kernel = "sums by id", .enqueue = [=](cudaStream_t stream, std::byte*) {
                launch("EmbeddingBack", grid, stream, embeddingBackKernel<T>, sizes, ids, dy, table);
            }};
}

}  // namespace

BoundOp bindEmbedding(const Context& context, const plan::Op& op) {
    const bool is_forward = op.kind == plan::OpKind::kEmbedding;
    BoundOp bound;
    withValues(context.tensor(is_forward ? op.outputs[0] : op.inputs[1]),
               [&]<typename T>() { bound = is_forward ? bindForward<T>(context, op) : bindBack<T>(context, op); });
    return bound;
}

}  // namespace engine::backend::cuda
