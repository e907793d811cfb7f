// Rows of a table by whole numbers, and the sum of their gradients in the order of the batch; whole numbers of values, their hashes, and
// ones in their places.
#include <cstdint>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/stored_numbers.h"
#include "engine/backend/cuda/kernels/values.h"
#include "engine/backend/hashing.h"

namespace engine::backend::cuda {
namespace {

// Notes the first value of a step that has no place in the table of the op.
__device__ void report(const StepParameters* step, std::int32_t op, std::int64_t id, std::int64_t item) {
    StepFault* fault = step->fault;
    if (fault == nullptr || atomicCAS(&fault->is_set, 0U, 1U) != 0) return;
    fault->op = op;
    fault->item = item;
    fault->id = id;
}

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
            if (place.rest == 0 && place.quotient < step->samples * ids_of_sample) report(step, op, row, place.quotient);
            row = row < 0 ? 0 : rows - 1;
        }
        float values[count];
        loadPack(table + row * width.divisor() + place.rest, values);
        storePack(y + at, values);
    }
};

constexpr int kBackThreads = 256, kColumns = 32, kLanes = kBackThreads / kColumns, kWarps = kBackThreads / kWarp;
constexpr int kTableRows = 32;                      // of a block
constexpr int kRounds = 4;                          // ids of a thread
constexpr int kIdsAtOnce = kRounds * kBackThreads;  // of a block
constexpr int kLoadsAtOnce = 4;

struct EmbeddingBackSizes {
    std::int64_t ids, rows, width;
};

// A block has kTableRows rows of the table and kColumns columns. It goes through all ids in order, kIdsAtOnce of them, and notes those of
// its rows in their order. The lanes take turns in adding these gradients to sums of their own, so that a word that fills the batch keeps
// all of them busy; at the end the lanes' sums are put together.
template <typename T>
__global__ void embeddingBackKernel(EmbeddingBackSizes sizes, const float* ids, const T* dy, float* table) {
    __shared__ float sums[kLanes][kTableRows][kColumns];
    __shared__ int found_rows[kIdsAtOnce], found_items[kIdsAtOnce];  // items: from the first of the ids at hand
    __shared__ int of_warps[kRounds][kWarps];
    const int thread = static_cast<int>(threadIdx.x), column = thread % kColumns, lane = thread / kColumns, warp = thread / kWarp;
    const std::int64_t first_row = static_cast<std::int64_t>(blockIdx.x) * kTableRows;
    const std::int64_t at_column = static_cast<std::int64_t>(blockIdx.y) * kColumns + column;
    for (int row = 0; row < kTableRows; ++row) sums[lane][row][column] = 0;
    for (std::int64_t begin = 0; begin < sizes.ids; begin += kIdsAtOnce) {
        unsigned found[kRounds];
        int rows[kRounds], count = 0;
#pragma unroll
        for (int round = 0; round < kRounds; ++round) {
            const std::int64_t item = begin + round * kBackThreads + thread;
            const std::int64_t row = item < sizes.ids ? static_cast<std::int64_t>(ids[item]) - first_row : -1;
            rows[round] = row >= 0 && row < kTableRows ? static_cast<int>(row) : -1;
            found[round] = __ballot_sync(kAllLanes, rows[round] >= 0 ? 1 : 0);
            if (thread % kWarp == 0) of_warps[round][warp] = __popc(found[round]);
        }
        __syncthreads();
#pragma unroll
        for (int round = 0; round < kRounds; ++round) {
            int place = __popc(found[round] & ((1U << (thread % kWarp)) - 1));
            for (int i = 0; i < kWarps; ++i) {
                place += i == warp ? count : 0;
                count += of_warps[round][i];
            }
            if (rows[round] < 0) continue;
            found_rows[place] = rows[round];
            found_items[place] = round * kBackThreads + thread;
        }
        __syncthreads();
        if (count == 0) continue;  // of the whole block
        if (at_column < sizes.width) {
            for (int i = lane; i < count; i += kLoadsAtOnce * kLanes) {
                float gradients[kLoadsAtOnce];
#pragma unroll
                for (int k = 0; k < kLoadsAtOnce; ++k) {
                    const int at = i + k * kLanes;
                    gradients[k] = at < count ? toFloat(dy[(begin + found_items[at]) * sizes.width + at_column]) : 0;
                }
#pragma unroll
                for (int k = 0; k < kLoadsAtOnce; ++k) {
                    const int at = i + k * kLanes;
                    if (at < count) sums[lane][found_rows[at]][column] += gradients[k];
                }
            }
        }
        __syncthreads();
    }
    __syncthreads();
    if (at_column >= sizes.width) return;
    for (int row = lane; row < kTableRows && first_row + row < sizes.rows; row += kLanes) {
        float sum = 0;
        for (int i = 0; i < kLanes; ++i) sum += sums[i][row][column];
        table[(first_row + row) * sizes.width + at_column] = sum;
    }
}

// Its place in the plan, by which a fault names it.
std::int32_t numberOf(const Context& context, const plan::Op& op) {
    std::int32_t number = 0;
    for (std::size_t i = 0; i < context.plan().ops.size(); ++i) {
        if (context.plan().ops[i].name == op.name) number = static_cast<std::int32_t>(i);
    }
    return number;
}

template <typename T>
BoundOp bindForward(const Context& context, const plan::Op& op) {
    const std::int64_t width = context.shape(op.inputs[1])[1], batch = context.plan().batch;
    const Embedding<T> embedding{.step = context.step(),
                                 .ids = context.floats(op.inputs[0]),
                                 .table = context.floats(op.inputs[1]),
                                 .y = context.as<T>(op.outputs[0]),
                                 .width = Division(width),
                                 .rows = context.shape(op.inputs[1])[0],
                                 .ids_of_sample = batch == 0 ? 0 : context.elements(op.inputs[0]) / batch,
                                 .op = numberOf(context, op)};
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

struct Index {
    const StepParameters* step;
    const float *x, *values, *places;  // places: null of boundaries
    float* y;
    int count;
    UnknownValues unknown;
    std::int64_t values_of_sample;
    std::int32_t op;

    template <int width>
    __device__ void run(std::int64_t at) const {
#pragma unroll
        for (int i = 0; i < width; ++i) {
            const float value = places == nullptr ? x[at + i] : truncf(x[at + i]);
            int low = 0, high = count;  // how many of the values are not above it
            while (low < high) {
                const int middle = (low + high) / 2;
                if (values[middle] <= value) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            if (places == nullptr) {
                y[at + i] = static_cast<float>(low);
            } else {
                const bool is_there = low > 0 && values[low - 1] == value;
                y[at + i] = is_there ? places[low - 1] : unknown.place(value);
                const bool is_fault = !is_there && !unknown.have_places && at + i < step->samples * values_of_sample;
                if (is_fault) report(step, op, static_cast<std::int64_t>(value), at + i);
            }
        }
    }
};

struct Hash {
    const float* x;
    float* y;
    HashTable table;

    template <int width>
    __device__ void run(std::int64_t at) const {
#pragma unroll
        for (int i = 0; i < width; ++i) y[at + i] = table.place(x[at + i]);
    }
};

struct Encode {
    const float *x, *weights;  // weights: null where each counts as it is
    float* y;
    std::int64_t depth, ids;
    bool counts;

    template <int width>
    __device__ void run(std::int64_t at) const {
#pragma unroll
        for (int i = 0; i < width; ++i) {
            const std::int64_t row = (at + i) / depth;
            const auto place = static_cast<float>((at + i) % depth);
            float found = 0;
            for (std::int64_t k = row * ids; k < (row + 1) * ids; ++k) found += truncf(x[k]) == place ? 1.0F : 0.0F;
            found = counts || found == 0 ? found : 1.0F;
            y[at + i] = weights == nullptr ? found : found * weights[(at + i) % depth];
        }
    }
};

BoundOp bindIds(const Context& context, const plan::Op& op) {
    const float* x = context.floats(op.inputs[0]);
    float* y = context.floats(op.outputs[0]);
    const std::int64_t count = context.elements(op.outputs[0]);
    if (op.kind == plan::OpKind::kEncode) {
        const auto& encoding = std::get<plan::Encoding>(op.attributes);
        const float* weights = op.inputs.size() > 1 ? context.floats(op.inputs[1]) : nullptr;
        const Encode work{x, weights, y, encoding.depth, encoding.ids, encoding.counts};
        return {.kernel = "ones by id",
                .enqueue = [=](cudaStream_t stream, std::byte*) { launchPointwise<1>("Encode", work, count, true, stream); }};
    }
    if (op.kind == plan::OpKind::kHash) {
        const Hash work{x, y, HashTable(std::get<plan::Hashing>(op.attributes))};
        return {.kernel = "a hash for each value",
                .enqueue = [=](cudaStream_t stream, std::byte*) { launchPointwise<1>("Hash", work, count, true, stream); }};
    }
    const auto& table = std::get<plan::Indexing>(op.attributes);
    const bool has_lists = op.inputs.size() == 1;
    const std::int64_t batch = context.plan().batch;
    const Index work{.step = context.step(),
                     .x = x,
                     .values = has_lists ? nullptr : context.floats(op.inputs[1]),
                     .places = op.inputs.size() > 2 ? context.floats(op.inputs[2]) : nullptr,
                     .y = y,
                     .count = static_cast<int>(has_lists ? std::ssize(table.values) : context.elements(op.inputs[1])),
                     .unknown = UnknownValues(table),
                     .values_of_sample = batch == 0 ? 0 : count / batch,
                     .op = numberOf(context, op)};
    if (!has_lists) {
        return {.kernel = "a search for each value",
                .enqueue = [=](cudaStream_t stream, std::byte*) { launchPointwise<1>("Index", work, count, true, stream); }};
    }
    std::vector<float> numbers = table.values;
    numbers.insert(numbers.end(), table.places.begin(), table.places.end());
    return {.kernel = "a search for each value",
            .scratch_bytes = static_cast<std::int64_t>(numbers.size() * sizeof(float)),
            .enqueue = [=, has_places = !table.places.empty()](cudaStream_t stream, std::byte* scratch) {
                auto* stored = reinterpret_cast<float*>(scratch);
                storeNumbers(numbers, stored, stream);
                Index own = work;
                own.values = stored;
                own.places = has_places ? stored + work.count : nullptr;
                launchPointwise<1>("Index", own, count, true, stream);
            }};
}

}  // namespace

BoundOp bindEmbedding(const Context& context, const plan::Op& op) {
    const bool has_table = op.kind == plan::OpKind::kEmbedding || op.kind == plan::OpKind::kEmbeddingBack;
    if (!has_table) return bindIds(context, op);
    const bool is_forward = op.kind == plan::OpKind::kEmbedding;
    BoundOp bound;
    withValues(context.tensor(is_forward ? op.outputs[0] : op.inputs[1]),
               [&]<typename T>() { bound = is_forward ? bindForward<T>(context, op) : bindBack<T>(context, op); });
    return bound;
}

}  // namespace engine::backend::cuda
