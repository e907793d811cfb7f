// The metric op: what a batch adds to a metric's sums in the step header; formulas in engine/backend/metric_rows.h. Metrics of rows go by
// the frame of row_sums.h. Counts by threshold: each block counts its elements bin by bin, with integers where elements weigh nothing but
// 1 and else each bin in the elements' order; then the blocks' counts are added in theirs. Counts by class: a block has neighbouring
// columns and goes through all rows, the rows of a lane in their order and then the lanes in theirs; sums by column likewise. Counts of
// classes are whole numbers, which may be added in any order.
#include <algorithm>
#include <string>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/row_sums.h"
#include "engine/backend/metric_rows.h"
#include "engine/plan/memory.h"
#include "engine/spec/error.h"

namespace engine::backend::cuda {
namespace {

// What both kinds of metrics read.
struct MetricInput {
    const StepParameters* step;
    const float* predictions;     // (rows, columns)
    const std::int32_t* classes;  // (rows), or null
    const float* values;          // (rows, columns), or null
    const float* weights;         // of samples, or null
    const std::uint8_t* mask;     // of rows, or null
    std::int64_t rows, columns, rows_per_sample;
    float* sums;  // in the header

    __device__ float weightOf(std::int64_t row) const {
        if (mask != nullptr && mask[row] == 0) return 0;
        return weights != nullptr ? weights[row / rows_per_sample] : 1.0F;
    }
};

template <bool kWide>
__global__ void __launch_bounds__(kMostRowThreads) rowKernel(MetricInput in, RowFormula formula, int width, RowSums* partial) {
    const std::int64_t present = in.step->samples * in.rows_per_sample;
    const RowSums sums = sumOverRows<kWide>(in.rows, width, [&](std::int64_t row, bool is_row, auto lanes) {
        const bool counts = is_row && row < present;
        const std::int64_t at = counts ? row : 0;
        MetricRow one;
        one.predictions = in.predictions + at * in.columns;
        one.n = in.columns;
        if (in.classes != nullptr) one.label = counts ? in.classes[at] : 0;
        if (in.values != nullptr) one.values = in.values + at * in.columns;
        const double value = rowMetric(formula, one, lanes);
        const auto weight = counts ? static_cast<double>(in.weightOf(at)) : 0;
        return RowSums{weight == 0 ? 0 : weight * value, weight};
    });
    if (threadIdx.x != 0) return;
    if (partial == nullptr) {
        in.sums[0] = static_cast<float>(sums.first);
        in.sums[1] = static_cast<float>(sums.second);
    } else {
        partial[blockIdx.x] = sums;
    }
}

__global__ void finishRows(const RowSums* partial, int blocks, float* to) {
    const RowSums sums = sumOverBlocks(partial, blocks);
    if (threadIdx.x != 0) return;
    to[0] = static_cast<float>(sums.first);
    to[1] = static_cast<float>(sums.second);
}

BoundOp bindRows(const MetricInput& in, const plan::MetricAttributes& metric) {
    const RowGrid rows(in.rows, in.columns);
    const RowFormula formula = rowFormula(metric);
    BoundOp bound;
    bound.kernel = rows.text();
    if (rows.blocks > 1) bound.scratch_bytes = rows.partialBytes();
    bound.enqueue = [in, rows, formula](cudaStream_t stream, std::byte* scratch) {
        RowSums* partial = rows.blocks > 1 ? reinterpret_cast<RowSums*>(scratch) : nullptr;
        launch("metric", rows.grid(), stream, rows.width == 0 ? rowKernel<true> : rowKernel<false>, in, formula, rows.width, partial);
        if (partial == nullptr) return;
        launch("sums of the metric", {.threads = dim3(256)}, stream, finishRows, partial, static_cast<int>(rows.blocks), in.sums);
    };
    return bound;
}

constexpr int kThreads = 256, kTile = 2048;  // elements of which a block keeps bins and weights

// Thresholds travel with a launch, so many at a time.
constexpr int kCarried = 512;
struct Thresholds {
    float values[kCarried];
    int count;
};
__global__ void writeThresholds(Thresholds from, float* to) {
    for (int i = static_cast<int>(threadIdx.x); i < from.count; i += static_cast<int>(blockDim.x)) to[i] = from.values[i];
}

struct ThresholdCounts {
    const float* thresholds;
    int count;  // of thresholds
    bool from_logits;
    std::int64_t column;  // the one that counts; -1: all do
    double* partial;      // (blocks, bins)

    __host__ __device__ int bins() const { return 2 * (count + 1); }  // positive, then negative elements
};

// Bins of a tile's elements; -1 of those that do not count.
__device__ void fillTile(const MetricInput& in, const ThresholdCounts& op, std::int64_t begin, std::int64_t end, int* bins,
                         float* weights) {
    for (int i = static_cast<int>(threadIdx.x); i < kTile; i += kThreads) {
        const std::int64_t element = begin + i;
        bins[i] = -1;
        if (element >= end || (op.column >= 0 && element % in.columns != op.column)) continue;
        const float weight = in.weightOf(element / in.columns);
        weights[i] = weight;
        if (weight == 0) continue;
        const int first = in.values[element] != 0 ? 0 : op.count + 1;
        bins[i] = first + static_cast<int>(thresholdsBelow(op.thresholds, op.count, op.from_logits, in.predictions[element]));
    }
}

// Shared: sums of each bin and part (double), counts of each bin (int, without weights).
__global__ void countKernel(MetricInput in, ThresholdCounts op) {
    __shared__ int bins[kTile];
    __shared__ float weights[kTile];
    auto* sums = dynamicShared<double>();
    auto* counts = reinterpret_cast<int*>(sums);
    const int thread = static_cast<int>(threadIdx.x), width = op.bins();
    const bool is_weighted = in.weights != nullptr;
    // Where bins are few, several threads share one and each takes every parts-th element.
    const int parts = width < kThreads ? kThreads / width : 1;
    for (int i = thread; i < width * parts; i += kThreads) {
        if (is_weighted) {
            sums[i] = 0;
        } else if (i < width) {
            counts[i] = 0;
        }
    }
    const std::int64_t end = in.step->samples * in.rows_per_sample * in.columns;
    for (std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * kTile; begin < end;
         begin += static_cast<std::int64_t>(gridDim.x) * kTile) {
        __syncthreads();
        fillTile(in, op, begin, end, bins, weights);
        __syncthreads();
        if (!is_weighted) {
            for (int i = thread; i < kTile; i += kThreads) {
                if (bins[i] >= 0) atomicAdd(counts + bins[i], 1);
            }
            continue;
        }
        for (int slot = thread; slot < width * parts; slot += kThreads) {
            const int bin = slot % width;
            double sum = sums[slot];
            for (int i = slot / width; i < kTile; i += parts) {
                if (bins[i] == bin) sum += static_cast<double>(weights[i]);
            }
            sums[slot] = sum;
        }
    }
    __syncthreads();
    double* to = op.partial + static_cast<std::int64_t>(blockIdx.x) * width;
    for (int bin = thread; bin < width; bin += kThreads) {
        double sum = is_weighted ? 0 : static_cast<double>(counts[bin]);
        for (int part = 0; is_weighted && part < parts; ++part) sum += sums[part * width + bin];
        to[bin] = sum;
    }
}

__global__ void finishCounts(const double* partial, int blocks, int bins, float* to) {
    const int bin = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (bin >= bins) return;
    double sum = 0;
    for (int block = 0; block < blocks; ++block) sum += partial[static_cast<std::int64_t>(block) * bins + bin];
    to[bin] = static_cast<float>(sum);
}

BoundOp bindCounts(const MetricInput& in, const plan::MetricAttributes& metric) {
    constexpr std::int64_t kMostBlocks = 256, kMostShared = 24 * 1024;  // beside the tile, within what every device has
    const std::vector<float> thresholds = metric.thresholds;
    ThresholdCounts op{.thresholds = nullptr,
                       .count = static_cast<int>(thresholds.size()),
                       .from_logits = metric.from_logits,
                       .column = metric.column.value_or(-1),
                       .partial = nullptr};
    const std::int64_t shared = std::max(op.bins(), kThreads) * static_cast<std::int64_t>(sizeof(double));
    if (shared > kMostShared) {
        throw Error(ErrorCode::kUnimplemented, "metric: expected at most " + std::to_string(kMostShared / 16 - 1) +
                                                   " thresholds on a GPU, got " + std::to_string(op.count));
    }
    const std::int64_t tiles = (in.rows * in.columns + kTile - 1) / kTile;
    const auto blocks = static_cast<unsigned>(std::clamp<std::int64_t>(tiles, 1, kMostBlocks));
    const std::int64_t listed = plan::alignUp(op.count * static_cast<std::int64_t>(sizeof(float)));
    BoundOp bound;
    bound.kernel = std::to_string(blocks) + (blocks == 1 ? " block" : " blocks") + " of counts";
    bound.scratch_bytes = listed + static_cast<std::int64_t>(blocks) * op.bins() * static_cast<std::int64_t>(sizeof(double));
    bound.enqueue = [=](cudaStream_t stream, std::byte* scratch) {
        auto* list = reinterpret_cast<float*>(scratch);
        for (std::size_t begin = 0; begin < thresholds.size(); begin += kCarried) {
            Thresholds part{};
            part.count = static_cast<int>(std::min<std::size_t>(kCarried, thresholds.size() - begin));
            std::copy_n(thresholds.begin() + static_cast<std::ptrdiff_t>(begin), part.count, part.values);
            launch("thresholds", {.threads = dim3(kThreads)}, stream, writeThresholds, part, list + begin);
        }
        ThresholdCounts placed = op;
        placed.thresholds = list;
        placed.partial = reinterpret_cast<double*>(scratch + listed);
        const Grid grid{.blocks = dim3(blocks), .threads = dim3(kThreads), .shared_bytes = static_cast<std::size_t>(shared)};
        launch("counts by threshold", grid, stream, countKernel, in, placed);
        launch("sums of counts", gridOf(op.bins()), stream, finishCounts, placed.partial, static_cast<int>(blocks), op.bins(), in.sums);
    };
    return bound;
}

// A row's bound where its largest element counts: a warp a row.
__global__ void boundKernel(MetricInput in, float* bounds) {
    const std::int64_t row = (static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x) / kWarp;
    const bool is_row = row < in.step->samples * in.rows_per_sample;
    const std::int64_t at = is_row ? row : 0;
    const WarpLanes lanes{kWarp};
    MetricRow one;
    one.predictions = in.predictions + at * in.columns;
    one.n = in.columns;
    const float bound = boundOfRow(0, true, one, lanes);
    if (is_row && lanes.first() == 0) bounds[row] = bound;
}

constexpr unsigned kClassColumns = kWarp, kClassLanes = 16;  // of a block

// `bounds`: of the rows; null: the threshold is everyone's.
__global__ void classKernel(MetricInput in, float threshold, const float* bounds) {
    __shared__ double parts[3][kClassLanes][kClassColumns];
    const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * kClassColumns + threadIdx.x;
    const std::int64_t rows = in.step->samples * in.rows_per_sample;
    double true_positives = 0, false_positives = 0, false_negatives = 0;
    for (std::int64_t row = threadIdx.y; row < rows && column < in.columns; row += kClassLanes) {
        const std::int64_t at = row * in.columns + column;
        const bool is_predicted = isPredicted(in.predictions[at], bounds != nullptr ? bounds[row] : threshold, bounds != nullptr);
        const ClassElement element(is_predicted, static_cast<double>(in.values[at]), static_cast<double>(in.weightOf(row)));
        true_positives += element.true_positive;
        false_positives += element.false_positive;
        false_negatives += element.false_negative;
    }
    parts[0][threadIdx.y][threadIdx.x] = true_positives;
    parts[1][threadIdx.y][threadIdx.x] = false_positives;
    parts[2][threadIdx.y][threadIdx.x] = false_negatives;
    __syncthreads();
    if (threadIdx.y >= 3 || column >= in.columns) return;
    double sum = 0;
    for (unsigned lane = 0; lane < kClassLanes; ++lane) sum += parts[threadIdx.y][lane][threadIdx.x];
    in.sums[static_cast<std::int64_t>(threadIdx.y) * in.columns + column] = static_cast<float>(sum);
}

BoundOp bindClasses(const MetricInput& in, const plan::MetricAttributes& metric) {
    BoundOp bound;
    bound.kernel = "counts by class";
    if (metric.largest_counts) bound.scratch_bytes = in.rows * static_cast<std::int64_t>(sizeof(float));
    const auto threshold = static_cast<float>(metric.threshold);
    const bool largest_counts = metric.largest_counts;
    bound.enqueue = [in, threshold, largest_counts](cudaStream_t stream, std::byte* scratch) {
        float* bounds = largest_counts ? reinterpret_cast<float*>(scratch) : nullptr;
        if (bounds != nullptr) launch("largest of each row", gridOf(in.rows * kWarp, kThreads), stream, boundKernel, in, bounds);
        const auto blocks = static_cast<unsigned>((in.columns + kClassColumns - 1) / kClassColumns);
        const Grid grid{.blocks = dim3(blocks), .threads = dim3(kClassColumns, kClassLanes)};
        launch("counts by class", grid, stream, classKernel, in, threshold, bounds);
    };
    return bound;
}

// By column: sums of label, its square and the square of what is missing; the block of the first columns writes the weights' sum and the
// number of elements.
__global__ void columnKernel(MetricInput in) {
    __shared__ double parts[4][kClassLanes][kClassColumns];
    const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * kClassColumns + threadIdx.x;
    const std::int64_t rows = in.step->samples * in.rows_per_sample;
    double label = 0, square = 0, residual = 0, weights = 0;
    for (std::int64_t row = threadIdx.y; row < rows && column < in.columns; row += kClassLanes) {
        const std::int64_t at = row * in.columns + column;
        const auto weight = static_cast<double>(in.weightOf(row));
        const ColumnElement element(static_cast<double>(in.values[at]), static_cast<double>(in.predictions[at]), weight);
        label += element.label;
        square += element.square;
        residual += element.residual;
        weights += weight;
    }
    parts[0][threadIdx.y][threadIdx.x] = label;
    parts[1][threadIdx.y][threadIdx.x] = square;
    parts[2][threadIdx.y][threadIdx.x] = residual;
    parts[3][threadIdx.y][threadIdx.x] = weights;
    __syncthreads();
    if (threadIdx.y >= 4 || column >= in.columns) return;
    double sum = 0;
    for (unsigned lane = 0; lane < kClassLanes; ++lane) sum += parts[threadIdx.y][lane][threadIdx.x];
    if (threadIdx.y < 3) {
        in.sums[static_cast<std::int64_t>(threadIdx.y) * in.columns + column] = static_cast<float>(sum);
    } else if (column == 0) {
        in.sums[3 * in.columns] = static_cast<float>(sum);
        in.sums[3 * in.columns + 1] = static_cast<float>(rows * in.columns);
    }
}

BoundOp bindColumns(const MetricInput& in) {
    BoundOp bound;
    bound.kernel = "sums by column";
    bound.enqueue = [in](cudaStream_t stream, std::byte*) {
        const auto blocks = static_cast<unsigned>((in.columns + kClassColumns - 1) / kClassColumns);
        launch("sums by column", {.blocks = dim3(blocks), .threads = dim3(kClassColumns, kClassLanes)}, stream, columnKernel, in);
    };
    return bound;
}

__global__ void clearCounts(int* counts, int size) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < size) counts[i] = 0;
}

__device__ void countPair(const OverlapFormula& op, std::int64_t label, std::int64_t prediction, double weight, int* counts) {
    const int whole = static_cast<int>(wholeWeight(weight));
    if (whole == 0 || !op.counts(label, prediction)) return;
    if (label == prediction) atomicAdd(counts + label, whole);
    atomicAdd(counts + op.classes + prediction, whole);
    atomicAdd(counts + 2 * op.classes + label, whole);
}

// A warp a row.
__global__ void rowClassKernel(MetricInput in, OverlapFormula op, int* counts) {
    const std::int64_t row = (static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x) / kWarp;
    const bool is_row = row < in.step->samples * in.rows_per_sample;
    const std::int64_t at = is_row ? row : 0;
    const WarpLanes lanes{kWarp};
    const std::int64_t prediction = firstLargest(in.predictions + at * in.columns, in.columns, lanes).index;
    std::int64_t label = in.classes != nullptr && is_row ? in.classes[at] : 0;
    if (in.classes == nullptr) label = firstLargest(in.values + at * in.columns, in.columns, lanes).index;
    if (is_row && lanes.first() == 0) countPair(op, label, prediction, static_cast<double>(in.weightOf(at)), counts);
}

// A thread an element.
__global__ void elementClassKernel(MetricInput in, OverlapFormula op, int* counts) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i >= in.step->samples * in.rows_per_sample * in.columns) return;
    countPair(op, classOf(in.values[i]), op.predicted(in.predictions[i]), static_cast<double>(in.weightOf(i / in.columns)), counts);
}

__global__ void finishClasses(const int* counts, int size, float* to) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < size) to[i] = static_cast<float>(counts[i]);
}

BoundOp bindOverlap(const MetricInput& in, const plan::MetricAttributes& metric) {
    const OverlapFormula op = overlapFormula(metric);
    const int size = metric.width;
    BoundOp bound;
    bound.kernel = "counts of classes";
    bound.scratch_bytes = size * static_cast<std::int64_t>(sizeof(int));
    bound.enqueue = [in, op, size](cudaStream_t stream, std::byte* scratch) {
        int* counts = reinterpret_cast<int*>(scratch);
        launch("empty counts", gridOf(size), stream, clearCounts, counts, size);
        if (op.by_element) {
            launch("counts of classes", gridOf(in.rows * in.columns, kThreads), stream, elementClassKernel, in, op, counts);
        } else {
            launch("counts of classes", gridOf(in.rows * kWarp, kThreads), stream, rowClassKernel, in, op, counts);
        }
        launch("sums of counts", gridOf(size), stream, finishClasses, counts, size, in.sums);
    };
    return bound;
}

}  // namespace

BoundOp bindMetric(const Context& context, const plan::Op& op) {
    const auto& metric = std::get<plan::MetricAttributes>(op.attributes);
    MetricInput in{};
    in.step = context.step();
    in.predictions = context.floats(op.inputs[0]);
    if (context.tensor(op.inputs[1]).dtype == tensor::DType::kInt32) {
        in.classes = context.as<std::int32_t>(op.inputs[1]);
    } else {
        in.values = context.floats(op.inputs[1]);
    }
    const plan::RowWeights weights = plan::rowWeights(context.plan(), op);
    if (weights.samples != plan::kNoTensor) in.weights = context.floats(weights.samples);
    if (weights.mask != plan::kNoTensor) in.mask = context.cells(weights.mask);
    in.columns = context.shape(op.inputs[0]).back();
    in.rows = context.elements(op.inputs[0]) / in.columns;
    in.rows_per_sample = in.rows / context.plan().batch;
    in.sums = context.floats(context.plan().header) + metric.offset;
    if (plan::countsByClass(metric.kind)) return bindClasses(in, metric);
    if (plan::countsByColumn(metric.kind)) return bindColumns(in);
    if (plan::countsOverlap(metric.kind)) return bindOverlap(in, metric);
    return plan::countsByThreshold(metric.kind) ? bindCounts(in, metric) : bindRows(in, metric);
}

}  // namespace engine::backend::cuda
