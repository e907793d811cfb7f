#include "engine/backend/cuda/products/direct_convolution.h"

#include <algorithm>
#include <climits>
#include <string>

#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/kernels/values.h"
#include "engine/backend/cuda/products/scratch.h"

namespace engine::backend::cuda {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMostShared = 48 << 10;
constexpr std::int64_t kMostBlocks = 512;  // of the way back: their sums are added up

struct Sizes {
    std::int64_t images;
    int h, w, channels, filters;
    int top, left, width;     // padding; columns of the padded image
    int out_h, out_w;         // after the pooling
    int rows_of_part, parts;  // rows of the output that a block has at once; parts of an image
    bool relu;
};

// What a thread does: pixels first, first + step, ... of one filter. Filters need not divide the threads: the last ones then have none.
struct Share {
    int filter, first, step;
    __device__ explicit Share(int filters) {
        const int thread = static_cast<int>(threadIdx.x);
        filter = thread % filters;
        step = kThreads / filters;
        first = thread < step * filters ? thread / filters : INT_MAX;
    }
};

// Rows of the padded image that `rows` rows of the output see.
template <int kh, bool pools>
__device__ int rowsSeen(int rows) {
    return rows * (pools ? 2 : 1) + kh - 1;
}

// The piece of image `n` that the output's rows from `first` on see, with zeros around it.
template <int kh, bool pools, typename T>
__device__ void loadImage(const Sizes& s, const T* x, std::int64_t n, int first, int rows, float* image) {
    const int top = first * (pools ? 2 : 1) - s.top, row_values = s.width * s.channels, count = rowsSeen<kh, pools>(rows) * row_values;
    for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) {
        const int h = top + i / row_values, column = i % row_values, w = column / s.channels - s.left;
        const bool is_inside = h >= 0 && h < s.h && w >= 0 && w < s.w;
        image[i] = is_inside ? toFloat(x[((n * s.h + h) * s.w + w) * s.channels + column % s.channels]) : 0.0F;
    }
}

template <int kh, int kw, int channels, bool pools, typename T>
__global__ void __launch_bounds__(kThreads) forwardKernel(Sizes s, const T* x, const T* kernel, const T* bias, T* y, std::uint8_t* argmax) {
    float* image = dynamicShared<float>();
    const std::int64_t n = blockIdx.x / static_cast<unsigned>(s.parts);
    const int first = static_cast<int>(blockIdx.x % static_cast<unsigned>(s.parts)) * s.rows_of_part;
    const int rows = s.out_h - first < s.rows_of_part ? s.out_h - first : s.rows_of_part;
    loadImage<kh, pools>(s, x, n, first, rows, image);
    __syncthreads();

    const Share share(s.filters);
    const int f = share.filter, step = share.step;
    float weights[kh][kw][channels];
#pragma unroll
    for (int i = 0; i < kh; ++i)
#pragma unroll
        for (int j = 0; j < kw; ++j)
#pragma unroll
            for (int c = 0; c < channels; ++c) weights[i][j][c] = toFloat(kernel[((i * kw + j) * channels + c) * s.filters + f]);
    const float added = toFloat(bias[f]);
    for (int at = share.first; at < rows * s.out_w; at += step) {
        const int row = at / s.out_w, column = at % s.out_w;
        const std::int64_t to = ((n * s.out_h + first + row) * s.out_w + column) * s.filters + f;
        constexpr int kCells = pools ? 2 : 1;
        const float* corner = image + (row * kCells * s.width + column * kCells) * channels;
        float sums[kCells][kCells] = {};
#pragma unroll
        for (int i = 0; i < kh + kCells - 1; ++i)
#pragma unroll
            for (int j = 0; j < kw + kCells - 1; ++j)
#pragma unroll
                for (int c = 0; c < channels; ++c) {
                    const float value = corner[(i * s.width + j) * channels + c];
#pragma unroll
                    for (int a = 0; a < kCells; ++a)
#pragma unroll
                        for (int b = 0; b < kCells; ++b) {
                            if (i >= a && i - a < kh && j >= b && j - b < kw) sums[a][b] += value * weights[i - a][j - b][c];
                        }
                }
        float best = 0;
        int cell = -1;
#pragma unroll
        for (int a = 0; a < kCells; ++a)
#pragma unroll
            for (int b = 0; b < kCells; ++b) {
                float value = sums[a][b] + added;
                if (s.relu && value < 0) value = 0;
                // The first of equal ones. What is no number wins and stays.
                if (cell >= 0 && !(value > best) && !(value != value && best == best)) continue;
                best = value;
                cell = a * kCells + b;
            }
        y[to] = fromFloat<T>(best);
        if (pools && argmax != nullptr) argmax[to] = static_cast<std::uint8_t>(cell);
    }
}

// Sums of the block's images: (blocks, taps + 1, filters), the bias' gradient last.
template <int kh, int kw, int channels, bool pools, typename T>
__global__ void __launch_bounds__(kThreads)
    backKernel(Sizes s, const T* x, const T* y, const std::uint8_t* argmax, const T* dy, float* parts) {
    float* image = dynamicShared<float>();
    const Share share(s.filters);
    const int f = share.filter, step = share.step;
    constexpr int kTaps = kh * kw * channels;
    float sums[kTaps + 1] = {};
    for (std::int64_t piece = blockIdx.x; piece < s.images * s.parts; piece += gridDim.x) {
        const std::int64_t n = piece / s.parts;
        const int first = static_cast<int>(piece % s.parts) * s.rows_of_part;
        const int rows = s.out_h - first < s.rows_of_part ? s.out_h - first : s.rows_of_part;
        __syncthreads();  // the last piece has been read
        loadImage<kh, pools>(s, x, n, first, rows, image);
        __syncthreads();
        for (int at = share.first; at < rows * s.out_w; at += step) {
            const int row = at / s.out_w, column = at % s.out_w;
            const std::int64_t from = ((n * s.out_h + first + row) * s.out_w + column) * s.filters + f;
            const float gradient = !s.relu || toFloat(y[from]) > 0 ? toFloat(dy[from]) : 0.0F;
            const int cell = pools ? argmax[from] : 0;
            const int image_row = pools ? row * 2 + cell / 2 : row, image_column = pools ? column * 2 + cell % 2 : column;
            const float* corner = image + (image_row * s.width + image_column) * channels;
#pragma unroll
            for (int i = 0; i < kh; ++i)
#pragma unroll
                for (int j = 0; j < kw; ++j)
#pragma unroll
                    for (int c = 0; c < channels; ++c)
                        sums[(i * kw + j) * channels + c] += corner[(i * s.width + j) * channels + c] * gradient;
            sums[kTaps] += gradient;
        }
    }
    __shared__ float of_threads[kThreads];
    for (int tap = 0; tap <= kTaps; ++tap) {
        float mine = 0;
#pragma unroll
        for (int i = 0; i <= kTaps; ++i) mine = i == tap ? sums[i] : mine;  // registers have no index
        __syncthreads();
        of_threads[threadIdx.x] = mine;
        __syncthreads();
        if (static_cast<int>(threadIdx.x) >= s.filters) continue;
        for (int i = 1; i < step; ++i) mine += of_threads[i * s.filters + f];
        parts[(static_cast<std::int64_t>(blockIdx.x) * (kTaps + 1) + tap) * s.filters + f] = mine;
    }
}

// A block has 32 columns; its 8 warps deal the parts among them.
__global__ void joinKernel(const float* parts, int count, int kernel_values, int filters, float* dkernel, float* dbias) {
    constexpr int kWarps = 8;
    __shared__ float of_warps[kWarps][32];
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int column = static_cast<int>(blockIdx.x) * 32 + lane, columns = kernel_values + filters;
    float sum = 0;
    if (column < columns) {
        for (int i = warp; i < count; i += kWarps) sum += parts[static_cast<std::int64_t>(i) * columns + column];
    }
    of_warps[warp][lane] = sum;
    __syncthreads();
    if (warp != 0 || column >= columns) return;
    for (int i = 1; i < kWarps; ++i) sum += of_warps[i][lane];
    if (column < kernel_values) {
        dkernel[column] = sum;
    } else {
        dbias[column - kernel_values] = sum;
    }
}

struct Direct {
    Sizes sizes{};
    std::int64_t shared_bytes = 0;
};

// nullopt where the convolution is of another kind, or needs more threads or shared memory than there are.
std::optional<Direct> directOf(const plan::Op& op, const spec::Shape& x, const spec::Shape& y) {
    const plan::ConvolutionAttributes& attributes = plan::convolutionAttributes(op);
    const plan::Window2D& window = attributes.window;
    const std::int64_t filters = y[3];
    const bool is_plain =
        window.stride_h == 1 && window.stride_w == 1 && window.dilation_h == 1 && window.dilation_w == 1 && window.groups == 1;
    if (!is_plain || filters < 4 || filters > kThreads) return std::nullopt;
    if (attributes.activation != plan::Activation::kLinear && attributes.activation != plan::Activation::kRelu) return std::nullopt;
    Direct direct;
    Sizes& s = direct.sizes;
    s.images = x[0];
    s.h = static_cast<int>(x[1]), s.w = static_cast<int>(x[2]), s.channels = static_cast<int>(x[3]), s.filters = static_cast<int>(filters);
    s.top = window.pad_top, s.left = window.pad_left;
    s.width = s.w + window.pad_left + window.pad_right;
    s.out_h = static_cast<int>(y[1]), s.out_w = static_cast<int>(y[2]);
    s.relu = attributes.activation == plan::Activation::kRelu;
    // Parts of an image while there are too few images to keep a large device busy.
    constexpr std::int64_t kBusy = 264;
    s.parts = static_cast<int>(std::clamp<std::int64_t>(kBusy / std::max<std::int64_t>(s.images, 1), 1, s.out_h));
    for (;; ++s.parts) {
        s.rows_of_part = (s.out_h + s.parts - 1) / s.parts;
        direct.shared_bytes = static_cast<std::int64_t>(s.rows_of_part * (attributes.pool ? 2 : 1) + window.kernel_h - 1) * s.width *
                              s.channels * static_cast<std::int64_t>(sizeof(float));
        if (direct.shared_bytes + kThreads * static_cast<std::int64_t>(sizeof(float)) <= kMostShared) break;
        if (s.rows_of_part == 1) return std::nullopt;
    }
    s.parts = (s.out_h + s.rows_of_part - 1) / s.rows_of_part;
    return direct;
}

template <int kh, int kw, int channels, bool pools, typename T>
BoundOp bindWay(const Context& context, const plan::Op& op, const Direct& direct) {
    const Sizes sizes = direct.sizes;
    const auto shared = static_cast<std::size_t>(direct.shared_bytes);
    const T *x = context.as<T>(op.inputs[0]), *second = context.as<T>(op.inputs[1]), *third = context.as<T>(op.inputs[2]);
    std::string name =
        "direct " + std::to_string(kh) + "x" + std::to_string(kw) + " of " + std::to_string(channels) + (pools ? ", pools" : "");
    if (op.kind == plan::OpKind::kFusedConvBlock) {
        T* y = context.as<T>(op.outputs[0]);
        std::uint8_t* argmax = op.outputs.size() > 1 ? context.cells(op.outputs[1]) : nullptr;
        const Grid grid{
            .blocks = dim3(static_cast<unsigned>(sizes.images * sizes.parts)), .threads = dim3(kThreads), .shared_bytes = shared};
        return {.kernel = name, .enqueue = [=](cudaStream_t stream, std::byte*) {
                    launch("direct convolution", grid, stream, forwardKernel<kh, kw, channels, pools, T>, sizes, x, second, third, y,
                           argmax);
                }};
    }
    constexpr int kTaps = kh * kw * channels;
    const T* dy = context.as<T>(op.inputs.back());
    const std::uint8_t* argmax = plan::hasPool(op) ? context.cells(op.inputs[3]) : nullptr;
    float *dkernel = context.floats(op.outputs[0]), *dbias = context.floats(op.outputs[1]);
    const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(sizes.images * sizes.parts, kMostBlocks));
    const Grid grid{.blocks = dim3(blocks), .threads = dim3(kThreads), .shared_bytes = shared};
    const Grid join = gridOf(static_cast<std::int64_t>(kTaps + 1) * sizes.filters * 8, kThreads);
    ScratchLayout layout;
    layout.add(static_cast<std::int64_t>(blocks) * (kTaps + 1) * sizes.filters * static_cast<std::int64_t>(sizeof(float)));
    return {.kernel = name, .scratch_bytes = layout.bytes(), .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                auto* parts = reinterpret_cast<float*>(scratch);
                launch("direct convolution's gradients", grid, stream, backKernel<kh, kw, channels, pools, T>, sizes, x, third, argmax, dy,
                       parts);
                launch("direct convolution's gradients", join, stream, joinKernel, static_cast<const float*>(parts),
                       static_cast<int>(blocks), kTaps * sizes.filters, sizes.filters, dkernel, dbias);
            }};
}

template <int kh, int kw, int channels>
BoundOp bindTaps(const Context& context, const plan::Op& op, const Direct& direct) {
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() {
        bound = plan::hasPool(op) ? bindWay<kh, kw, channels, true, T>(context, op, direct)
                                  : bindWay<kh, kw, channels, false, T>(context, op, direct);
    });
    return bound;
}

}  // namespace

std::optional<BoundOp> bindDirectConvolution(const Context& context, const plan::Op& op) {
    const bool is_back = op.kind == plan::OpKind::kFusedConvBlockBack;
    if (is_back && op.outputs.size() > 2) return std::nullopt;
    const spec::Shape x = plan::imageShape(context.shape(op.inputs[0]));
    const spec::Shape y = plan::imageShape(context.shape(is_back ? op.inputs[2] : op.outputs[0]));
    const std::optional<Direct> direct = directOf(op, x, y);
    if (!direct) return std::nullopt;
    const plan::Window2D& window = plan::windowOf(op);
    const auto is = [&](int kh, int kw, std::int64_t channels) {
        return window.kernel_h == kh && window.kernel_w == kw && x[3] == channels;
    };
    if (is(3, 3, 1)) return bindTaps<3, 3, 1>(context, op, *direct);
    if (is(3, 3, 3)) return bindTaps<3, 3, 3>(context, op, *direct);
    if (is(5, 5, 1)) return bindTaps<5, 5, 1>(context, op, *direct);
    if (is(5, 5, 3)) return bindTaps<5, 5, 3>(context, op, *direct);
    return std::nullopt;
}

}  // namespace engine::backend::cuda
